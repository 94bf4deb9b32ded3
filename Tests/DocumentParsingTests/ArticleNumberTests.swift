import DocumentParsing
import Domain
import Testing

/// Article numbers before the names of goods.
@Suite(.timeLimit(.minutes(5))) struct `Article numbers before names` {
    private func receipt(_ rows: String, total: String) -> ParsedReceipt {
        Layout.parse(
            """
            LADEN HUBER
            8764 Bergwil
            Artikel                         Summe
            \(rows)
            Total                       CHF \(total)
            Karte                       CHF \(total)
            25.10.2025 14:05
            """)
    }

    @Test func `removes numbers of four digits from the names if most goods have one`() {
        let parsed = receipt(
            """
            4268 SAUERKRAUT 500G             0.95
            4126 TOMATEN PASSIERT            1.35
            463 BUTTER 200G                  1.70
            3861 FRUCHTJOGHURT               0.85
            """, total: "4.85")
        #expect(
            parsed.items.map(\.name.value) == ["SAUERKRAUT 500G", "TOMATEN PASSIERT", "BUTTER 200G", "FRUCHTJOGHURT"])
        #expect(parsed.items.map(\.articleNumber) == ["4268", "4126", "463", "3861"])
    }

    @Test func `does not take a number with a name above its amount for a town`() {
        let parsed = receipt(
            """
            4268 SAUERKRAUT 500G             0.95
            4381 SALAMI FEIN 100G
            3 x 2.50                         7.50
            4126 TOMATEN PASSIERT            1.35
            9463 BUTTER 200G                 1.70
            """, total: "11.50")
        #expect(
            parsed.items.map(\.name.value) == [
                "SAUERKRAUT 500G", "SALAMI FEIN 100G", "TOMATEN PASSIERT", "BUTTER 200G",
            ])
        #expect(parsed.items[1].quantity.value.thousandths == 3_000)
        #expect(parsed.state == .proven)
    }

    @Test func `keeps a number in a name if the other goods have none`() {
        let parsed = receipt(
            """
            4711 KOELNISCH WASSER            9.50
            SEIFE                            1.35
            ZAHNPASTA                        2.15
            """, total: "13.00")
        #expect(parsed.items[0].name.value == "4711 KOELNISCH WASSER")
    }

    @Test func `reads the letters N and R before the amounts as tax classes`() {
        let parsed = receipt(
            """
            SAUERKRAUT                 R     0.95
            TOMATEN PASSIERT           R     1.35
            SEIFE                      N     1.70
            """, total: "4.00")
        #expect(parsed.items.map(\.name.value) == ["SAUERKRAUT", "TOMATEN PASSIERT", "SEIFE"])
        #expect(parsed.items.map(\.vatClass) == ["R", "R", "N"])
    }
}
