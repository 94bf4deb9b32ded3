import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct NameSearchTests {
    static let names = [
        "Haltbare Milch 3,5 %", "Buttermilch", "Milka Alpenmilch", "Müllermilch Schoko", "Mineralwasser prickelnd",
        "Käse Gouda jung", "Topfen 20 %", "Kaisersemmel", "Geschirrspültabs", "Hühnerfilet", "Eier Freiland 10er",
    ]
    let search = NameSearch(names.enumerated().map { (id: $0.offset, name: $0.element) })

    @Test(
        "tolerates typing errors and missing umlauts",
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

    @Test(
        "finds words inside compounds",
        arguments: [
            ("schokolde", "Alpenmilchschokolade"), ("schoklade", "Alpenmilchschokolade"),
            ("joghurd", "Naturjoghurt 3,6 %"), ("kartofel", "Speisekartoffeln"), ("waschmitel", "Vollwaschmittel"),
            ("kartoffel", "Speisekartoffeln"), ("spesekartof", "Speisekartoffeln"),
        ])
    func joined(query: String, name: String) {
        let names = ["Alpenmilchschokolade", "Naturjoghurt 3,6 %", "Speisekartoffeln", "Vollwaschmittel", "Karotten"]
        let search = NameSearch(names.enumerated().map { (id: $0.offset, name: $0.element) })
        #expect(search.find(query).map { names[$0.id] } == [name])
    }

    @Test(arguments: ["", "   ", "xyz", "milch quark", "q", "%", "\u{0}"])
    func `has no results for empty queries and unknown words`(query: String) {
        #expect(search.find(query).isEmpty)
    }

    @Test func `returns an identifier with several names once`() {
        let search = NameSearch([(id: 1, name: "Milch"), (id: 1, name: "MILCH 1L"), (id: 2, name: "Milchreis")])
        #expect(search.find("milch").map(\.id) == [1, 2])
        #expect(search.find("milch", limit: 1).map(\.id) == [1])
    }

    @Test func `a query of a million characters terminates`() {
        #expect(search.find(String(repeating: "milch ", count: 200_000)).first?.id == 0)
    }

    @Test("tolerates one error anywhere in a word", arguments: ["Haltbare", "Milka", "Mineralwasser", "500er7"])
    func toleratesOneError(word: String) {
        let search = NameSearch([(id: 1, name: "Ganz \(word) neu"), (id: 2, name: "Topfen")])
        let letters = Array(word)
        for place in letters.indices {
            var (less, more, other, swapped) = (letters, letters, letters, letters)
            less.remove(at: place)
            more.insert("x", at: place)
            other[place] = "x"
            swapped.swapAt(place, max(0, place - 1))
            for query in [less, more, other, swapped] where query.count >= 4 {
                #expect(search.find(String(query)).map(\.id) == [1], "\(String(query))")
            }
        }
    }

    @Test func `does not match across names`() {
        let search = NameSearch([
            (id: 1, name: "Apfel"), (id: 2, name: "mus"), (id: 3, name: ""), (id: 4, name: "Saft"),
        ])
        #expect(search.find("apfel mus").isEmpty)
        #expect(search.find("apfelmus").isEmpty)
        #expect(search.find("saft").map(\.id) == [4])
    }
}
