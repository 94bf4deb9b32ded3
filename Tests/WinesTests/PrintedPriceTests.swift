import Recognition
import Testing

@testable import Wines

/// Forms in which restaurants print prices.
@Suite(.timeLimit(.minutes(5))) struct PrintedPriceTests {
    @Test func `reads three prices separated by slashes`() {
        let entries = readServings(
            """
            Rotwein            0,1/0,25/0,75
            Merlot, Planeta    5/12/34
            Primitivo, Leone   6/14/38
            """)
        #expect(
            entries == [
                "Merlot, Planeta: glass 100 500, carafe 250 1200, bottle 750 3400",
                "Primitivo, Leone: glass 100 600, carafe 250 1400, bottle 750 3800",
            ])
    }

    @Test func `does not read a price before a slash as litres`() {
        let entries = readServings(
            """
            Riesling, Prager     6 / 28
            Sauvignon, Tement    7 / 33
            """)
        #expect(
            entries == [
                "Riesling, Prager: glass - 600, bottle - 2800", "Sauvignon, Tement: glass - 700, bottle - 3300",
            ])
    }

    @Test func `does not read the number of glasses or bottles as a price`() {
        let entries = readServings(
            """
            Merlot, Planeta    1 Glas 5,90 / 1 Flasche 35
            Gavi, Scolca       1 Glas 6,90 / 1 Flasche 38
            """)
        #expect(entries == ["Merlot, Planeta: glass - 590, bottle - 3500", "Gavi, Scolca: glass - 690, bottle - 3800"])
    }

    @Test func `reads prices in brackets beside a serving`() {
        let entries = readServings(
            """
            Riesling, Keller     48 (Glas 9)
            Silvaner, Luckert    44 (8 Glas)
            """)
        #expect(
            entries == [
                "Riesling, Keller: bottle - 4800, glass - 900", "Silvaner, Luckert: bottle - 4400, glass - 800",
            ])
    }

    @Test func `reads prices with a blank after the thousands`() {
        let entries = readServings(
            """
            Pétrus, Pomerol 2010         1 250 €
            Grand Vin, Margaux 2015        980 €
            """)
        #expect(entries == ["Pétrus, Pomerol 2010: bottle - 125000", "Grand Vin, Margaux 2015: bottle - 98000"])
    }

    @Test func `leaves out leaders with blanks between the dots, and signs after the price`() {
        let entries = readServings(
            """
            Chablis, Fèvre . . . . . . . .    48,00
            Zweigelt, Heinrich 2020            4,50 A,O
            Merlot, Planeta                   28,00 *
            """)
        #expect(
            entries == [
                "Chablis, Fèvre: bottle - 4800", "Zweigelt, Heinrich 2020: bottle - 450",
                "Merlot, Planeta: bottle - 2800",
            ])
    }

    @Test(arguments: [
        ("28 euros", "EUR"), ("sFr. 28.–", "CHF"), ("EURO 28", "EUR"), ("Euro28", "EUR"), ("EURO28", "EUR"),
    ])
    func `reads words for currencies`(price: String, currency: String) {
        let entries = WineList.read([listPage("Merlot, Planeta     \(price)\nGavi, Scolca        \(price)")])
        #expect(entries.map { $0.prices.map(\.amount) } == [[2800], [2800]])
        #expect(entries.allSatisfy { $0.prices.allSatisfy { $0.currency == currency } })
    }

    @Test func `applies the only currency beside prices to the prices without one`() {
        let entries = readList(
            """
            Gavi, La Scolca          CHF 38.–
            Soave, Pieropan          CHF 34.–
            Merlot, Planeta              29.–
            """)
        #expect(entries.map { $0.prices.map(\.currency) } == [["CHF"], ["CHF"], ["CHF"]])
        let several = readList(
            """
            Gavi, La Scolca            € 38,–
            Soave, Pieropan          CHF 34.–
            Merlot, Planeta              29.–
            """)
        #expect(several.map { $0.prices.map(\.currency) } == [["EUR"], ["CHF"], [nil]])
    }
}
