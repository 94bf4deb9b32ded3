import DocumentParsing
import Domain
import Testing

/// Article numbers before the names of items.
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

    @Test func `removes numbers of four digits from the names if most items have one`() {
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

    @Test func `does not read article numbers as postal codes if one amount is below its name`() {
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

    @Test(arguments: ["A-4020 Linz", "CH-8001 Zürich"])
    func `does not read a town above the first amount as the name of an item`(town: String) {
        let parsed = Layout.parse(
            """
            Elektro Huber
            \(town)
            1234567   1 x 399,00     399,00
            BOSCH 7000
            2345678   2 x 19,99       39,98
            SUMME                    438,98
            BAR                      438,98
            11.05.2026 10:11
            11.05.2026
            """)
        #expect(!parsed.items.map(\.name.value).contains(town))
        #expect(parsed.state == .review)
    }

    @Test func `does not read numbers as postal codes if every amount is below its name`() {
        let parsed = receipt(
            """
            88123 Blumenerde 40l
                 4     5.95             23.80
            12345 Geranium rot
                 6     2.50             15.00
            90012 Hundefutter 2kg
                 1    13.45             13.45
            """, total: "52.25")
        #expect(parsed.items.map(\.name.value) == ["Blumenerde 40l", "Geranium rot", "Hundefutter 2kg"])
        #expect(parsed.items.map(\.articleNumber) == ["88123", "12345", "90012"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [4_000, 6_000, 1_000])
    }

    @Test func `keeps a number in a name if the other items have none`() {
        let parsed = receipt(
            """
            4711 KOELNISCH WASSER            9.50
            SEIFE                            1.35
            ZAHNPASTA                        2.15
            """, total: "13.00")
        #expect(parsed.items[0].name.value == "4711 KOELNISCH WASSER")
    }

    @Test(arguments: [["2021", "2019", "2020", "2021"], ["1000", "1200", "2500", "4711"]])
    func `keeps vintages and round numbers in the names`(numbers: [String]) {
        let names = zip(numbers, ["GRÜNER", "ZWEIGELT", "RIESLING", "BRAUN"]).map { "\($0) \($1)" }
        let prices = ["9.50", "8.90", "11.60", "7.00"]
        let rows = zip(names, prices).map { "\($0)\(String(repeating: " ", count: 37 - $0.count - $1.count))\($1)" }
        let parsed = receipt(rows.joined(separator: "\n"), total: "37.00")
        #expect(parsed.items.map(\.name.value) == names)
        #expect(parsed.items.allSatisfy { $0.articleNumber == nil })
    }

    @Test func `keeps Fr at the end of a name unless the receipt is in francs`() {
        let text = { (currency: String) in
            """
            LADEN HUBER
            8764 Bergwil
            VOLLMILCH Fr                     1.35
            SEIFE                            0.95
            Total                       \(currency) 2.30
            Karte                       \(currency) 2.30
            """
        }
        #expect(Layout.parse(text("EUR")).items.first?.name.value == "VOLLMILCH Fr")
        #expect(Layout.parse(text("CHF")).items.first?.name.value == "VOLLMILCH")
    }

    @Test func `does not read a size before a name as an article number`() {
        let parsed = receipt(
            """
            4268 SAUERKRAUT 500G             0.95
            4126 TOMATEN PASSIERT            1.35
            4630 BUTTER 200G                 1.70
            500 g ERDBEEREN                  3.90
            """, total: "7.90")
        #expect(parsed.items.count == 4)
        #expect(parsed.items.last?.articleNumber == nil)
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
