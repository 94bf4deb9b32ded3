import Domain
import Testing

@Suite(.timeLimit(.minutes(5))) struct NearNamesTests {
    private func groups(_ names: [String], chains: [String] = []) -> [Int] {
        NearNames.firstSpellings(
            names.enumerated().map {
                (chain: chains.isEmpty ? "hofer" : chains[$0], key: AliasKey(printed: $1)?.text ?? "")
            })
    }

    @Test(arguments: [
        ("BBU SAUCE 250ML", "BBQ SAUCE 250ML", true), ("VOLLMLCH 1L", "VOLLMILCH 1L", true),
        ("BIRNE", "BIRNEN", true), ("SCHINKEN", "SCHlNKEN", true),
        // Names that differ in a size, a grade or a digit belong to different products.
        ("COLA 0,5L", "COLA 1,5L", false), ("EIER M", "EIER L", false), ("MILCH 3,5%", "MILCH 0,5%", false),
        ("TEE A1", "TEE B1", false),
        // Names that differ in two letters or in a word.
        ("BBU SAUSE", "BBQ SAUCE", false), ("ROTWEIN", "WEIN", false), ("BBQ SAUCE", "BBQ SAUCE MILD", false),
    ])
    func `two names are near if one letter of one word differs`(one: String, other: String, areNear: Bool) {
        #expect(groups([one, other]) == (areNear ? [0, 0] : [0, 1]))
        #expect(groups([other, one]) == (areNear ? [0, 0] : [0, 1]))
    }

    @Test func `names of different chains are never near`() {
        #expect(groups(["BBU SAUCE", "BBQ SAUCE"], chains: ["hofer", "spar"]) == [0, 1])
    }

    @Test func `names that are near directly or through other names form a group, which its first name identifies`() {
        #expect(groups(["KAKAO", "BUTTER", "KAKAU", "KEKAU"]) == [0, 1, 0, 0])
    }

    @Test func `a name without letters is not near any other name`() {
        #expect(groups(["4711", "4712", ""]) == [0, 1, 2])
    }
}
