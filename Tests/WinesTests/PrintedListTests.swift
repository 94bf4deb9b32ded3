import Recognition
import Testing

@testable import Wines

/// Wine lists in the layouts of restaurants.
@Suite(.timeLimit(.minutes(5))) struct PrintedListTests {
    private func prices(_ text: String) -> [[String]] {
        readList(text).map {
            $0.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }
        }
    }

    @Test func `reads prices of glass and bottle with a slash`() {
        let pricesOfEntries = prices(
            """
            Sauvignon Blanc, Tement             6,5 / 32
            Chardonnay, Velich                  7,5 / 41
            Zweigelt, Heinrich                  5 / 26
            """)
        #expect(
            pricesOfEntries == [
                ["glass - 650", "bottle - 3200"], ["glass - 750", "bottle - 4100"], ["glass - 500", "bottle - 2600"],
            ])
    }

    @Test func `reads prices of glass and bottle without blanks`() {
        let pricesOfEntries = prices(
            """
            Pinot Grigio, Jermann        8.5/34
            Gavi, La Scolca              9/38
            Barbera, Vietti              11/45
            """)
        #expect(
            pricesOfEntries == [
                ["glass - 850", "bottle - 3400"], ["glass - 900", "bottle - 3800"], ["glass - 1100", "bottle - 4500"],
            ])
    }

    @Test func `reads sizes beside their prices, separated by dots`() {
        let pricesOfEntries = prices(
            """
            Riesling Federspiel, Domäne Wachau 0,1 l 4,50 · 0,75 l 29
            Blaufränkisch, Moric 0,1 l 5,20 · 0,75 l 34
            """)
        #expect(pricesOfEntries == [["glass 100 450", "bottle 750 2900"], ["glass 100 520", "bottle 750 3400"]])
    }

    @Test func `reads sizes in the line below the name`() {
        let entries = WineList.read([
            listPage(
                """
                Grüner Veltliner Smaragd 2021
                0,125 l 6,90 € | 0,75 l 39,00 €

                Riesling Ried Achleiten 2020
                0,125 l 8,90 € | 0,75 l 52,00 €
                """)
        ])
        #expect(entries.map(\.vintage) == [2021, 2020])
        #expect(
            entries.map { $0.prices.map(\.amount) } == [[690, 3900], [890, 5200]])
        #expect(entries.map { $0.prices.map(\.size) } == [[125, 750], [125, 750]])
    }

    @Test func `reads prices directly after the name`() {
        let pricesOfEntries = prices(
            """
            Prosecco Brut, Nino Franco 6.5
            Crémant de Loire, Langlois 8
            Champagne, Drappier 14.5
            """)
        #expect(pricesOfEntries == [["bottle - 650"], ["bottle - 800"], ["bottle - 1450"]])
    }

    @Test func `reads prices after leaders without blanks`() {
        let pricesOfEntries = prices(
            """
            Chablis, Domaine Fèvre 2020........48
            Sancerre, Vacheron 2021.......52,50
            Pouilly-Fuissé, Guffens....75
            """)
        #expect(pricesOfEntries == [["bottle - 4800"], ["bottle - 5250"], ["bottle - 7500"]])
    }

    @Test func `reads words for servings in the line`() {
        let pricesOfEntries = prices(
            """
            Merlot, Planeta              Glas 6,80   Flasche 34,00
            Nero d'Avola, Cusumano       Glas 5,90   Flasche 29,00
            """)
        #expect(pricesOfEntries == [["glass - 680", "bottle - 3400"], ["glass - 590", "bottle - 2900"]])
    }
}
