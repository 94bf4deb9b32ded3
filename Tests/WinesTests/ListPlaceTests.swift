import Testing

@testable import Wines

/// Places in headings and in names.
@Suite(.timeLimit(.minutes(5))) struct ListPlaceTests {
    private func countries(_ text: String) -> [String?] { WineList.read([listPage(text)]).map(\.country) }

    @Test func `does not read two letters of a name as a place`() {
        let list = """
            Franciacorta Brut, Ca’ del Bosco      52
            Chardonnay, Kistler, Sonoma, CA       95
            Amarone, Ca’ Rugate 2018              78
            """
        #expect(countries(list) == ["Italy", "United States", nil])
    }

    @Test func `does not read a place of another country in a name as the country of the wine`() {
        let list = """
            #Spanien
            Vega Sicilia, Valbuena 2018          210
            Torres, Mas La Plana 2017             78
            #Italien
            Conterno, Barolo Francia 2015        290
            Mastroberardino, Taurasi 2014         68
            """
        #expect(countries(list) == ["Spain", "Spain", "Italy", "Italy"])
    }

    @Test func `reads the stated place of a wine although the heading above it names another country`() {
        let list = """
            #Italien
            Conterno, Monfortino 2015            290
            Leflaive, Les Pucelles, Burgund      195
            """
        #expect(countries(list) == ["Italy", "France"])
    }
}
