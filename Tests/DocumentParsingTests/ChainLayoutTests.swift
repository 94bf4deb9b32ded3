import DocumentParsing
import Domain
import Testing

/// One purchase in the layout of each chain. The layouts are real; stores, items and amounts are invented.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of the chains` {
    struct Case: Sendable, CustomTestStringConvertible {
        var chain: String
        var text: String
        var items: [String]
        var total: String
        var date: String?
        var currency: Currency = .eur
        var testDescription: String { chain }
    }

    @Test(arguments: ChainLayouts.all)
    func `reads items, total and date from the layout of each chain`(layout: Case) {
        let receipt = Layout.parse(layout.text)
        #expect(receipt.chain == layout.chain)
        #expect(receipt.summary == layout.items)
        #expect(receipt.total?.value.figure() == layout.total)
        #expect(receipt.date?.value.iso == layout.date)
        #expect(receipt.currency == layout.currency)
    }

    @Test(arguments: ChainLayouts.all)
    func `reads the same figures if the built-in facts lack the chain`(layout: Case) {
        let facts = ChainFacts.builtIn.without(chain: layout.chain)
        let receipt = ReceiptParser(facts: facts, today: Layout.today).parse(Layout.document(layout.text))
        #expect(receipt.summary == layout.items)
        #expect(receipt.total?.value.figure() == layout.total)
    }
}

enum ChainLayouts {
    typealias Case = `Layouts of the chains`.Case

    static let all = [billa, spar, hofer, penny, bipa, mueller, rossmann, kaufland, netto, norma, real, coop]

    static let billa = Case(
        chain: "Billa",
        text: """
                  BILLA
            Beispielgasse 4, 1050 Wien
               UID: ATU37161204
            TOPFEN 20%             B   1.29
            2 x 0.99
            MINERAL STILL 1,5L     A   1.98
            PFAND EINWEG           D   0.50
            RABATT 25%             B  -0.32
            SUMME           EUR        3.45
            BANKOMAT        EUR        3.45
            A: 20% MWST v.  1.98 =     0.33
            12.03.2026 09:12
            Datum: 12.03.2026
            """,
        items: [
            "TOPFEN 20% 1 Stk 1,29 1,29 B item", "MINERAL STILL 1,5L 2 Stk 0,99 1,98 A item",
            "PFAND EINWEG 1 Stk 0,50 0,50 D deposit", "RABATT 25% 1 Stk -0,32 -0,32 B discount",
        ], total: "3,45", date: "2026-03-12")

    static let spar = Case(
        chain: "Spar",
        text: """
                 INTERSPAR
            Musterweg 1, 4020 Linz
                                       EUR
            BERGKAESE GER.            3,49 A
            GURKEN                    0,87 A
              0,436 kg x  1,99 EUR/kg
            SEMMEL
              5 Stk x  0,25           1,25 A
            ------------------------------
            SUMME                     5,61
            Zahlung BAR              10,00
            Rückgeld                  4,39
            MwSt    Netto    MwSt   Brutto
            A 10%    5,10    0,51     5,61
            04.02.2026 17:40
            Datum 04.02.2026
            """,
        items: [
            "BERGKAESE GER. 1 Stk 3,49 3,49 A item", "GURKEN 0,436 kg 1,99 0,87 A item",
            "SEMMEL 5 Stk 0,25 1,25 A item",
        ], total: "5,61", date: "2026-02-04")

    static let hofer = Case(
        chain: "Hofer",
        text: """
                  HOFER KG
            Filiale Testgasse 9, 8010 Graz
            123456 VOLLMILCH 1L       1,19 A
            234567 KAFFEE BOHNE       6,99 B
            2 x 0,85
            345678 SCHOKO VM          1,70 A
            HOFER PREIS               9,88
            KARTE                     9,88
            A 10% MWST
            21.01.2026 10:05
            21.01.2026
            """,
        items: [
            "VOLLMILCH 1L 1 Stk 1,19 1,19 A item", "KAFFEE BOHNE 1 Stk 6,99 6,99 B item",
            "SCHOKO VM 2 Stk 0,85 1,70 A item",
        ], total: "9,88", date: "2026-01-21")

    static let penny = Case(
        chain: "Penny",
        text: """
             PENNY-MARKT GmbH
            Am Beispiel 3
            50123 Köln
            UID Nr.: DE202748117
                                     EUR
            TOAST VOLLKORN          1,15 B
            TOMATEN RISPE           1,98 B
              2 Stk x   0,99
            PFAND 0,25 EUR          0,25 A *
            SUMME             EUR   3,38
            Geg. EC-Cash      EUR   3,38
            Steuer  %    Netto  Steuer  Brutto
            A= 19,0%      0,21    0,04    0,25
            B=  7,0%      2,93    0,20    3,13
            03.03.2026  18:22  Bon-Nr.:77
            """,
        items: [
            "TOAST VOLLKORN 1 Stk 1,15 1,15 B item", "TOMATEN RISPE 2 Stk 0,99 1,98 B item",
            "PFAND 0,25 EUR 1 Stk 0,25 0,25 A deposit",
        ], total: "3,38", date: "2026-03-03")

    static let bipa = Case(
        chain: "Bipa",
        text: """
                   BIPA
            Musterplatz 2, 5020 Salzburg
                                  EUR
            SHAMPOO KRAEUTER     2,95 A
            ZAHNPASTA MINT       1,79 A
            -20% RABATT         -0,36 A
            GESAMT               4,38
            MASTERCARD           4,38
            20% MwSt von 3,65 = 0,73
            17.02.2026 12:00
            """,
        items: [
            "SHAMPOO KRAEUTER 1 Stk 2,95 2,95 A item", "ZAHNPASTA MINT 1 Stk 1,79 1,79 A item",
            "-20% RABATT 1 Stk -0,36 -0,36 A discount",
        ], total: "4,38", date: "2026-02-17")

