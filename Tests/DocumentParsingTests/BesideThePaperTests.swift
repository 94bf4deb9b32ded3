import DocumentParsing
import Domain
import Recognition
import Testing

/// Print above the items and ink beside the paper are not missing lines.
@Suite(.timeLimit(.minutes(5))) struct `Print and ink outside the item list` {
    private static let text = """
        LADEN
        Bergstraße 6-10
        86150 Ort
        BROT      2,95 A
        SALZ      1,16 A
        KÄSE      3,00 A
        SUMME     7,11
        BAR      10,00
        Rückgeld  2,89
        07.03.2026 10:12
        """

    private func read(inkAt x: Int) -> ParsedReceipt {
        var document = Layout.document(Self.text)
        document.pages[0].width = 600
        document.pages[0].unreadInk = [PixelBox(x: x, y: 20 + 4 * 24, width: 20, height: 18)]
        return ReceiptParser(today: Layout.today).parse(document)
    }

    @Test func `reports a gap for unread ink within the width of the items, not for ink beside them`() {
        #expect(read(inkAt: 100).reasons.contains(.gapBetweenLines))
        #expect(!read(inkAt: 400).reasons.contains(.gapBetweenLines))
    }

    @Test func `does not report the address above the items as unexplained`() {
        let receipt = read(inkAt: 400)
        #expect(receipt.items.count == 3)
        #expect(!receipt.reasons.contains(.unexplainedLine), "\(receipt.reasons)")
    }
}
