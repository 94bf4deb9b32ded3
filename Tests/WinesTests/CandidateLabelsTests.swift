import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct CandidateLabelsTests {
    /// 20,000 labels (wines without regard to the vintage) of 2,000 producers. All have the word `Weingut`; the first
    /// 200 have the name `Steinfeld`.
    private static let index = WineIndex(
        (0..<20_000).map { number in
            CatalogueWine(
                producer: "Weingut \(word(number % 2_000))",
                name: number < 200 ? "Steinfeld" : "Lage \(word(number))")
        })

    /// A word of six letters for each number. Few of them are similar.
    private static func word(_ number: Int) -> String {
        var (rest, word) = (number &* 48_271 % 308_915_776, "")
        for _ in 0..<6 {
            word += String(UnicodeScalar(UInt8(97 + rest % 26)))
            rest /= 26
        }
        return word
    }

    private func candidates(_ text: String) -> CandidateLabels {
        CandidateLabels(WineQuery(text, WineQuery.Facts(), Self.index))
    }

    @Test func `scores only labels with a rare word of the text, however many labels have a frequent word`() {
        // `Weingut` has more labels than are scored for one text.
        #expect(candidates("Weingut Steinfeld").labelCount == 200)
        #expect((10...40).contains(candidates("Weingut \(Self.word(7))").labelCount))
    }

    @Test func `scores a limited number of labels if all words are frequent`() {
        #expect(candidates("Weingut").labelCount == CandidateLabels.maximumLabels)
    }

    @Test func `returns the labels with most words in common`() {
        let best = candidates("Weingut \(Self.word(100)) Steinfeld").best(1)
        #expect(best == [100])
        #expect(candidates("17").best(48) == [])
        #expect(candidates("Steinfeld").best(48).count == 48)
    }
}
