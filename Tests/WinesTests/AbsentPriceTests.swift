import Recognition
import Testing

@testable import Wines

/// Wines without a printed price, and wines with several vintages and prices.
@Suite(.timeLimit(.minutes(5))) struct AbsentPriceTests {
    @Test(arguments: [
        "auf Anfrage", "Preis auf Anfrage", "a.A.", "p.a.", "on request", "(on request)", "P.O.A.", "sur demande",
        "prix sur demande", "su richiesta", "bajo petición", "a consultar",
    ])
    func `reads a wine with words in the place of a price as a wine without a price`(words: String) {
        let entries = readList(
            """
            #Rotwein
            Blaufränkisch, Moric 2019                    42,00
            Sassicaia, Tenuta San Guido 2015       \(words)
            Masseto, Frescobaldi                   \(words)
            Zweigelt, Umathum 2021                       34,00
            """)
        #expect(
            entries.map(\.text) == [
                "Blaufränkisch, Moric 2019", "Sassicaia, Tenuta San Guido 2015", "Masseto, Frescobaldi",
                "Zweigelt, Umathum 2021",
            ])
        #expect(entries.map(\.prices.count) == [1, 0, 0, 1])
        #expect(entries.map(\.name).prefix(3) == ["Moric", "Tenuta San Guido", "Frescobaldi"])
    }

    @Test func `reads words in the place of a price directly after a vintage and after another price`() {
        let entries = readList(
            """
            Rotweine                     Glas     Flasche
            Moric, Reserve 2019             9          48
            Opus One, Mondavi 2016 auf Anfrage
            Kollwentz, Dürr 2017           16 auf Anfrage
            Umathum, Haideboden 2020        8          42
            """)
        #expect(entries.map(\.text).dropFirst().first == "Opus One, Mondavi 2016")
        #expect(
            entries.shownPrices == [
                "glass - 900, bottle - 4800", "", "glass - 1600", "glass - 800, bottle - 4200",
            ])
    }

    @Test func `reads no wine in a sentence about further vintages on request`() {
        let entries = readList(
            """
            Blaufränkisch, Moric 2019                    42,00
            Zweigelt, Umathum 2021                       34,00

            Weitere Jahrgänge auf Anfrage
            """)
        #expect(entries.map(\.text) == ["Blaufränkisch, Moric 2019", "Zweigelt, Umathum 2021"])
    }

    @Test(arguments: [
        "Weitere Jahrgänge    – auf Anfrage", "Weitere Jahrgänge – auf Anfrage", "Other vintages    on request",
    ])
    func `reads no wine in a remark about wines that the list does not name`(remark: String) {
        let entries = readList(
            """
            Blaufränkisch, Moric 2019                    42,00
            \(remark)
            Zweigelt, Umathum 2021                       34,00
            Masseto, Frescobaldi                   auf Anfrage
            """)
        #expect(
            entries.map(\.text) == ["Blaufränkisch, Moric 2019", "Zweigelt, Umathum 2021", "Masseto, Frescobaldi"])
    }

    @Test(arguments: [
        "Weitere Positionen finden Sie auf unserer Tafel.", "Fragen Sie nach den Raritäten.",
        "Ask your waiter for older vintages.", "Consulte nuestra carta de reservas.",
    ])
    func `reads no name in a sentence between two wines`(sentence: String) {
        let entries = readList(
            """
            Blaufränkisch, Moric 2019                    42,00
            \(sentence)
            Zweigelt, Umathum 2021                       34,00
            Sankt Laurent, Rosi Schuster 2020            36,00
            """)
        #expect(
            entries.map(\.text) == [
                "Blaufränkisch, Moric 2019", "Zweigelt, Umathum 2021", "Sankt Laurent, Rosi Schuster 2020",
            ])
    }

    @Test(
        arguments: [
            ("890 Kč", 89_000, "CZK"), ("Kč 890", 89_000, "CZK"), ("129,00 zł", 12_900, "PLN"),
            ("129 zł", 12_900, "PLN"),
            ("12900 Ft", 1_290_000, "HUF"), ("12 900 Ft", 1_290_000, "HUF"), ("350 SEK", 35_000, "SEK"),
            ("350 kr", 35_000, "SEK"), ("350kr", 35_000, "SEK"), ("kr. 350,-", 35_000, "DKK"),
        ] as [(String, Int, String)])
    func `reads prices in further currencies`(price: String, amount: Int, currency: String) {
        let entries = readList(
            """
            Blaufränkisch, Moric 2019             \(price)
            Zweigelt, Umathum 2021                \(price)
            """)
        #expect(entries.map(\.text) == ["Blaufränkisch, Moric 2019", "Zweigelt, Umathum 2021"])
        #expect(entries.map { $0.prices.map(\.amount) } == [[amount], [amount]])
        #expect(entries.map { $0.prices.first?.currency } == [currency, currency])
    }

    @Test func `reads an entry for each of two vintages with two prices`() {
        let entries = readList(
            """
            #Bordeaux
            Château Montrose, Saint-Estèphe 2010             380
            Château Palmer, Margaux 2012 / 2015        320 / 290
            Château Figeac, Saint-Émilion 2014/2016    340 / 410
            Château Talbot, Saint-Julien 2016                 95
            """)
        #expect(entries.map(\.vintage) == [2010, 2012, 2015, 2014, 2016, 2016])
        #expect(entries.map(\.otherVintage) == Array(repeating: nil, count: 6))
        #expect(
            entries.shownPrices == [
                "bottle - 38000", "bottle - 32000", "bottle - 29000", "bottle - 34000", "bottle - 41000",
                "bottle - 9500",
            ])
        #expect(
            entries.map(\.text).prefix(3).dropFirst() == [
                "Château Palmer, Margaux 2012", "Château Palmer, Margaux 2015",
            ])
        #expect(entries[1].textBox != entries[2].textBox)
    }

    @Test func `reads alternating vintages and prices`() {
        let entries = readList(
            """
            Château Montrose, Saint-Estèphe 2010       380
            Château Palmer, Margaux   2012 320 / 2015 290
            Château Talbot, Saint-Julien 2016           95
            """)
        #expect(entries.map(\.vintage) == [2010, 2012, 2015, 2016])
        #expect(entries.shownPrices == ["bottle - 38000", "bottle - 32000", "bottle - 29000", "bottle - 9500"])
    }

    @Test func `reads currencies before prices that follow their vintages`() {
        let entries = readList(
            """
            Château Montrose, Saint-Estèphe 2010              380
            Château Palmer, Margaux   2012 € 320 / 2015 € 290
            Château Talbot, Saint-Julien 2016                  95
            """)
        #expect(entries.map(\.vintage) == [2010, 2012, 2015, 2016])
        #expect(entries.map { $0.prices.first?.currency } == Array(repeating: "EUR", count: 4))
    }

    @Test func `reads one entry for a range of vintages with the prices of a glass and a bottle`() {
        let entries = readList(
            """
            Riesling, Prager 2021/22       9    42
            Veltliner, Knoll 2022/23       8    38
            """)
        #expect(entries.map(\.vintage) == [2022, 2023])
        #expect(entries.shownPrices == ["glass - 900, bottle - 4200", "glass - 800, bottle - 3800"])
    }
}
