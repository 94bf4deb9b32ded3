import DocumentParsing
import Domain
import Testing

/// Columns beside the names: VAT classes before the price or before the name, and counts before the name.
@Suite(.timeLimit(.minutes(5))) struct `Columns beside names` {
    @Test func `separates the VAT class before the price from the name`() {
        let receipt = Layout.parse(
            """
            Greisler Huber
            1070 Wien
            Semmel               A
              4 x 0.39                 1.56
            Eier 10er FH         A     3.19
            Joghurt              A
              2 x 1.69                 3.38
            Schmarrn 400g        A     4.29
              EXTREM AKTION      A    -1.30
            Märzen 0,5l          B
              6 x 1.19                 7.14
            PFAND 0,20           B
              6 x 0.20                 1.20
            SUMME                     19.46
            BAR                       20.00
            RETOUR                     0.54
            07.03.2026 10:12
            """)
        #expect(
            receipt.summary == [
                "Semmel 4 Stk 0,39 1,56 A item", "Eier 10er FH 1 Stk 3,19 3,19 A item",
                "Joghurt 2 Stk 1,69 3,38 A item", "Schmarrn 400g 1 Stk 4,29 4,29 A item",
                "EXTREM AKTION 1 Stk -1,30 -1,30 A discount", "Märzen 0,5l 6 Stk 1,19 7,14 B item",
                "PFAND 0,20 6 Stk 0,20 1,20 B deposit",
            ])
    }

    @Test func `separates classes from the names after them, even if dirt after an amount looks like a class`() {
        let receipt = Layout.parse(
            """
            Warenhaus Linde
            5020 Salzburg
            A FREILANDEIER 10ER      3,99
            B WASCHMITTEL 40WG      13,99 E
            A BREZEL SALZ 4ER        2,49
            A KORNSPITZ              1,10
            SUMME EUR               21,57
            BAR                     22,00
            RÜCKGELD                 0,43
            07.03.2026 10:12
            """)
        #expect(
            receipt.items.map(\.name.value) == [
                "FREILANDEIER 10ER", "WASCHMITTEL 40WG", "BREZEL SALZ 4ER", "KORNSPITZ",
            ])
    }

    @Test(arguments: ["", "*"])
    func `separates a VAT class before every name from the names`(mark: String) {
        let receipt = Layout.parse(
            """
            Warenhaus Linde
            5020 Salzburg
            \(mark)A FREILANDEIER 10ER      3,99
            \(mark)A KALBSLEBERKÄSE
               0,254 kg  15,90 EUR/kg 4,04
            \(mark)B WASCHMITTEL 40WG      13,99
            \(mark)B  -25% JOKER           -3,50
            \(mark)A BREZEL SALZ 4ER        2,49
            SUMME EUR               21,01
            BAR                     22,00
            RÜCKGELD                 0,99
            A 10%   9,56  0,96  10,52
            B 20%   8,74  1,75  10,49
            07.03.2026 10:12
            """)
        #expect(
            receipt.summary == [
                "FREILANDEIER 10ER 1 Stk 3,99 3,99 A item", "KALBSLEBERKÄSE 0,254 kg 15,90 4,04 A item",
                "WASCHMITTEL 40WG 1 Stk 13,99 13,99 B item", "-25% JOKER 1 Stk -3,50 -3,50 B discount",
                "BREZEL SALZ 4ER 1 Stk 2,49 2,49 A item",
            ])
    }

    @Test func `keeps letters in names if only some names begin with such a letter`() {
        let receipt = Layout.parse(
            """
            Laden
            12345 Ort
            C VITAMIN SAFT     2,99
            B BLOCKER CREME    5,99
            BUTTER             2,49
            SUMME             11,47
            BAR               12,00
            RÜCKGELD           0,53
            """)
        #expect(receipt.summary.map { $0.prefix(9) } == ["C VITAMIN", "B BLOCKER", "BUTTER 1 "])
    }

    @Test func `reads the count before a deposit if all items have counts before their names`() {
        let receipt = Layout.parse(
            """
            Kaufhaus Traun
            4050 Traun
            1 Mehl glatt 1kg         0,99 A
            2 Joghurt Erdb.          2,98 A
            12 Märzen 0,5l Fl.      13,08 B
            12 Pfand Bierflasche     1,08 B
            1 Kiste Pfand leer       3,00 B
            SUMME                   21,13
            BAR                     22,00
            RÜCKGELD                 0,87
            """)
        #expect(
            receipt.summary == [
                "Mehl glatt 1kg 1 Stk 0,99 0,99 A item", "Joghurt Erdb. 2 Stk 1,49 2,98 A item",
                "Märzen 0,5l Fl. 12 Stk 1,09 13,08 B item", "Pfand Bierflasche 12 Stk 0,09 1,08 B deposit",
                "Kiste Pfand leer 1 Stk 3,00 3,00 B deposit",
            ])
    }
}
