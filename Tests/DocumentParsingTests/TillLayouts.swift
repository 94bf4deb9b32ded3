/// Receipts of till layouts that no test of a known chain covers.
enum TillLayouts {
    static let all: [`Layouts of tills`.Case] = [
        .init(
            name: "first item with its name after the quantity, no currency above",
            text: """
                Drogerie Quell
                07.03.2026 14:28 K2/1 0120
                3x 0,95 Schwammtuch        2,85 1
                Watte 100St                1,15 1
                SUMME EUR                  4,00
                """,
            items: ["Schwammtuch 3 Stk 0,95 2,85 1 item", "Watte 100St 1 Stk 1,15 1,15 1 item"], total: "4,00"),
        .init(
            name: "a column of savings",
            text: """
                Quartierladen
                Artikel          Menge  Preis Gespart  Total
                Birnensaft 1l        1   2.50    0.50   2.00
                Quark                2   1.80    0.60   3.00
                Brot                 1   3.40           3.40
                Total CHF                               8.40
                """,
            items: [
                "Birnensaft 1l 1 Stk 2,00 2,00 - item", "Quark 2 Stk 1,50 3,00 - item",
                "Brot 1 Stk 3,40 3,40 - item",
            ], total: "8,40"),
        .init(
            name: "a price that includes the deposit, a voucher of 0,00",
            text: """
                Kiosk am See
                                      EUR
                Limo inkl. Pfand     1,24 A
                Pfand Einweg         0,25 A
                Gutschein App        0,00 A
                Summe                1,49
                """,
            items: [
                "Limo inkl. Pfand 1 Stk 1,24 1,24 A item", "Pfand Einweg 1 Stk 0,25 0,25 A deposit",
                "Gutschein App 1 Stk 0,00 0,00 A coupon",
            ], total: "1,49"),
        .init(
            name: "counts with decimals between article number and name",
            text: """
                Gartenmarkt Beet
                4012345000016 2,000 STK a 3,49 Salbei        6,98 7
                4012345000023 1,000 STK MINZE TOPF           2,99 7
                4012345000030 1,000 STK Schaufel             9,99 19
                SUMME                                       19,96
                """,
            items: [
                "Salbei 2 Stk 3,49 6,98 7 item", "MINZE TOPF 1 Stk 2,99 2,99 7 item",
                "Schaufel 1 Stk 9,99 9,99 - item",
            ], total: "19,96"),
        .init(
            name: "headings between the items",
            text: """
                Warenhaus Nord
                                          EUR
                Backwaren
                Dinkelbrot               2,49 B
                Molkerei
                Quark                    1,19 B
                Kefir                    0,99 B
                Summe                    4,67
                """,
            items: [
                "Dinkelbrot 1 Stk 2,49 2,49 B item", "Quark 1 Stk 1,19 1,19 B item",
                "Kefir 1 Stk 0,99 0,99 B item",
            ], total: "4,67"),
        .init(
            name: "several coupons in one amount",
            text: """
                Drogerie Quell
                                          EUR
                Windeln Gr. 4            8,95 1
                Seife                    1,45 1
                4 x Coupon 15% Baby     -1,33
                SUMME EUR                9,07
                """,
            items: [
                "Windeln Gr. 4 1 Stk 8,95 8,95 1 item", "Seife 1 Stk 1,45 1,45 1 item",
                "4 x Coupon 15% Baby 1 Stk -1,33 -1,33 - coupon",
            ], total: "9,07"),
        .init(
            name: "rounding of 0.00 before the last total",
            text: """
                Dorfladen Alp
                                          CHF
                2 x 1.45
                114820 Mineral still     2.90 A
                220517 Nussstange        1.75 A
                Zwischensumme            4.65
                Rundung                  0.00
                TOTAL                    4.65
                """,
            items: ["Mineral still 2 Stk 1,45 2,90 A item", "Nussstange 1 Stk 1,75 1,75 A item"], total: "4,65"),
        .init(
            name: "damaged amount after a quantity",
            text: """
                Gartenmarkt Beet
                                        EUR
                Blumenkasten 40cm
                  4 x 3,99            15,9
                Schaufel               6,66 A
                Harke                  8,00 A
                Minze                  2,00 A
                SUMME                 32,62
                """,
            items: [
                "Blumenkasten 40cm 4 Stk 3,99 15,96 - item", "Schaufel 1 Stk 6,66 6,66 A item",
                "Harke 1 Stk 8,00 8,00 A item", "Minze 1 Stk 2,00 2,00 A item",
            ], total: "32,62"),
        .init(
            name: "a tax cut subtracted between two totals",
            text: """
                Tierfutter Napf
                Filterwatte             14,99
                SUMME EUR               14,99
                MwSt.-Senkung           -0,38
                Summe EUR               14,61
                Bar                     14,61
                """,
            items: [
                "Filterwatte 1 Stk 14,99 14,99 - item", "MwSt.-Senkung 1 Stk -0,38 -0,38 - discount",
            ], total: "14,61"),
        .init(
            name: "fuel with the pump number before the litres",
            text: """
                Tankhof Sued
                Diesel                  72,10 A
                Säule 01   50,00 l  1,442 EUR/l
                SUMME          EUR      72,10
                EC-Karte       EUR      72,10
                """,
            items: ["Diesel 50 l 1,442 72,10 A item"], total: "72,10"),
        .init(
            name: "litres above the fuel, without a column header",
            text: """
                Tankhof Sued
                Am Ring 1
                12345 Ort
                    30,00 l x 1,459 EUR/l
                Super 95                43,77 B
                SUMME          EUR      43,77
                EC-Karte       EUR      43,77
                """,
            items: ["Super 95 30 l 1,459 43,77 B item"], total: "43,77"),
        .init(
            name: "one item and a payment without a total",
            text: """
                Tankhof Sued
                Am Ring 1
                12345 Ort
                SUPER E10
                38,45 l x 1,779 EUR/l   68,40 A
                Girocard                68,40
                """,
            items: ["SUPER E10 38,45 l 1,779 68,40 A item"], total: "68,40"),
        .init(
            name: "amounts in front of the names",
            text: """
                Trafik Maier
                EUR 2,50 A   Apfelsaft 0,33l
                EUR 3,20 A   Käsebrötchen
                EUR 1,80 B   Kaugummi
                EUR 7,50     Summe
                EUR 10,00    Bar
                EUR 2,50     Rückgeld
                """,
            items: [
                "Apfelsaft 0,33l 1 Stk 2,50 2,50 A item", "Käsebrötchen 1 Stk 3,20 3,20 A item",
                "Kaugummi 1 Stk 1,80 1,80 B item",
            ], total: "7,50"),
        .init(
            name: "a unit of the count that no list names",
            text: """
                Baumarkt Nord
                Dübel 8MM
                     3 ST     2,49           7,47 A
                Rasenerde 40L
                     2 SA     5,99          11,98 A
                SUMME EUR                   19,45
                """,
            items: ["Dübel 8MM 3 Stk 2,49 7,47 A item", "Rasenerde 40L 2 Stk 5,99 11,98 A item"], total: "19,45"),
        .init(
            name: "counts before short names, with unit prices",
            text: """
                Gasthaus Berg
                2 Bier         4,50    9,00 A
                3 Tee          2,00    6,00 A
                2 EI           0,40    0,80 A
                SUMME EUR              15,80
                """,
            items: [
                "Bier 2 Stk 4,50 9,00 A item", "Tee 3 Stk 2,00 6,00 A item", "EI 2 Stk 0,40 0,80 A item",
            ], total: "15,80"),
        .init(
            name: "litres and their price on separate lines",
            text: """
                Tankhof Sued
                Diesel
                 51,23 Liter
                 Preis 1,859 EUR/Liter
                                 95,24 EUR A
                Apfelsaft         2,79 EUR A
                Summe            98,03 EUR
                """,
            items: ["Diesel 51,23 l 1,859 95,24 A item", "Apfelsaft 1 Stk 2,79 2,79 A item"], total: "98,03"),
        .init(
            name: "counts before names, one of which begins with a size",
            text: """
                Landhandel Berg
                1 500g Choco          9.60
                2 Gartenhandschuh    19.80
                1 Dünger             23.50
                Total CHF            52.90
                """,
            items: [
                "500g Choco 1 Stk 9,60 9,60 - item", "Gartenhandschuh 2 Stk 9,90 19,80 - item",
                "Dünger 1 Stk 23,50 23,50 - item",
            ], total: "52,90"),
        .init(
            name: "a name with a number above a numbered amount",
            text: """
                Elektro Huber
                4020 Linz
                PHILIPS 3200 LATTEGO
                1234567   1 x 399,00     399,00
                BOSCH 7000
                2345678   2 x 19,99       39,98
                SUMME                    438,98
                """,
            items: ["PHILIPS 3200 LATTEGO 1 Stk 399,00 399,00 - item", "BOSCH 7000 2 Stk 19,99 39,98 - item"],
            total: "438,98"),
        .init(
            name: "litres, their price and a labelled amount on separate lines",
            text: """
                Tankhof Sued
                Diesel 44,90 l
                Einzelpreis 1,785 €/l
                Kraftstoff       80,15 A
                Apfelsaft         2,79 A
                GESAMT           82,94
                """,
            items: ["Diesel 44,9 l 1,785 80,15 A item", "Apfelsaft 1 Stk 2,79 2,79 A item"], total: "82,94"),
        .init(
            name: "weight behind the name, its price on the next line",
            text: """
                Markthalle
                Tomate Roma       0,502 kg
                       2,49 EUR/kg    1,25 B
                Schwarzbrot           1,99 B
                Quark                 0,75 B
                SUMME       EUR       3,99
                """,
            items: [
                "Tomate Roma 0,502 kg 2,49 1,25 B item", "Schwarzbrot 1 Stk 1,99 1,99 B item",
                "Quark 1 Stk 0,75 0,75 B item",
            ], total: "3,99"),
        .init(
            name: "article number between name and quantity",
            text: """
                Moebelhaus Fjell
                Artikel              Preis
                VASE KLAR
                30490201
                     2 x  2,99        5,98 A
                Regal weiss
                80275887             34,99 A
                Total                40,97
                """,
            items: ["VASE KLAR 2 Stk 2,99 5,98 A item", "Regal weiss 1 Stk 34,99 34,99 A item"], total: "40,97"),
        .init(
            name: "loyalty balance between the items",
            text: """
                Drogerie Quell
                Zahnpasta            1,95
                Kamm                 2,25
                PAYBACK Guthaben     0,60
                Gesamt               4,20
                """,
            items: ["Zahnpasta 1 Stk 1,95 1,95 - item", "Kamm 1 Stk 2,25 2,25 - item"], total: "4,20"),
    ]
}
