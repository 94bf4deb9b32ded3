import Recognition
import Testing

@testable import Wines

/// Vintages after prices, and prices in brackets.
@Suite(.timeLimit(.minutes(5))) struct PriceOrderTests {
    private func read(_ text: String) -> [String] {
        WineList.read([listPage(text)]).map { entry in
            "\(entry.text): "
                + entry.prices.map { "\($0.serving) \($0.amount)" }.joined(separator: ", ")
        }
    }

    @Test func `reads a vintage after the price`() {
        let entries = read(
            """
            Barolo Cannubi, Damilano             95    2017
            Brunello, Banfi                      88    2016
            Amarone, Allegrini                  110    (2018)
            Brut Reserve, Bründlmayer            54    NV
            Penfolds Bin 389                     98
            """)
        #expect(
            entries == [
                "Barolo Cannubi, Damilano 2017: bottle 9500", "Brunello, Banfi 2016: bottle 8800",
                "Amarone, Allegrini (2018): bottle 11000", "Brut Reserve, Bründlmayer NV: bottle 5400",
                "Penfolds Bin 389: bottle 9800",
            ])
    }

    @Test func `does not read a number of a name before a vintage as a price`() {
        let entries = read(
            """
            Penfolds Bin 389 2019                $95
            Penfolds Bin 407 2018
            Penfolds Bin 128 2020
            Penfolds Bin 150 2020
            """)
        #expect(
            entries == [
                "Penfolds Bin 389 2019: bottle 9500", "Penfolds Bin 407 2018: ", "Penfolds Bin 128 2020: ",
                "Penfolds Bin 150 2020: ",
            ])
    }

    @Test(arguments: [
        (
            ["9 (48)", "8 (42)", "11 (58)"],
            ["glass 900, bottle 4800", "glass 800, bottle 4200", "glass 1100, bottle 5800"]
        ),
        (
            ["48 (9,50)", "42 (8)", "58 (11)"],
            ["bottle 4800, glass 950", "bottle 4200, glass 800", "bottle 5800, glass 1100"]
        ),
        (
            ["8,50 (€ 48)", "7,50 (44 €)", "9,50 (€ 52)"],
            ["glass 850, bottle 4800", "glass 750, bottle 4400", "glass 950, bottle 5200"]
        ),
        (["(48)", "(42)", "(58)"], ["bottle 4800", "bottle 4200", "bottle 5800"]),
        (["48 (12)", "9 (1,2)", "58 (5)"], ["bottle 4800", "bottle 900", "bottle 5800"]),
    ])
    func `distinguishes prices and footnotes in brackets`(printed: [String], prices: [String]) {
        let names = ["Riesling, Keller 2022", "Silvaner, Luckert 2021", "Lemberger, Aldinger 2020"]
        let list = zip(names, printed).map { name, price in
            name + String(repeating: " ", count: 34 - name.count) + price
        }.joined(separator: "\n")
        #expect(read(list) == zip(names, prices).map { "\($0): \($1)" })
    }

    @Test func `leaves out a dash between a leading price and the name`() {
        let entries = read(
            """
            36 – Chinon, Joguet 2020
            48 – Morgon, Foillard 2021
            62 – Cornas, Clape 2019
            """)
        #expect(
            entries == [
                "Chinon, Joguet 2020: bottle 3600", "Morgon, Foillard 2021: bottle 4800",
                "Cornas, Clape 2019: bottle 6200",
            ])
    }
}
