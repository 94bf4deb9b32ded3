import Domain

/// Short receipts in invented layouts, with the expected items and total.
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
