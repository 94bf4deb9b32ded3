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

    @Test func `leaves a receipt for review if a weight was read once and its amount does not match it`() {
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

enum ForeignLayouts {
    static let all: [Layout.Case] = [
        .init(
            name: "inn: count before the name, unit price and amount after it",
            text: """
                Gasthaus zum Loewen
                88212 Ravensburg
                2 Spezi 0,5l         3,90    7,80
                1 Schnitzel Pommes  15,90   15,90
                3 Espresso           2,40    7,20
                Summe EUR                   30,90
                Bar                         50,00
                Zurück                      19,10
                """,
            items: [
                "Spezi 0,5l 2 Stk 3,90 7,80 - item", "Schnitzel Pommes 1 Stk 15,90 15,90 - item",
                "Espresso 3 Stk 2,40 7,20 - item",
            ], total: "30,90"),
        .init(
            name: "Swiss discounter: rounding between two totals",
            text: """
                Denner AG
                8000 Zürich
                Rotwein Merlot 75cl        A  7.95
                2 x 1.10
                Cola Zero 1.5l             B  2.20
                Aktion 20%                 A -1.59
                Summe CHF                     8.56
                Rundung                      -0.01
                Zu bezahlen CHF               8.55
                Bar CHF                      20.00
                Zurück CHF                   11.45
                """,
            items: [
                "Rotwein Merlot 75cl 1 Stk 7,95 7,95 A item", "Cola Zero 1.5l 2 Stk 1,10 2,20 B item",
                "Aktion 20% 1 Stk -1,59 -1,59 A discount", "Rundung 1 Stk -0,01 -0,01 - rounding",
            ], total: "8,55", currency: .chf),
        .init(
            name: "Swiss columns with a reduced price, and a discount without a name",
            text: """
                Coop City Bern
                Artikel              Menge  Preis  Aktion  Total
                Milch 1l                2   1.60            3.20 0
                Salat Frisch            1   6.50    4.85    4.85 0
                Zucker 1kg              3   1.25    1.00    3.00 0
                  50%                                      -1.50 0
                Total CHF                                   9.55
                Maestro                                     9.55
                """,
            items: [
                "Milch 1l 2 Stk 1,60 3,20 0 item", "Salat Frisch 1 Stk 4,85 4,85 0 item",
                "Zucker 1kg 3 Stk 1,00 3,00 0 item", "50% 1 Stk -1,50 -1,50 0 discount",
            ], total: "9,55", currency: .chf),
        .init(
            name: "a former price after the word for an offer, and a rounding after the subtotal",
            text: """
                LADEN HUBER
                8764 Bergwil
                2x CHIPS PAP. 175G  2.00 Fr   4.00 A
                Rabatt 10%               Fr  -0.80 A
                1x PIZZA SALAMI          Fr   3.30 A
                     Aktion statt             4.12
                1x MÜLLBEUTEL 20L        Fr   1.61 B
                Subtotal                      8.11
                Rundung                      -0.01
                Rechnungsbetrag               8.10 CHF
                Kartenzahlung                 8.10 CHF
                """,
            items: [
                "CHIPS PAP. 175G 2 Stk 2,00 4,00 A item", "Rabatt 10% 1 Stk -0,80 -0,80 A discount",
                "PIZZA SALAMI 1 Stk 3,30 3,30 A item", "MÜLLBEUTEL 20L 1 Stk 1,61 1,61 B item",
                "Rundung 1 Stk -0,01 -0,01 - rounding",
            ], total: "8,10", currency: .chf),
        .init(
            name: "savings that are printed but not subtracted",
            text: """
                BILLA
                1050 Wien
                BUTTER TEEBUTTER     B   2.99
                  Du sparst 1.00
                HENDLFILET           B   8.49
                  statt 9.99
                GOUDA GERIEBEN       B   1.79
                SIE SPAREN HEUTE         2.50
                SUMME        EUR        13.27
                BANKOMAT     EUR        13.27
                """,
            items: [
                "BUTTER TEEBUTTER 1 Stk 2,99 2,99 B item", "HENDLFILET 1 Stk 8,49 8,49 B item",
                "GOUDA GERIEBEN 1 Stk 1,79 1,79 B item",
            ], total: "13,27"),
        .init(
            name: "drugstore: quantity and amount on the line below a long name",
            text: """
                Mein Drogeriemarkt
                4305615123456 ISANA DUSCH      €0,75 A
                4305615123457 BABYDREAM FEUCHT
                  3 x 0,89                     €2,67 A
                4305615123458 ENERBIO REISWAF  €0,79 B
                Total                          €4,21
                girocard                       €4,21
                5 Artikel
                """,
            items: [
                "ISANA DUSCH 1 Stk 0,75 0,75 A item", "BABYDREAM FEUCHT 3 Stk 0,89 2,67 A item",
                "ENERBIO REISWAF 1 Stk 0,79 0,79 B item",
            ], total: "4,21"),
        .init(
            name: "amount below the first name",
            text: """
                Drogerie am Wall
                28195 Bremen
                4058172123456 Dusche Limette 300ml
                                            0,95 1
                4058172123457 Tuch 2x40ST   1,90 1
                Dinkel 500g                 1,95 2
                SUMME EUR                   4,80
                BAR EUR                    -5,00
                Rückgeld EUR                0,20
                """,
            items: [
                "Dusche Limette 300ml 1 Stk 0,95 0,95 1 item", "Tuch 2x40ST 1 Stk 1,90 1,90 1 item",
                "Dinkel 500g 1 Stk 1,95 1,95 2 item",
            ], total: "4,80"),
        .init(
            name: "payments by their first word, change as Retour",
            text: """
                Kaufmann Gruber
                3910 Zwettl
                Semmel            5    0,39     1,95 A
                Bier Kiste        1   19,90    19,90 B
                Joker -25%                     -0,49 A
                Summe                          21,36
                Gegeben BAR                    50,00
                Retour                         28,64
                """,
            items: [
                "Semmel 5 Stk 0,39 1,95 A item", "Bier Kiste 1 Stk 19,90 19,90 B item",
                "Joker -25% 1 Stk -0,49 -0,49 A discount",
            ], total: "21,36"),
    ]
}
