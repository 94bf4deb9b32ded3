import Testing

@testable import Wines

/// Headings that name a kind of wine.
@Suite(.timeLimit(.minutes(5))) struct KindHeadingTests {
    @Test func `finds a colour beside other kinds of wine as a heading`() {
        let entries = WineList.read([
            listPage(
                """
                Weißwein
                Riesling Klaus, Prager 2021              78
                Neuburger, Gritsch 2022                  38
                Zierfandler, Stadlmann 2021              36
                Rosé
                Schilcher, Langmann 2022                 29
                Heideboden, Pittnauer 2022               27
                """)
        ])
        #expect(entries.map(\.color) == [.white, .white, .white, .rose, .rose])
        #expect(entries[2].text == "Zierfandler, Stadlmann 2021")
    }
}
