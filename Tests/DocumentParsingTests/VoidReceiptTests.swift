import DocumentParsing
import Domain
import Testing

/// Training receipts, cancelled receipts and other documents that are not purchases, and photos that show two receipts.
@Suite(.timeLimit(.minutes(5))) struct `Receipts that are not purchases` {
    private func receipt(body: String = "", foot: String = "") -> ParsedReceipt {
        let lines = [
            "   Laden", "   4600 Wels", "Milch        1,19 A", body, "Brot         2,49 A", "Summe        3,68",
            "Bar          5,00", "Rückgeld     1,32", "22.01.2026 15:20 Bon 3456789", foot,
        ]
        return Layout.parse(lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    @Test(arguments: ["** TRAINING **", "Trainingsmodus aktiv", "Übungsbon"])
    func `recognises a training receipt by a line between the items`(line: String) {
        #expect(receipt(body: line).reasons.contains(.training))
    }

    @Test(arguments: ["Kasse 1 Trainingsmodus", "Bon zu Übungszwecken"])
    func `recognises a training receipt by a word within a line`(line: String) {
        #expect(receipt(foot: line).reasons.contains(.training))
    }

    @Test(arguments: [
        "*** Bon wurde storniert ***", "** BELEG UNGÜLTIG **", "Beleg annulliert", "Gesamtstorno",
        "KEIN KASSENBELEG - PROFORMA", "Zwischenrechnung",
    ])
    func `recognises a void receipt by each of its phrases`(line: String) {
        #expect(receipt(foot: line).reasons.contains(.cancelled))
    }

    @Test(arguments: [
        "STORNIERT", "S T O R N O", "*** UNGÜLTIG ***", "LIEFERSCHEIN", "ANGEBOT", "TESTBON", "*** DEMO ***",
        "Zwischenbeleg", "Dieser Beleg ist storniert",
    ])
    func `recognises a void receipt by a single word below the total`(line: String) {
        #expect(receipt(foot: line).reasons.contains(.cancelled))
    }

    @Test(arguments: ["UNSER ANGEBOT DER WOCHE", "Demo Tape 9,99 A", "ANGEBOT"])
    func `accepts a receipt with words for void receipts in slogans and names of items`(line: String) {
        #expect(!receipt(body: line).reasons.contains(.cancelled))
    }

    @Test(arguments: ["", "Trainingshose  9,99 A", "Kartenzahlung storniert"])
    func `accepts a receipt with an item whose name begins with Training, or with a cancelled card payment`(
        line: String
    ) {
        let parsed = line.contains(",") ? receipt(body: line) : receipt(foot: line)
        #expect(!parsed.reasons.contains(.training))
        #expect(!parsed.reasons.contains(.cancelled))
    }

    @Test(arguments: ["1,85", "1,35"])
    func `recognises items and a total below a payment as a second receipt, even with a misread amount`(first: String) {
        let parsed = Layout.parse(
            """
               Bäckerei Kern
               04109 Leipzig
            Brot Kruste          4,20
            Kuchen Blech        15,80
            Summe               20,00
            EC-Karte            20,00
            08.03.2026 08:01
               Metzgerei Haas
            Schinken             \(first)
            Leberwurst           2,15
            Summe                4,00
            EC-Karte             4,00
            08.03.2026 08:15
            """)
        #expect(parsed.reasons.contains(.laterTotal))
    }

    @Test func `does not take groups of items with the same total for a second receipt`() {
        let parsed = Layout.parse(
            """
               Gasthaus Linde
               4020 Linz
            Gulasch              8,30
            Mineralwasser        3,20
            Summe               11,50
            Bon Nr 3456
            Speisen              8,30
            Getränke             3,20
            Summe               11,50
            Bar                 11,50
            08.03.2026 12:15
            """)
        #expect(parsed.total?.value.minorUnits == 1_150)
        #expect(!parsed.reasons.contains(.laterTotal), "\(parsed.reasons)")
    }
}
