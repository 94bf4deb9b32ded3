import DocumentParsing
import Domain
import Recognition
import Testing

/// Quantities that may belong to another item, and numbers that may not be quantities.
@Suite(.timeLimit(.minutes(5))) struct `Owners of quantities` {
    private func receipt(_ goods: String, _ total: String, change: String) -> String {
        "LADEN\n12345 Ort\n\(goods)\nSUMME   \(total)\nBAR   20,00\nRückgeld   \(change)"
    }

    @Test(arguments: ["COLA 6X0,33     1,98 A", "EIER 10X0,25    2,50 A"])
    func `Marks a package size as ambiguous if its product is the price`(good: String) {
        let isCola = good.hasPrefix("COLA")
        let text = receipt(
            "\(good)\nBROT   2,00 A", isCola ? "3,98" : "4,50", change: isCola ? "16,02" : "15,50")
        #expect(Layout.parse(text).reasons == [.quantityAmbiguous])
        // Another line shows that this till prints counts in this form.
        let shown = receipt(
            "\(good)\nBREZEL 3x0,96   2,88 A\nBROT            2,00 A", isCola ? "6,86" : "7,38",
            change: isCola ? "13,14" : "12,62")
        #expect(Layout.parse(shown).state == .proven)
    }

    @Test(arguments: [" 5,0% vol  0,50 l", " 2x0,50l (2,50/l)", " 5er Pack 0,50/Stk"])
    func `Does not read contents or base prices as a quantity`(line: String) {
        let parsed = Layout.parse(receipt("WEISSBIER  2,50 A\n\(line)\nBROT   2,00 A", "4,50", change: "15,50"))
        #expect(parsed.items.first?.quantity.value == .one || parsed.state != .proven, "\(parsed.summary)")
    }

    @Test(arguments: [
        "2xDÖNER  13,00 A\nAYRAN   2,00 A", "2*DÖNER  13,00 A\nAYRAN   2,00 A", "2Stk DÖNER  13,00 A\nAYRAN   2,00 A",
        "DÖNER 2Stk  13,00 A\nAYRAN 1Stk   2,00 A", "Anz 2 DÖNER  13,00 A\nAnz 1 AYRAN   2,00 A",
        "002 DÖNER  13,00 A\n001 AYRAN   2,00 A", "2,0 DÖNER  13,00 A\n1,0 AYRAN   2,00 A",
        "2) DÖNER  13,00 A\n1) AYRAN   2,00 A", "#2 DÖNER  13,00 A\n#1 AYRAN   2,00 A",
        "4711 2 DÖNER  13,00 A\n4712 1 AYRAN   2,00 A", "A 2 DÖNER  13,00\nA 1 AYRAN   2,00",
        "0,250 DÖNER  13,00 A\nAYRAN   2,00 A", "DÖNER 0.250  13,00 A\nAYRAN   2,00 A",
    ])
    func `Reads a count before a name in any form, or leaves the receipt for review`(goods: String) {
        let parsed = Layout.parse(receipt("\(goods)\nKUCHEN   3,40 A", "18,40", change: "1,60"))
        #expect(parsed.state != .proven || parsed.items[0].quantity.value.thousandths == 2_000, "\(parsed.summary)")
    }

    @Test func `Reads a count whose multiplication sign touches the name`() {
        let parsed = Layout.parse(
            receipt("2xDÖNER  13,00 A\n1xAYRAN   2,00 A\n1xKUCHEN   3,40 A", "18,40", change: "1,60"), source: .text)
        #expect(parsed.items.map(\.name.value) == ["DÖNER", "AYRAN", "KUCHEN"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [2_000, 1_000, 1_000])
    }

    @Test func `Marks a weight between two items as ambiguous if no line shows the layout`() {
        let parsed = Layout.parse(
            receipt("KUCHEN  3,40 A\n  0,722 kg\nWURST  13,00 A\nBROT   2,00 A", "18,40", change: "1,60"))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `Does not derive the layout of counts from a weight line`() {
        let parsed = Layout.parse(
            receipt(
                "0,200 KG x 9,90\nSCHINKEN  1,98 B\nSEMMEL  1,95 B\n3 ST x 0,65\nBREZE  1,95 B", "5,88", change: "14,12"
            ))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `Marks a quantity of one as ambiguous if it could be two pieces of the item below`() {
        let parsed = Layout.parse(
            receipt("KÄSE  2,29 B\n1 x 2,29\nTHUNFISCH  4,58 B\nBREZE  1,95 B", "8,82", change: "11,18"))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `Leaves a receipt for review if a quantity line fits a corrected amount of the next item`() {
        let parsed = Layout.parse(
            receipt(
                "LEBERKÄSE  1,84 B\n0,132 kg x 12,40\nEXTRAWURST  1,64 B\nBROT   2,00 B", "5,28", change: "14,72"))
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }
}
