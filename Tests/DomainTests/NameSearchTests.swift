import Testing

@testable import Domain

@Suite struct NameSearchTests {
    static let names = [
        "Haltbare Milch 3,5 %", "Buttermilch", "Milka Alpenmilch", "Müllermilch Schoko", "Mineralwasser prickelnd",
        "Käse Gouda jung", "Topfen 20 %", "Kaisersemmel", "Geschirrspültabs", "Hühnerfilet", "Eier Freiland 10er",
    ]
    let search = NameSearch(names.enumerated().map { (id: $0.offset, name: $0.element) })

    @Test(
        "What is meant comes first, typos and missing umlauts forgiven",
        arguments: [
            ("milch", "Haltbare Milch 3,5 %"), ("milhc", "Haltbare Milch 3,5 %"), ("MILKA", "Milka Alpenmilch"),
            ("muller", "Müllermilch Schoko"), ("müllermilch", "Müllermilch Schoko"),
            ("mineralwaser", "Mineralwasser prickelnd"),
            ("mineralwasser pricklend", "Mineralwasser prickelnd"), ("kase", "Käse Gouda jung"),
            ("gouda kä", "Käse Gouda jung"),
            ("geschirspueltaps", "Geschirrspültabs"), ("huenerfilet", "Hühnerfilet"), ("semmel", "Kaisersemmel"),
            ("ei", "Eier Freiland 10er"), ("10er", "Eier Freiland 10er"), ("buttermlich", "Buttermilch"),
        ])
    func finds(query: String, first: String) {
        #expect(search.find(query).first.map { Self.names[$0.id] } == first)
    }

    @Test(arguments: ["", "   ", "xyz", "milch quark", "q", "%", "\u{0}"])
    func whatIsNotThereIsNotFound(query: String) {
        #expect(search.find(query).isEmpty)
    }

    @Test func oneThingWithSeveralNamesIsFoundOnce() {
        let search = NameSearch([(id: 1, name: "Milch"), (id: 1, name: "MILCH 1L"), (id: 2, name: "Milchreis")])
        #expect(search.find("milch").map(\.id) == [1, 2])
        #expect(search.find("milch", limit: 1).map(\.id) == [1])
    }

    @Test func aQueryOfAMillionCharactersEnds() {
        #expect(search.find(String(repeating: "milch ", count: 200_000)).first?.id == 0)
    }
}
