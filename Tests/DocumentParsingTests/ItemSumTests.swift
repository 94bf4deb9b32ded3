import DocumentParsing
import Domain
import Recognition
import Testing

/// Receipts on which only the items confirm the total, because no payment or tax can be compared. A wrong total must
/// not be proven.
@Suite(.timeLimit(.minutes(5))) struct `Totals that only the items confirm` {
    private static let itemLines = """
        BROT        2,49 A
        BUTTER      1,99 A
        SALZ        0,59 A
        WEIN        5,90 B
        KAFFEE      6,33 A
        """

    private func parsedReceipt(_ text: String, confidence: Int = 95) -> ParsedReceipt {
        ReceiptParser(today: Layout.today).parse(Layout.document(text, confidence: confidence))
    }

    @Test func `proves a total of five clear amounts if a payment follows`() {
        #expect(
            parsedReceipt("LADEN\n12345 Ort\n\(Self.itemLines)\nSUMME      17,30\nBAR        20,00").state == .proven)
    }

    @Test(arguments: [
        // A discount or item below the subtotal, with the total missing.
        "Zwischensumme  17,30\nCOUPON  -1,00 A\nBAR  20,00",
        "Summe  17,30\nRABATT  -1,00 A\nBAR  20,00",
        "SUMME  17,30\nTREUERABATT 5%  -0,87\nBAR  20,00",
        "SUMME  17,30\nPFAND  0,25 A\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nKARTE  18,30",
        // The total is printed, but its word was not read.
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nS?M#E  18,30\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00\n18,30\nBAR  20,00",
        // Discounts whose names contain words of the tax table or the footer.
        "SUMME  17,30\nMwSt.-Senkung  -0,38\nS?M#E  16,92\nBAR  20,00", "SUMME  17,30\nMARKT RABATT  -1,00\nBAR  20,00",
        "SUMME  17,30\nKASSE 3 RABATT  -1,00 A\nBAR  20,00", "SUMME  17,30\nMARKT RABATT  -1,OO\nBAR  20,00",
        // A voucher reduces the amount due.
        "SUMME  17,30\nGUTSCHEIN  -5,00\nzu zahlen  12,3O\nBAR  20,00",
    ])
    func `does not prove a sum if a line before the payment may change the total`(tail: String) {
        let receipt = parsedReceipt("LADEN\n12345 Ort\n\(Self.itemLines)\n\(tail)")
        #expect(receipt.state != .proven || receipt.total?.value.minorUnits != 1_730, "\(receipt.summary) \(tail)")
    }

    @Test(arguments: [
        "SUMME  17,30\nRABATT  -1,00 A\nBAR  20,00", "Zwischensumme  17,30\nBAR  20,00",
        "SUMME  17,30\nMwSt.-Senkung  -0,38", "SUMME  17,30\nMARKT RABATT  -1,00",
        "SUMME  17,30\nPFAND  0,25 A",
    ])
    func `does not take the article count as proof that there is no discount`(tail: String) {
        let receipt = parsedReceipt("LADEN\n12345 Ort\n\(Self.itemLines)\n\(tail)\nAnzahl Artikel 5")
        #expect(receipt.state != .proven, "\(receipt.summary) \(tail)")
    }

    @Test(arguments: ["BAR  17,00", "BAR  1,73", "KARTE  16,30"])
    func `does not prove a total that exceeds the payment`(payment: String) {
        #expect(parsedReceipt("LADEN\n12345 Ort\n\(Self.itemLines)\nSUMME  17,30\n\(payment)").state != .proven)
    }
}
