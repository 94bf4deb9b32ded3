import DocumentParsing
import Domain
import Recognition
import Testing

/// Quantities that may belong to another item, and numbers that may not be quantities.
@Suite(.timeLimit(.minutes(5))) struct `Owners of quantities` {
    private func receipt(_ itemLines: String, _ total: String, change: String) -> String {
        "LADEN\n12345 Ort\n\(itemLines)\nSUMME   \(total)\nBAR   20,00\nRückgeld   \(change)"
    }

    @Test(arguments: [" 5,0% vol  0,50 l", " 2x0,50l (2,50/l)", " 5er Pack 0,50/Stk"])
    func `does not read contents or base prices as a quantity`(line: String) {
        let parsed = Layout.parse(receipt("WEISSBIER  2,50 A\n\(line)\nBROT   2,00 A", "4,50", change: "15,50"))
        #expect(parsed.items.first?.quantity.value == .one || parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `reads a count whose multiplication sign touches the name`() {
        let parsed = Layout.parse(
            receipt("2xDÖNER  13,00 A\n1xAYRAN   2,00 A\n1xKUCHEN   3,40 A", "18,40", change: "1,60"), source: .text)
        #expect(parsed.items.map(\.name.value) == ["DÖNER", "AYRAN", "KUCHEN"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [2_000, 1_000, 1_000])
    }

    @Test func `marks a weight between two items as ambiguous if no line shows the layout`() {
        let parsed = Layout.parse(
            receipt("KUCHEN  3,40 A\n  0,722 kg\nWURST  13,00 A\nBROT   2,00 A", "18,40", change: "1,60"))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `does not derive the layout of counts from a weight line`() {
        let parsed = Layout.parse(
            receipt(
                "0,200 KG x 9,90\nSCHINKEN  1,98 B\nSEMMEL  1,95 B\n3 ST x 0,65\nBREZE  1,95 B", "5,88", change: "14,12"
            ))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `leaves a receipt for review if a quantity line fits a corrected amount of the next item`() {
        let parsed = Layout.parse(
            receipt(
                "LEBERKÄSE  1,84 B\n0,132 kg x 12,40\nEXTRAWURST  1,64 B\nBROT   2,00 B", "5,28", change: "14,72"))
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }
}
