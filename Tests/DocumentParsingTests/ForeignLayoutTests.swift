import DocumentParsing
import Domain
import Testing

/// Layouts that none of the collected receipts has. Each is a short invented receipt.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of other stores` {
    @Test(arguments: ForeignLayouts.all)
    func `reads and proves a receipt of each layout`(layout: Layout.Case) {
        let receipt = Layout.parse(layout.text + "\n07.03.2026 10:12\nDatum 07.03.2026")
        #expect(receipt.summary == layout.items)
        #expect(receipt.total?.value.figure() == layout.total)
        #expect(receipt.currency == layout.currency)
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `leaves a receipt for review if a weight does not match its amount`() {
        let receipt = Layout.parse(
            """
            Gärtnerei Huber
            84028 Landshut
            Feldsalat       0,25 kg   12,00   3,00
            Gelbe Rüben     1,50 kg    2,41   3,60
            Eier            6 St       0,40   2,40
            Gesamt                            9,00
            Bar                              10,00
            Rückgeld                          1,00
            07.03.2026 11:31
            07.03.2026
            """)
        #expect(receipt.state == .review)
    }

    @Test(arguments: ["Menge  Preis  Betrag", "MwSt  Netto  MwSt  Brutto"])
    func `does not read a table header as the name of the store`(head: String) {
        let receipt = Layout.parse(
            "Hofcafe Linde\nDorf 1\n\(head)\nKuchen  3,40\nKaffee  2,90\nSumme   6,30\nBar     6,30\n07.03.2026")
        #expect(receipt.chain == "Hofcafe Linde")
    }

    @Test func `separates single-digit VAT classes from amounts that touch them`() {
        let receipt = Layout.parse(
            """
            MIGROS
                                      CHF
            Zucker fein 1kg  1 1.46  1.46 1
            Zwetschgen           4 1.00 4.001
            Spülmittel           1.59 2
            Kerze                   2.102
            TOTAL CHF                9.15
            TWINT                    9.15
            07.03.2026 18:12
            Datum 07.03.2026
            """)
        #expect(
            receipt.summary == [
                "Zucker fein 1kg 1 Stk 1,46 1,46 1 item", "Zwetschgen 4 Stk 1,00 4,00 1 item",
                "Spülmittel 1 Stk 1,59 1,59 2 item", "Kerze 1 Stk 2,10 2,10 2 item",
            ])
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test(arguments: [
        "Sa, 7. März 2026 12:00", "07.Mär.2026 12:00", "7 MRZ 26  12:00", "07-03-2026 / 12:00", "2026-03-07T12:00:05",
        "07/03/2026 12:00",
    ])
    func `reads dates in several formats`(form: String) {
        let receipt = Layout.parse("LADEN\n12345 Ort\n\(form)\nBrot  3,40\nKäse  2,90\nSumme   6,30\nBar     6,30")
        #expect(receipt.date?.value.iso == "2026-03-07")
        #expect(receipt.time != nil)
    }

    @Test(arguments: ["12 Mai Bock 2026,00", "3 Nov 2", "31. Feb 2026"])
    func `does not read words that only resemble a date as a date`(text: String) {
        let receipt = Layout.parse("LADEN\n12345 Ort\n\(text)\nBrot  3,40\nKäse  2,90\nSumme   6,30\nBar     6,30")
        #expect(receipt.date == nil)
    }

    @Test func `ignores line numbers, and reads a number with a unit after the name as the count`() {
        func items(_ lines: String, total: String) -> [String] {
            Layout.parse(
                "LADEN\n12345 Ort\n          EUR\n\(lines)\nSumme               \(total)\nBar                 \(total)"
            )
            .summary
        }
        let numbered = items(
            "1 Heumilch 1L       1,49\n2 Brot              3,49\n3 Quark             3,57\n4 Semmel            0,45",
            total: "9,00")
        #expect(numbered.prefix(2) == ["Heumilch 1L 1 Stk 1,49 1,49 - item", "Brot 1 Stk 3,49 3,49 - item"])
        let counted = items(
            "Joghurt   2 St      1,30\nBrot      1 St      3,49\nQuark     3 St      3,57", total: "8,36")
        #expect(counted.prefix(2) == ["Joghurt 2 Stk 0,65 1,30 - item", "Brot 1 Stk 3,49 3,49 - item"])
        let weighed = items(
            "Bananen 0,895 kg    1,78\nBrot                3,49\nQuark               3,57", total: "8,84")
        #expect(weighed.first == "Bananen 0,895 kg - 1,78 - item")
    }

    @Test(arguments: [
        "Summe EUR inkl. MwSt   6,35", "Bar-Total EUR   6,35", "Total (2 Artikel)   6,35", "2 Artikel  Summe   6,35",
        "Rechnungsbetrag: EUR   6,35", "*** TOTAL ***  EUR   6,35", "Zu bezahlen   6,35", "Einkaufssumme   6,35",
        "Gesamt inkl. 20% USt   6,35", "Total incl. 8.1 % MWST   6,35",
    ])
    func `finds the total beside other words in its row`(line: String) {
        let receipt = Layout.parse(
            "LADEN\n12345 Ort\nBrot   3,40\nKäse   2,95\n\(line)\nErhalten   10,00\nWechselgeld   3,65\n07.03.2026")
        #expect(receipt.items.count == 2)
        #expect(receipt.total?.value.figure() == "6,35")
        #expect(!receipt.reasons.contains(.totalUnconfirmed))
    }

    @Test func `keeps the first item if its amount is damaged`() {
        let receipt = Layout.parse(
            """
            NETTO
            71784 Dannau
            Cola Zero           0,9 €B
            Pfand 0,25         0,25 €B
            Paprika            1,65 €A
            SUMME              2,89 €
            EC-Karte           2,89 €
            """)
        #expect(receipt.items.map(\.name.value) == ["Cola Zero", "Pfand 0,25", "Paprika"])
    }

    @Test func `accepts cash rounding below the total`() {
        let receipt = Layout.parse(
            """
            Volg
            8400 Winterthur
            Gipfeli     4 x 1.20    4.80
            Butter                  2.54
            Milch                   1.75
            Total CHF               9.09
            Rundung                 0.01
            Bar CHF                20.00
            Rückgeld               10.90
            07.03.2026 18:12
            07.03.2026
            """)
        #expect(receipt.total?.value.figure() == "9,09")
        #expect(receipt.state == .proven, "\(receipt.reasons)")
    }

    @Test func `keeps the total if it is repeated in another currency`() {
        let receipt = Layout.parse(
            """
            Dorfladen
            8001 Zürich
                              CHF
            Brot             3.50
            Butter           4.20
            Käse             6.95
            Total CHF       14.65
            Total EUR       15.42
            07.03.2026 18:12
            """)
        #expect(receipt.total?.value.figure() == "14,65")
        #expect(!receipt.reasons.contains(.laterTotal))
    }
}
