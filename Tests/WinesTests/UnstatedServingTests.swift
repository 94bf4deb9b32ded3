import Recognition
import Testing

@testable import Wines

/// Servings that the list does not state beside each price.
@Suite(.timeLimit(.minutes(5))) struct UnstatedServingTests {
    @Test func `distinguishes bottle and glass by the prices if the bottle is printed first`() {
        let entries = readServings(
            """
            Merlot, Planeta       34   6
            Gavi, La Scolca       38   7
            """)
        #expect(
            entries == ["Merlot, Planeta: bottle - 3400, glass - 600", "Gavi, La Scolca: bottle - 3800, glass - 700"])
    }

    @Test func `reads half a litre of sweet wine as a bottle unless the list has larger ones`() {
        let entries = readServings(
            """
            #Süßweine                             5 cl     0,5 l
            Beerenauslese, Kracher 2019          6,50     49,00
            Ausbruch, Feiler 2018                8,90     69,00
            """)
        #expect(
            entries == [
                "Beerenauslese, Kracher 2019: glass 50 650, bottle 500 4900",
                "Ausbruch, Feiler 2018: glass 50 890, bottle 500 6900",
            ])
        let others = WineList.read([
            listPage(
                """
                #Süßweine                            0,5 l    0,75 l
                Moscato, Saracco 2022               21,00     32,00
                Recioto, Pieropan 2018              48,00     72,00
                """)
        ])
        #expect(others.map { $0.prices.map(\.serving) } == [[.carafe, .bottle], [.carafe, .bottle]])
    }

    @Test func `reads two prices with a slash in a column of single prices`() {
        let entries = readServings(
            """
            La Gitana, Hidalgo                16 €
            Tradición, Bodegas                58 €
            Lustau, Solera                    5 € / 32 €
            Barbadillo, Sacristía             45 €
            """)
        #expect(
            entries == [
                "La Gitana, Hidalgo: bottle - 1600", "Tradición, Bodegas: bottle - 5800",
                "Lustau, Solera: glass - 500, bottle - 3200", "Barbadillo, Sacristía: bottle - 4500",
            ])
    }

    @Test func `ends the section of wines by the glass at a heading of bottles`() {
        let entries = readServings(
            """
            #AL CALICE
            Vermentino, Capichera            € 8
            Lugana, Zenato                   € 6
            #BOTTIGLIE
            Timorasso, Massa                € 42
            Barolo, Vietti                  € 95
            """)
        #expect(
            entries == [
                "Vermentino, Capichera: glass - 800", "Lugana, Zenato: glass - 600", "Timorasso, Massa: bottle - 4200",
                "Barolo, Vietti: bottle - 9500",
            ])
    }
}
