import DocumentParsing
import Domain
import Recognition
import Testing

/// Quantities that could be another good's, or none at all.
@Suite(.timeLimit(.minutes(5))) struct `Whose a quantity is, and whether it is one` {
    private func receipt(_ goods: String, _ total: String, change: String) -> String {
        "LADEN\n12345 Ort\n\(goods)\nSUMME   \(total)\nBAR   20,00\nRückgeld   \(change)"
    }

    @Test(arguments: ["COLA 6X0,33     1,98 A", "EIER 10X0,25    2,50 A"])
    func `The size of a package is no count because its product is the price`(good: String) {
        let isCola = good.hasPrefix("COLA")
        let text = receipt(
            "\(good)\nBROT   2,00 A", isCola ? "3,98" : "4,50", change: isCola ? "16,02" : "15,50")
        #expect(Layout.parse(text).reasons == [.quantityAmbiguous])
        // Another line shows that this till prints counts so.
        let shown = receipt(
            "\(good)\nBREZEL 3x0,96   2,88 A\nBROT            2,00 A", isCola ? "6,86" : "7,38",
            change: isCola ? "13,14" : "12,62")
        #expect(Layout.parse(shown).state == .proven)
    }

    @Test(arguments: [" 5,0% vol  0,50 l", " 2x0,50l (2,50/l)", " 5er Pack 0,50/Stk"])
    func `A line of contents or base prices is no quantity`(line: String) {
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
    func `A count in front of a name is taken or noticed, whatever its form`(goods: String) {
        let parsed = Layout.parse(receipt("\(goods)\nKUCHEN   3,40 A", "18,40", change: "1,60"))
        #expect(parsed.state != .proven || parsed.items[0].quantity.value.thousandths == 2_000, "\(parsed.summary)")
    }

    @Test func `A sign glued to the name counts as one with a blank`() {
        let parsed = Layout.parse(
            receipt("2xDÖNER  13,00 A\n1xAYRAN   2,00 A\n1xKUCHEN   3,40 A", "18,40", change: "1,60"), source: .text)
        #expect(parsed.items.map(\.name.value) == ["DÖNER", "AYRAN", "KUCHEN"])
        #expect(parsed.items.map(\.quantity.value.thousandths) == [2_000, 1_000, 1_000])
    }

    @Test func `A weight between two goods is nobody's when nothing tells the way`() {
        let parsed = Layout.parse(
            receipt("KUCHEN  3,40 A\n  0,722 kg\nWURST  13,00 A\nBROT   2,00 A", "18,40", change: "1,60"))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `A line of another sort does not tell the way between two goods of one price`() {
        let parsed = Layout.parse(
            receipt(
                "0,200 KG x 9,90\nSCHINKEN  1,98 B\nSEMMEL  1,95 B\n3 ST x 0,65\nBREZE  1,95 B", "5,88", change: "14,12"
            ))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `One piece beside a good of twice its price may be two`() {
        let parsed = Layout.parse(
            receipt("KÄSE  2,29 B\n1 x 2,29\nTHUNFISCH  4,58 B\nBREZE  1,95 B", "8,82", change: "11,18"))
        #expect(parsed.reasons.contains(.quantityAmbiguous))
    }

    @Test func `An amount that the sum put right may make a quantity line the neighbour's`() {
        let parsed = Layout.parse(
            receipt(
                "LEBERKÄSE  1,84 B\n0,132 kg x 12,40\nEXTRAWURST  1,64 B\nBROT   2,00 B", "5,28", change: "14,72"))
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }
}
