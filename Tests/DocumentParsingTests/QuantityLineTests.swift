import DocumentParsing
import Domain
import Recognition
import Testing

/// Forms of quantity lines, below and above the item, as printed and as damaged by poor recognition.
@Suite(.timeLimit(.minutes(5))) struct `Forms of quantity lines` {
    static let counts = [
        "2 x 1,29", "2x1,29", "2 X   1,29", "2 * 1,29", "2×1,29", "2 k 1,29", "2 Stk x 1,29", "2 St. à 1,29",
        "2Stk à1,29",
        "2 Stück zu je 1,29", "2 x EUR 1,29", "2 Stk à EUR 1,29", "2 x 1,29€/St", "1,29 € x 2", "2 x 1.29", "2 x 1. 29",
        "2 x 129", "(2 x 1,29)", "Menge: 2 x 1,29", "2,00 x 1,29", "2,000 ST x 1,29",
        "2 Stk &ä 1,29", "2 x 1,291",
        "2 Stk x 1,295", "2 szt. x 1,29", "2 op. x 1,29", "2 PZ x 1,29", "2 BUC X 1,29 LEI", "2,000 BUC * 1,29 RON",
        "2 szt.* 1,29 zł", "2 STUKS x 1,29", "2 Stk  á  1,29",
    ]
    static let weights = [
        "0,456 kg x 2,99", "0,456kg 2,99€/kg", "0, 456 kg x 2,99", "0,456 k9 x 2,99", "O,456 kg x 2,99",
        "0 456 kg x 2,99",
        "456 g x 2,99 €/kg", "0,456 kg x EUR 2,99", "2,99 €/kg x 0,456 kg", "2,99 EUR/kg  0,456 kg",
        "Netto 0,456 kg x 2,99", "0,456 ka x 2,99", "0,456 kg x 2,99 €/kg Tara 0,004",
        "0,456 kg × 2,99 €/kg (Tara 0,312 kg)", "0,456 * 2,99", "0,456*2,99", "0,456×2,99", "kg 0,456 x EUR/kg 2,99",
        "0,456 KG X 2,99 LEI/KG", "0,456 kg  EUR/kg 2,99",
    ]

    private func items(_ lines: [String], total: String) -> [String] {
        Layout.parse(
            """
            LADEN MUSTER
            12345 Ort
                                    EUR
            Brot                    3,49 B
            \(lines.joined(separator: "\n"))
            Seife fein              1,99 A
            SUMME                   \(total)
            BAR                     \(total)
            07.03.2026 12:00
            """
        ).summary
    }

    @Test(arguments: ["LEIBNIZ KEKS", "RONDO ROT", "PLNY TEE"])
    func `does not read the beginning of a name after a quantity as a currency`(name: String) {
        let item = "2 x 1,29 \(name)   2,58 B"
        #expect(items([item], total: "8,06").dropFirst().first == "\(name) 2 Stk 1,29 2,58 B item")
    }

    @Test(arguments: counts)
    func `assigns a count in each form to its item`(form: String) {
        let item = "Joghurt Natur           2,58 B"
        let expected = ["Brot 1 Stk 3,49 3,49 B item", "Joghurt Natur 2 Stk 1,29 2,58 B item"]
        #expect(items([item, "  " + form], total: "8,06").prefix(2) == expected[...])
        #expect(items(["  " + form, item], total: "8,06").prefix(2) == expected[...])
    }

    @Test(arguments: weights)
    func `assigns a weight in each form to its item`(form: String) {
        let item = "Tomaten lose            1,36 B"
        let expected = ["Brot 1 Stk 3,49 3,49 B item", "Tomaten lose 0,456 kg 2,99 1,36 B item"]
        #expect(items([item, "  " + form], total: "6,84").prefix(2) == expected[...])
        #expect(items(["  " + form, item], total: "6,84").prefix(2) == expected[...])
    }

    @Test(arguments: [
        ("Damenbinden 40ST        2,58 2", "Damenbinden 40ST 1 Stk 2,58 2,58 2 item"),
        ("PILS KISTE 6X           2,58 2", "PILS KISTE 6X 1 Stk 2,58 2,58 2 item"),
        ("Quark 250g            A 2,58", "Quark 250g A 1 Stk 2,58 2,58 - item"),
        ("Zucker 1kg   2 1.45 1.29 2.58", "Zucker 1kg 2 Stk 1,29 2,58 - item"),
        ("Feldsalat 0,25 kg 10,32 2,58 2", "Feldsalat 0,250 kg 10,32 2,58 2 item"),
        ("Diesel 1,52 l  1,699    2,58 2", "Diesel 1,52 l 1,699 2,58 2 item"),
        ("2 Brezel à 1,29         2,58 2", "Brezel 2 Stk 1,29 2,58 2 item"),
        ("2x Melange 0,2l  1,29   2,58 2", "Melange 0,2l 2 Stk 1,29 2,58 2 item"),
        ("Joghurt Natur (2x)      2,58 2", "Joghurt Natur 2 Stk 1,29 2,58 2 item"),
        ("Joghurt Natur x2        2,58 2", "Joghurt Natur 2 Stk 1,29 2,58 2 item"),
        ("2 x Pfand Dose          0,50 2", "Pfand Dose 2 Stk 0,25 0,50 2 deposit"),
    ])
    func `distinguishes sizes and other columns from the quantity`(line: String, expected: String) {
        let receipt = Layout.parse(
            """
            LADEN MUSTER
            12345 Ort
                                      EUR
            Brot                    3,49 1
            \(line)
            Seife fein              1,99 2
            Kerze rot               2,99 2
            BAR                    20,00
            """)
        #expect(receipt.summary.contains(expected), "\(receipt.summary)")
    }

    @Test func `ignores the tare weight and keeps the items around it`() {
        let receipt = Layout.parse(
            """
            METZGEREI MUSTER
            12345 Ort
                                    EUR
            Leberwurst
            0,356 kg     13,90      4,95 B
            T 0,006 kg
            Weißwurst
            6 Stk         1,65      9,90 B
            SUMME                  14,85
            BAR                    14,85
            07.03.2026 12:00
            """)
        #expect(
            receipt.summary == [
                "Leberwurst 0,356 kg 13,90 4,95 B item", "Weißwurst 6 Stk 1,65 9,90 B item",
            ])
        #expect(!receipt.reasons.contains(.unexplainedLine), "\(receipt.reasons)")
    }
}
