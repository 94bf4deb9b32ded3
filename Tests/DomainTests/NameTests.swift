import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct NameTests {
    @Test(
        "spellings of the same name have the same key",
        arguments: [
            ("JA! H-MILCH 3,5%", "ja h milch 3.5%"), ("Ja! H-Milch 3.5 %", "ja h milch 3.5%"),
            ("MÜLLERMILCH", "muellermilch"), ("MUELLERMILCH", "muellermilch"), ("Mu\u{308}llermilch", "muellermilch"),
            ("SÜßIGKEITEN", "suessigkeiten"), ("  GOLDMAIS   2X150G ", "goldmais 2x150g"), ("500 G", "500g"),
            ("GUT&GÜNSTIG", "gut guenstig"), ("Apfel\u{A0}grün  kg", "apfel gruen kg"), ("CAFÉ*", "cafe"),
            ("<img src=x>", "img src x"), ("\u{202E}abc\u{0}d", "abc d"), ("кефир", "кефир"),
            ("1+1 GRATIS", "1 1 gratis"), ("+ MILCH + KAKAO", "milch kakao"), ("MULTI-VITAMIN C+", "multi vitamin c+"),
            ("SENIOR 50+, 500 G", "senior 50+ 500g"), ("C++D", "c d"), ("MILCH 3+%", "milch 3%"),
        ])
    func keys(printed: String, key: String) {
        #expect(AliasKey(printed: printed)?.text == key)
    }

    @Test(
        "names of different products have different keys",
        arguments: [
            ("COCA COLA 0,5L", "COCA COLA 1,5L"), ("MILCH 1,5%", "MILCH 15%"), ("MILCH 3,5%", "MILCH 3,5"),
            ("MILKA 100G", "MILKA 90G"), ("EIER 6ER", "EIER 10ER"), ("SALAMI", "SALAMI BIO"),
            ("VITAMIN C", "VITAMIN C+"),
        ])
    func differentKeys(left: String, right: String) {
        #expect(AliasKey(printed: left) != AliasKey(printed: right))
    }

    @Test(arguments: ["", "   ", "***", "-", "\u{200B}", String(repeating: "\u{301}", count: 1_000)])
    func `a name without letters and digits has no key`(printed: String) {
        #expect(AliasKey(printed: printed) == nil)
    }

    @Test func `cuts very long names`() {
        #expect((AliasKey(printed: String(repeating: "ä", count: 100_000))?.text.utf8.count ?? 0) <= 400)
    }

    @Test func `cuts a name between characters`() throws {
        // One byte, then two-byte characters, so that the limit is inside a character.
        let key = try #require(AliasKey(printed: "a" + String(repeating: "ж", count: 150)))
        #expect(key.text == "a" + String(repeating: "ж", count: 99))
    }

    @Test(
        "the key of a key is the same key",
        arguments: [
            "Ÿ", "ĲSTHEE", "İSTANBUL", "ǅ", "\u{212B}L", "\u{1}\u{FFFD}Ÿ\u{1}71", "K\u{212A}",
            String(repeating: "a", count: 199) + " b", String(repeating: "a", count: 197) + " 5.25",
            String(repeating: "a", count: 195) + " 50 gramm", String(repeating: "ä", count: 99) + "a ß",
            "500 g+", "C+ D", "50 %+", String(repeating: "a", count: 199) + "++",
        ])
    func keyOfKey(printed: String) throws {
        let key = try #require(AliasKey(printed: printed))
        #expect(AliasKey(printed: key.text) == key)
        #expect(key.text.utf8.count <= 200)
    }

    @Test("folding twice changes nothing", arguments: [0x20..<0x3000, 0xA000..<0xAC00, 0xF900..<0x11000])
    func foldingTwice(range: Range<UInt32>) {
        let twice = range.compactMap(Unicode.Scalar.init).map { FoldedText.fold(String($0)) }
            .filter { FoldedText.fold($0) != $0 }
        #expect(twice.isEmpty)
    }

    @Test(
        "reads package sizes from names",
        arguments: [
            ("SPAGHETTI 500G", "500 g"), ("Pflaume 750g", "750 g"), ("COLA 1,5L", "1,5 l"),
            ("BIER 6X0,33", "6 × 0,33 l"),
            ("EIER 10ER", "10 Stk."), ("GOLDMAIS 2X150G", "2 × 150 g"), ("MOZZARELLA 2x125g", "2 × 125 g"),
            ("LACHS ca.400g", "400 g"), ("MILCH 3,5% 1L", "1 l"), ("STOLZENFELS SEKT 0,2 L", "0,2 l"),
            ("RUM 40%VOL. 0,7L", "0,7 l"), ("Holzkohle 3 kg", "3 kg"), ("MILKY WAY 9ER", "9 Stk."),
            ("KINDER RIEGEL 20E", "20 Stk."), ("10 EIER FREILAND", "10 Stk."), ("WASSER 6x1,5L", "6 × 1,5 l"),
            ("KAPSELN 10ER 52G", "52 g"), ("SENF 200ML", "200 ml"), ("TOIPA 8 ROLLEN", "8 Stk."),
            ("PERSIL 20WL", "20 WL"), ("MILCH 3,5%", nil), ("7UP", nil), ("SHAMPOO 3IN1", nil),
            ("GELIERZUCKER 2:1", nil),
            ("1688 MEHRKORN", nil), ("MILCH 0G", nil), ("BIO EIER M+L", nil), ("K.Toipa 3lagig", nil),
            ("9999999999999G", nil), ("SAFT 1,2345L", nil),
        ] as [(String, String?)])
    func packages(name: String, expected: String?) {
        #expect(PackageSize(inName: name)?.formatted() == expected)
    }

    @Test func `recognises approximate sizes, sale by weight, and percentages`() {
        #expect(PackageSize(inName: "LACHS ca.400g")?.isApproximate == true)
        #expect(PackageSize(inName: "LACHS 400g")?.isApproximate == false)
        #expect(NameFigures(folded: "apfel gruen kg").isSoldByWeight)
        #expect(NameFigures(folded: "milch 3,5% 1l").percentages == [35])
    }
}
