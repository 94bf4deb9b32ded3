import DocumentParsing
import Domain
import Recognition
import Testing

/// Attempts to have a wrong total proven where no figure but the lines confirms it: nothing is said of payments or taxes
/// that could be compared.
@Suite(.timeLimit(.minutes(5))) struct `Lines that speak for the total alone` {
    private static let goods = """
        BROT        2,49 A
        BUTTER      1,99 A
        SALZ        0,59 A
        WEIN        5,90 B
        KAFFEE      6,33 A
        """

    private func parsed(_ text: String, confidence: Int = 95) -> ParsedReceipt {
        ReceiptParser(today: Layout.today).parse(Layout.document(text, confidence: confidence))
    }

    @Test func `Five clear amounts that make the clear total are proof where a payment follows`() {
        #expect(parsed("LADEN\n12345 Ort\n\(Self.goods)\nSUMME      17,30\nBAR        20,00").state == .proven)
    }

    @Test(arguments: [
        // What is taken off below a subtotal, with the total lost.
        "Zwischensumme  17,30\nCOUPON  -1,00 A\nBAR  20,00",
        "Summe  17,30\nRABATT  -1,00 A\nBAR  20,00",
        "SUMME  17,30\nTREUERABATT 5%  -0,87\nBAR  20,00",
        "SUMME  17,30\nPFAND  0,25 A\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nKARTE  18,30",
        // The total is there, but its word was not read.
        "Zwischensumme  17,30\nTOMATEN   1,00 A\nS?M#E  18,30\nBAR  20,00",
        "Zwischensumme  17,30\nTOMATEN   1,00\n18,30\nBAR  20,00",
        // Words of the tax table and of the footer in what is taken off.
        "SUMME  17,30\nMwSt.-Senkung  -0,38\nS?M#E  16,92\nBAR  20,00", "SUMME  17,30\nMARKT RABATT  -1,00\nBAR  20,00",
        "SUMME  17,30\nKASSE 3 RABATT  -1,00 A\nBAR  20,00", "SUMME  17,30\nMARKT RABATT  -1,OO\nBAR  20,00",
        // A voucher is part of what is due.
        "SUMME  17,30\nGUTSCHEIN  -5,00\nzu zahlen  12,3O\nBAR  20,00",
    ])
    func `What stands between the sum and the payment may be part of the total`(tail: String) {
        let receipt = parsed("LADEN\n12345 Ort\n\(Self.goods)\n\(tail)")
        #expect(receipt.state != .proven || receipt.total?.value.minorUnits != 1_730, "\(receipt.summary) \(tail)")
    }

    @Test(arguments: [
        "SUMME  17,30\nRABATT  -1,00 A\nBAR  20,00", "Zwischensumme  17,30\nBAR  20,00",
        "SUMME  17,30\nMwSt.-Senkung  -0,38", "SUMME  17,30\nMARKT RABATT  -1,00",
        "SUMME  17,30\nPFAND  0,25 A",
    ])
    func `The number of articles does not say that nothing was taken off`(tail: String) {
        let receipt = parsed("LADEN\n12345 Ort\n\(Self.goods)\n\(tail)\nAnzahl Artikel 5")
        #expect(receipt.state != .proven, "\(receipt.summary) \(tail)")
    }

    @Test(arguments: ["BAR  17,00", "BAR  1,73", "KARTE  16,30"])
    func `Less given than the total contradicts it`(payment: String) {
        #expect(parsed("LADEN\n12345 Ort\n\(Self.goods)\nSUMME  17,30\n\(payment)").state != .proven)
    }

    @Test func `Amounts read badly are no proof`() {
        let text = "LADEN\n12345 Ort\n\(Self.goods)\nSUMME      17,30\nBAR        20,00"
        #expect(parsed(text, confidence: 55).reasons.contains(.totalUnconfirmed))
    }
}
