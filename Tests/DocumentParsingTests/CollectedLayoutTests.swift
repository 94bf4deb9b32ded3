import DocumentParsing
import Domain
import Testing

/// Layouts collected from receipts of many stores. Each has print that can be misunderstood.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of many stores` {
    @Test func `reads returned empties as a deposit return and a charge named Leergut as a deposit`() {
        let receipt = Layout.parse(
            """
            Netto Marken-Discount
            Am Wald 4
                                          EUR
            Apfelschorle 6x1,5l          3,54 A
            Leergut 0,25 EUR EW          1,50 A
            Einweg-/Mehrwegleergut      -2,25 A
            Summe                        2,79
            Bar                          2,79
            """)
        #expect(
            receipt.items.map(\.kind) == [.item, .deposit, .depositReturn], "\(receipt.summary) \(receipt.reasons)")
    }

    @Test(arguments: ["EUR", "Preis EUR", "Artikel  EUR"])
    func `does not read a column heading as the name of the store`(heading: String) {
        let receipt = Layout.parse(
            "\(heading)\nTee               2,20 A\nKaffee            4,10 A\nSumme    EUR      6,30\nBar      EUR      6,30"
        )
        #expect(receipt.store.name == nil)
        #expect(receipt.chain == nil)
    }

    @Test(arguments: [
        ("REWE Markt Ahorn", "REWE"), ("Rewe-Markt Ahorn oHG", "REWE"), ("REWE CENTER", "REWE"),
        ("EDEKA CENTER Ahorn", "EDEKA"), ("E center Ahorn", "EDEKA"),
    ])
    func `recognises a chain by the names of its store formats`(name: String, chain: String) {
        let receipt = Layout.parse("\(name)\nAm Anger 2\n12345 Ort\nTee    2,20 A\nSumme EUR  2,20\nBar EUR  2,20")
        #expect(receipt.chain == chain)
    }

    @Test func `prefers the store's clock to the clock of the fiscal device`() {
        let receipt = Layout.parse(
            """
            Kramladen
            Tee                  2,20 A
            Summe                2,20
            Bar                  2,20
            TSE-Start: 2026-07-03T16:44:12.000Z
            TSE-Stop:  2026-07-03T16:44:51.000Z
            03.07.2026 18:45 Kasse 2
            """)
        #expect(receipt.date?.value.iso == "2026-07-03")
        #expect(receipt.time?.value.iso.hasPrefix("18:45") == true)
    }

    @Test func `takes the time from the fiscal device if the store prints none`() {
        let receipt = Layout.parse(
            "Kramladen\nTee        2,20 A\nSumme      2,20\nBar        2,20\nTSE-Start: 2026-07-03T16:44:12.000Z")
        #expect(receipt.time?.value.iso.hasPrefix("18:44") == true)
    }

    @Test func `checks a tax table that has rates without percent signs`() {
        let receipt = Layout.parse(
            """
            Coop
            Artikel              Menge   Preis   Total Zusatz
            Birnensaft               2    2.50    5.00 0
            Schwamm                  1    3.20    3.20 1
            Total CHF                             8.20
            Bar CHF                               8.20
            GR   MWST%     TOTAL      MWST
            0     2.60      5.00      0.13
            1     8.10      3.20      0.24
            """)
        #expect(receipt.summary.count == 2)
        #expect(!receipt.reasons.contains(.taxTableDiffers), "\(receipt.reasons)")
    }

    @Test func `drops tax lines above the total if the items alone add up to the total`() {
        let receipt = Layout.parse(
            """
            Cafe am Eck
            Tageskuchen             3,90 A
            Milchkaffee             4,20 A
            enthaltene MwSt 19%     1,29
            Gesamt                  8,10
            Bar                     8,10
            """)
        #expect(receipt.summary.map { $0.prefix(5) } == ["Tages", "Milch"], "\(receipt.summary) \(receipt.reasons)")
        #expect(!receipt.reasons.contains(.unexplainedLine), "\(receipt.reasons)")
    }

    @Test func `keeps the tax line of net prices that is needed for the total`() {
        let receipt = Layout.parse(
            """
            Grosshandel Nord
            Reis 5kg               10,00
            Oel 5l                 20,00
            MwSt 7%                 2,10
            Gesamt                 32,10
            Bar                    32,10
            """)
        #expect(receipt.total?.value.figure() == "32,10")
        #expect(receipt.items.count == 3, "\(receipt.summary)")
    }

    @Test func `ignores a long serial number between the items`() {
        let receipt = Layout.parse(
            """
            Kramladen
            Guthabenkarte        25,00 A
            6006491234567812
            Tee                   2,20 A
            Summe                27,20
            Bar                  27,20
            """)
        #expect(receipt.items.count == 2, "\(receipt.summary)")
        #expect(!receipt.reasons.contains(.unexplainedLine), "\(receipt.reasons)")
    }

    @Test func `reads items line by line if the column of prices is lost`() {
        let receipt = Layout.parse(
            """
            Kramladen
            Dinkelbrot geschnitten 500g 2,49 B
            Tee 2,20 B
            Joghurt Natur 3,5% 150g Becher 0,89 B
            Ei 0,35 B
            Summe 5,93
            Bar 5,93
            """)
        #expect(receipt.summary.count == 4, "\(receipt.summary)")
        #expect(receipt.total?.value.figure() == "5,93")
    }

    @Test(arguments: all)
    func `reads items and total of every collected layout`(layout: Layout.Case) {
        let receipt = Layout.parse(layout.text)
        #expect(receipt.summary == layout.items, "\(receipt.reasons)")
        #expect(receipt.total?.value.figure() == layout.total)
        #expect(receipt.currency == layout.currency)
    }

    private static let all: [Layout.Case] = [
        .init(
            name: "counts printed with a decimal place",
            text: """
                Quartierladen
                Artikel              Menge   Preis   Total
                Birnensaft             2.0    2.50    5.00
                Quark                  1.0    1.80    1.80
                Total CHF                             6.80
                """,
            items: ["Birnensaft 2 Stk 2,50 5,00 - item", "Quark 1 Stk 1,80 1,80 - item"], total: "6,80", currency: .chf),
        .init(
            name: "counts above their items, weights below",
            text: """
                Markt am Bach
                                          EUR
                Tomaten lose             1,50 A
                  0,500 kg x 3,00 EUR/kg
                2 x 0,89
                Quark                    1,78 A
                3 x 0,35
                Semmel                   1,05 A
                Summe                    4,33
                Bar                      4,33
                """,
            items: [
                "Tomaten lose 0,500 kg 3,00 1,50 A item", "Quark 2 Stk 0,89 1,78 A item",
                "Semmel 3 Stk 0,35 1,05 A item",
            ], total: "4,33"),
        .init(
            name: "weight and amount below the name",
            text: """
                Kaufland
                Preis EUR
                Trauben hell kg
                  0,500 kg                2,00 B
                Quark                     1,19 B
                Summe                     3,19
                Bar                       3,19
                """,
            items: ["Trauben hell kg 0,500 kg - 2,00 B item", "Quark 1 Stk 1,19 1,19 B item"], total: "3,19"),
        .init(
            name: "whole francs with a dash",
            text: """
                Radhaus Alp
                                           CHF
                Tourenrad            1'249.-
                Schloss                 39.–
                Total CHF            1'288.-
                """,
            items: ["Tourenrad 1 Stk 1.249,00 1.249,00 - item", "Schloss 1 Stk 39,00 39,00 - item"], total: "1.288,00",
            currency: .chf),
        .init(
            name: "rounding down",
            text: """
                Coop
                Artikel              Menge   Preis   Total
                Birnensaft               1    2.52    2.52
                Quark                    1    1.80    1.80
                Rundungsvorteil                      -0.02
                Total CHF                             4.30
                Bar CHF                               4.30
                """,
            items: [
                "Birnensaft 1 Stk 2,52 2,52 - item", "Quark 1 Stk 1,80 1,80 - item",
                "Rundungsvorteil 1 Stk -0,02 -0,02 - rounding",
            ], total: "4,30", currency: .chf),
        .init(
            name: "total in francs and in euros",
            text: """
                Migros
                Birnensaft              2.50 1
                Quark                   1.80 1
                Total CHF               4.30
                Total in EUR            4.52
                Bar CHF                 4.30
                """,
            items: ["Birnensaft 1 Stk 2,50 2,50 1 item", "Quark 1 Stk 1,80 1,80 1 item"], total: "4,30",
            currency: .chf),
    ]
}