    static let mueller = Case(
        chain: "Müller",
        text: """
            MÜLLER Handels GmbH
            Beispielallee 8
            89073 Ulm
                                     EUR
            Creme Ringelblume       3,45 1
            Buntstifte 12er         4,99 1
            Müsli Beere             2,79 2
            SUMME                  11,23
            BAR                    20,00
            Rückgeld                8,77
            1=19,00%  8,44  7,09  1,35
            2= 7,00%  2,79  2,61  0,18
            09.01.2026 15:31
            """,
        items: [
            "Creme Ringelblume 1 Stk 3,45 3,45 1 item", "Buntstifte 12er 1 Stk 4,99 4,99 1 item",
            "Müsli Beere 1 Stk 2,79 2,79 2 item",
        ], total: "11,23", date: "2026-01-09")

    static let rossmann = Case(
        chain: "Rossmann",
        text: """
            Mein Drogeriemarkt
            27.01.2026 15:56 Bed.Nr.:1 Kasse 02
            4000000000011 SEIFE LAVENDEL    €0,95 A
            4000000000028 WATTE             €1,49 A
            Total                           €2,44
            Bar                             €5,00
            Rückgeld (Bar)                  €2,56
            MWST Gruppe   Netto  MWST  Total
            A MWST 19 %   2,05   0,39  2,44
            2 Artikel
            Dirk Rossmann GmbH
            """,
        items: ["SEIFE LAVENDEL 1 Stk 0,95 0,95 A item", "WATTE 1 Stk 1,49 1,49 A item"],
        total: "2,44", date: "2026-01-27")

    static let kaufland = Case(
        chain: "Kaufland",
        text: """
                    Kaufland
              Musterstraße 4
              33100 Paderborn
                                 Preis €
            Obst/Gemüse
            Apfel rot              1,87 B
              0,936 kg x 2,00 €/kg
            Drogerie/Haushalt
            Kuechenrolle           2,95 A
            Grillkohle 3 kg        5,99 A
            Summe                 10,81
            EC-Cash               10,81
            Steuer %  Brutto Netto Steuer
            A=19,00%   8,94   7,51   1,43
            B= 7,00%   1,87   1,75   0,12
            Datum:14.01.26 Uhrzeit:17:36:12
            """,
        items: [
            "Apfel rot 0,936 kg 2,00 1,87 B item", "Kuechenrolle 1 Stk 2,95 2,95 A item",
            "Grillkohle 3 kg 1 Stk 5,99 5,99 A item",
        ], total: "10,81", date: "2026-01-14")

    static let netto = Case(
        chain: "Netto",
        text: """
            Netto Marken-Discount
            Beispielring 12
            93047 Regensburg
                                    EUR
            Zwieback                1,09 A
            Cola Zero 1,5L          2,58 B
              2 x   1,29
            Pfand 0,25              0,50 B
              2 x   0,25
            Coupon 10%             -0,11 A
            Summe                   4,06
            girocard                4,06
            29.01.2026 08:15
            """,
        items: [
            "Zwieback 1 Stk 1,09 1,09 A item", "Cola Zero 1,5L 2 Stk 1,29 2,58 B item",
            "Pfand 0,25 2 Stk 0,25 0,50 B deposit", "Coupon 10% 1 Stk -0,11 -0,11 A coupon",
        ], total: "4,06", date: "2026-01-29")

    static let norma = Case(
        chain: "Norma",
        text: """
                   NORMA
            Testdamm 5, 90402 Nürnberg
            Mehl 405              0,79 2
            3 x 1,05
            H-Milch 3,5%          3,15 2
            Spuelmittel           0,95 1
            GESAMT EUR            4,89
            BAR                   5,00
            ZURUECK               0,11
            13.02.2026 11:11
            """,
        items: [
            "Mehl 405 1 Stk 0,79 0,79 2 item", "H-Milch 3,5% 3 Stk 1,05 3,15 2 item",
            "Spuelmittel 1 Stk 0,95 0,95 1 item",
        ], total: "4,89", date: "2026-02-13")

    static let real = Case(
        chain: "real",
        text: """
                  real GmbH
               33100 Paderborn
               Musterweg 121
            PFANDGUTSCHEIN        5,25-V
            BALKANKAESE           0,79 E
              0,543 KG x 10,99
            MINUTENSTEAK          5,97 E
            WASSER 6x1,5L         2,34 V
            SUMME   EUR           3,85
            MasterCard EUR        3,85
            21.02.26 15:52 86651 0151
            """,
        items: [
            "PFANDGUTSCHEIN 1 Stk -5,25 -5,25 V deposit_return", "BALKANKAESE 1 Stk 0,79 0,79 E item",
            "MINUTENSTEAK 0,543 kg 10,99 5,97 E item", "WASSER 6x1,5L 1 Stk 2,34 2,34 V item",
        ], total: "3,85", date: "2026-02-21")

    static let coop = Case(
        chain: "Coop",
        text: """
            Coop
            Beispielstrasse 7
            3000 Bern
                                          CHF
            Naturaplan Joghurt   3   0.95  2.85 0
            Zopf 500g            1   3.40  3.40 0
            Gruyère              0.214  24.50  5.24 0
            TOTAL CHF                     11.49
            TWINT                         11.49
            15.01.26 18:20
            """,
        items: [
            "Naturaplan Joghurt 3 Stk 0,95 2,85 0 item", "Zopf 500g 1 Stk 3,40 3,40 0 item",
            "Gruyère 0,214 kg 24,50 5,24 0 item",
        ], total: "11,49", date: "2026-01-15", currency: .chf)
}
