import Recognition
import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct WineIndexTests {
    private static let wines = [
        CatalogueWine(
            producer: "Château Margaux", name: "Premier Grand Cru Classé", vintage: 2015, country: "France",
            region: "Margaux", color: .red),
        CatalogueWine(
            producer: "Château Margaux", name: "Premier Grand Cru Classé", vintage: 2017, country: "France",
            region: "Margaux", color: .red),
        CatalogueWine(
            producer: "Weingut Keller", name: "Westhofen Riesling", vintage: 2019, country: "Germany",
            region: "Rheinhessen", color: .white),
        CatalogueWine(
            producer: "Forest Hill", name: "Estate Cabernet Sauvignon", vintage: 2018, country: "Australia", color: .red
        ),
        CatalogueWine(
            producer: "Presqu'île", name: "Pinot Noir", vintage: 2020, country: "United States", color: .red),
        CatalogueWine(
            producer: "Presqu'île", name: "Chardonnay", vintage: 2020, country: "United States", color: .white),
    ]
    private static let index = WineIndex(wines)

    @Test func `finds a wine by its printed producer, name and vintage`() {
        let matches = Self.index.match(text: "CHATEAU MARGAUX, Premier Grand Cru Classe 2017")
        #expect(matches.first?.wine == 1)
        #expect(matches.first?.kind == .exact)
        #expect((matches.first?.confidence ?? 0) >= 980)
    }

    @Test func `reports that the catalogue has another vintage`() {
        let matches = Self.index.match(text: "Westhofen Riesling, Weingut Keller 2021")
        #expect(matches.first?.wine == 2)
        #expect(matches.first?.kind == .otherVintage)
    }

    @Test func `finds another vintage of the same label`() {
        #expect(Self.index.wine(ofVintage: 2017, like: 0) == 1)
        #expect(Self.index.wine(ofVintage: 2015, like: 0) == 0)
        #expect(Self.index.wine(ofVintage: 2018, like: 0) == nil)
        #expect(Self.index.wine(ofVintage: 2017, like: 99) == nil)
        // Of two wines with the same label and vintage, the given wine is returned.
        let twice = WineIndex([Self.wines[0], Self.wines[0], Self.wines[1]])
        for wine in [Int32](0...1) { #expect(twice.wine(ofVintage: 2015, like: wine) == wine) }
    }

    @Test func `the key of a text depends neither on its punctuation nor on its vintage`() {
        #expect(WineText.key("HAUSWEIN, Rot") == WineText.key("Hauswein rot 2015"))
        #expect(WineText.vintage(in: "Hauswein 1999, rot ’19") == 2019)
        #expect(WineText.vintage(in: "Hauswein") == nil)
    }

    @Test(arguments: [
        ("Ch. Margaux 1er Gd. Cru Classé", 1), ("Presquile Pinot Nolr", 4), ("Presqu’ile PN", 4),
        ("Presqu'ile Chard.", 5),
        ("Forest Hill Est. Cab. Sauv.", 3), ("Westhoten Ries1ing, Kel1er", 2), ("Riesling Westhofen Keller", 2),
        ("Westhofener Riesling, Wgt. Keller, Rheinhessen", 2),
    ])
    func `finds abbreviated and misread wines`(text: String, wine: Int32) {
        #expect(Self.index.match(text: text).first?.wine == wine)
    }

    @Test func `expands abbreviations as whole words only`() {
        #expect(Abbreviations.shared.meanings(of: Array("est".utf8)) == [[Array("estate".utf8)]])
        #expect(Abbreviations.shared.meanings(of: Array("forest".utf8)) == [])
        #expect(
            PrintedWord.words("Presqu'île Est.").map { String(decoding: $0.letters, as: UTF8.self) } == [
                "presqu", "ile", "est",
            ])
    }

    @Test func `prefers the colour of the section`() {
        var entry = WineListEntry(text: "Presqu'île", box: PixelBox(x: 0, y: 0, width: 10, height: 10))
        entry.color = .white
        #expect(Self.index.match(entry).first?.wine == 5)
        entry.color = .red
        #expect(Self.index.match(entry).first?.wine == 4)
    }

    @Test func `is not certain of a wine that the catalogue lacks`() {
        let matches = Self.index.match(text: "Weingut Wittmann, Morstein Riesling 2019, Rheinhessen")
        #expect((matches.first?.confidence ?? 0) < WineMatch.certainConfidence)
        #expect(Self.index.match(text: "Sprudel 0,75").allSatisfy { $0.confidence < WineMatch.matchConfidence })
        #expect(Self.index.match(text: "") == [])
        #expect(WineIndex([]).match(text: "Margaux") == [])
    }

    @Test func `searches by beginnings of words, and tolerates misspelt words on request`() {
        #expect(Self.index.search("marg prem", fuzzy: false).map(\.wine) == [1])
        #expect(Self.index.search("Presqu pin", fuzzy: false).map(\.wine) == [4])
        #expect(Self.index.search("rheinhessen", fuzzy: false).map(\.wine) == [2])
        #expect(Self.index.search("riesling rheinh", fuzzy: false).map(\.wine) == [2])
        #expect(Self.index.search("Margeaux", fuzzy: false) == [])
        #expect(Self.index.search("Margeaux", fuzzy: true).map(\.wine) == [1])
    }

    @Test func `a search leaves out given wines, and finds other vintages or further wines in their place`() {
        func search(_ text: String, limit: Int, leavingOut hidden: Set<Int32>) -> (wines: [Int32], checks: Int) {
            var checks = 0
            let found = Self.index.search(text, fuzzy: false, limit: limit) {
                checks += 1
                return hidden.contains($0)
            }
            return (found.map(\.wine), checks)
        }
        #expect(search("margaux", limit: 1, leavingOut: []).wines == [1])
        #expect(search("margaux", limit: 1, leavingOut: [1]).wines == [0])
        #expect(search("margaux", limit: 1, leavingOut: [0, 1]).wines == [])
        #expect(search("presqu", limit: 1, leavingOut: [4]).wines == [5])
        // Only the wines of the returned labels are checked, however many are left out.
        #expect(search("presqu", limit: 1, leavingOut: [0, 1, 2, 3]).checks == 1)
    }

    @Test(arguments: [("rnargaux", "margaux"), ("sauvignon", "sauvignom"), ("syrah", "sirah"), ("mueller", "muller")])
    func `treats words that differ in frequently confused letters as similar`(first: String, second: String) {
        #expect(Misreading.likeness(ArraySlice(first.utf8), ArraySlice(second.utf8)) > 0.7)
    }

    @Test func `does not treat words with several different letters as similar`() {
        #expect(Misreading.likeness(ArraySlice("rioja".utf8), ArraySlice("rueda".utf8)) == 0)
    }
}
