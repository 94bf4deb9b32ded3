import DocumentParsing
import Domain
import Testing

/// Shops that the program does not know, and layouts that no known chain has.
@Suite(.timeLimit(.minutes(5))) struct `Layouts of unknown stores` {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var items: [String]
        var total: String
        var isProven = true
        var testDescription: String { name }
    }

    @Test(arguments: UnknownStores.all)
    func `reads items, total and date of an unknown store`(store: Case) {
        let receipt = store.isProven ? Layout.parseWithRereads(store.text) : Layout.parse(store.text)
        #expect(receipt.summary == store.items)
        #expect(receipt.total?.value.figure() == store.total)
        #expect((receipt.state == .proven) == store.isProven, "\(receipt.reasons)")
        #expect(receipt.date?.value.iso == "2026-03-07")
    }
}

enum UnknownStores {
    static let all: [`Layouts of unknown stores`.Case] = [
        .init(
            name: "farm shop, tax rates after the amounts",
            text: """
                Hofladen Beispiel
                Dorf 3
                4780 Schärding
                Tel. 07712 123456

                Eier 10 Stk.              4,20  10%
                Speck geschnitten         5,90  10%
                  0,312 kg x 18,90
                Apfelsaft naturtrüb       8,40  10%
                  3 x 2,80
                Flaschenpfand             0,90  20%
                  3 x 0,30
                Summe                    19,40
                Bar                      20,00
                Retour                    0,60
                10% MwSt v. 18,50 =       1,68
                20% MwSt v.  0,90 =       0,15
                07.03.2026 10:12
                Datum 07.03.2026
                """,
            items: [
                "Eier 10 Stk. 1 Stk 4,20 4,20 - item", "Speck geschnitten 0,312 kg 18,90 5,90 - item",
                "Apfelsaft naturtrüb 3 Stk 2,80 8,40 - item", "Flaschenpfand 3 Stk 0,30 0,90 - deposit",
            ], total: "19,40"),
        .init(
            name: "bakery, count before the name",
            text: """
                BACKSTUBE MUSTER
                Am Platz 1
                96049 Bamberg
                1 Bauernbrot 1kg           4,60 B
                6 Kaisersemmel             2,70 B
                2 Butterbreze              3,20 B
                1 Cappuccino               3,40 A
                GESAMT EUR                13,90
                EC-Karte                  13,90
                MwSt     Netto   MwSt  Brutto
                A 19%     2,86   0,54    3,40
                B  7%     9,81   0,69   10,50
                07.03.2026 08:01
                07.03.2026
                """,
            items: [
                "Bauernbrot 1kg 1 Stk 4,60 4,60 B item", "Kaisersemmel 6 Stk 0,45 2,70 B item",
                "Butterbreze 2 Stk 1,60 3,20 B item", "Cappuccino 1 Stk 3,40 3,40 A item",
            ], total: "13,90", isProven: false),
        .init(
            name: "Penny in Austria, VAT class before the amount",
            text: """
                     PENNY
                Testgasse 4, 1110 Wien
                BUTTERMILCH            A   1,19
                2 x 2,49
                JAUSENWURST            A   4,98
                BIER DOSE              B   0,99
                PFAND EW               C   0,25
                -25% MARKERL           B  -0,25
                ZU ZAHLEN      EUR         7,16
                BANKOMAT       EUR         7,16
                A: 10% MWST v.   6,17 =    0,56
                B: 20% MWST v.   0,74 =    0,12
                C:  0% MWST v.   0,25 =    0,00
                07.03.2026 19:44
                Datum: 07.03.2026
                """,
            items: [
                "BUTTERMILCH 1 Stk 1,19 1,19 A item", "JAUSENWURST 2 Stk 2,49 4,98 A item",
                "BIER DOSE 1 Stk 0,99 0,99 B item", "PFAND EW 1 Stk 0,25 0,25 C deposit",
                "-25% MARKERL 1 Stk -0,25 -0,25 B discount",
            ], total: "7,16", isProven: true),
        .init(
            name: "drugstore, article numbers, currency after every amount",
            text: """
                Drogerie Sonnenschein
                Ringstr. 12
                86150 Augsburg
                4012345000016 Zahnbürste         2,49 €
                4012345000023 Haarspray 250ml    3,95 €
                4012345000030 Seife 2x100g       1,80 €
                Zwischensumme                    8,24 €
                Kundenrabatt 5%                 -0,41 €
                Total                            7,83 €
                Girocard                         7,83 €
                19% MwSt   6,58   1,25           7,83
                3 Artikel
                07.03.2026 12:30
                Datum: 07.03.2026
                """,
            items: [
                "Zahnbürste 1 Stk 2,49 2,49 - item", "Haarspray 250ml 1 Stk 3,95 3,95 - item",
                "Seife 2x100g 1 Stk 1,80 1,80 - item", "Kundenrabatt 5% 1 Stk -0,41 -0,41 - discount",
            ], total: "7,83"),
    ]
}
