import Recognition
import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct WineIndexTests {
    private static let wines = [
        CatalogueWine(producer: "Château Margaux", name: "Premier Grand Cru Classé", vintage: 2015, color: .red),
        CatalogueWine(producer: "Château Margaux", name: "Premier Grand Cru Classé", vintage: 2017, color: .red),
        CatalogueWine(producer: "Weingut Keller", name: "Westhofen Riesling", vintage: 2019, color: .white),
    ]

    @Test func `finds a wine by its printed producer, name and vintage`() {
        let index = WineIndex(Self.wines)
        let matches = index.match(text: "CHATEAU MARGAUX, Premier Grand Cru Classe 2017")
        #expect(matches.first?.wine == 1)
        #expect(matches.first?.kind == .exact)
        #expect(matches.first?.confidence == 980)
    }

    @Test func `says that the catalogue has another vintage`() {
        let matches = WineIndex(Self.wines).match(text: "Westhofen Riesling, Weingut Keller 2021")
        #expect(matches.first?.wine == 2)
        #expect(matches.first?.kind == .otherVintage)
    }

    @Test func `finds an alias whatever its punctuation`() {
        let alias = WineAlias(key: WineText.key("Hauswein rot"), wine: 0)
        let matches = WineIndex(Self.wines, aliases: [alias]).match(text: "HAUSWEIN, Rot")
        #expect(matches == [WineMatch(wine: 0, confidence: 990, kind: .alias)])
    }
}
