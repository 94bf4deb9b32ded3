import DocumentParsing
import Domain
import Recognition
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Repair by sums` {
    private func receipt(_ lines: String, total: String = "7,11") -> String {
        "LADEN\n12345 Ort\n                 EUR\n\(lines)\nSUMME            \(total)\nBAR              \(total)\n"
    }

    @Test func `restores a lost decimal comma and gives the reason`() {
        let parsed = Layout.parse(receipt("BROT             2,95 A\nSALZ              116 A\nKÄSE             3,00 A"))
        #expect(parsed.items.map { $0.total?.value.minorUnits } == [295, 116, 300])
        #expect(parsed.items[1].total?.repair?.text(.german) == "1,16 statt 116: Summe")
    }

    @Test func `restores a lost comma and a VAT class after a dash despite a misread unit price`() {
        let parsed = Layout.parse(
            receipt(
                "BROT             2,95 A\nMILCH            270-8\n  2 Stk x     1,96\nKÄSE             3,00 A",
                total: "8,65"))
        #expect(parsed.items.map { $0.total?.value.figure() } == ["2,95", "2,70", "3,00"])
        #expect(parsed.state == .review)
    }

    @Test func `corrects a misread digit if only one line can contain it, and leaves the receipt for review`() {
        let parsed = Layout.parse(receipt("BROT             2,95 A\nSALZ             7,16 A\nKÄSE             3,00 A"))
        #expect(parsed.items[1].total?.value.figure() == "1,16")
        #expect(parsed.items[1].total?.isDoubtful == true)
        #expect(parsed.state == .review)
    }

    @Test func `prefers the printed total to an item and a payment with zeros misread as eights`() {
        let parsed = Layout.parse(
            """
            EDEKA
            77146 Altenfurt
                                     EUR
            0,361 kg x 2,79 EUR/kg
            Zwets.                  1,01 A
            Nord. Pap. Mix 5        2,18 A
            Handseife  1,49 x 2     2,98 B
            Eisb. ST                1,39 A
            Posten: 4
            SUMME EUR               7,48
            Bar EUR                10,08
            Rückgeld Bar EUR       -2,52
            MwSt    NETTO  MwSt  UMSATZ
            A 7%     4,21  8,29    4,50
            B 19%    2,58  8,48    2,98
            19.07.2024 10:31
            """)
        #expect(parsed.total?.value.figure() == "7,48")
        #expect(parsed.items.map { $0.total?.value.figure() } == ["1,01", "2,10", "2,98", "1,39"])
        #expect(parsed.state == .review)
    }

    @Test func `changes nothing if two lines can contain the misread digit`() {
        let parsed = Layout.parse(receipt("BROT             7,16 A\nSALZ             7,16 A", total: "8,32"))
        #expect(parsed.items.map { $0.total?.value.figure() } == ["7,16", "7,16"])
        #expect(parsed.reasons.contains(.sumDiffers))
    }

    @Test func `makes returned empties without a minus sign negative if the sum requires it`() {
        let parsed = Layout.parse(receipt("LEERGUT          0,25 A\nBROT             4,36 A\nKÄSE             3,00 A"))
        #expect(parsed.items[0].total?.value.figure() == "-0,25")
        #expect(parsed.items[0].kind == .depositReturn)
    }

    @Test func `takes a reread that completes the sum`() {
        let text = receipt("BROT             2,95 A\nSALZ             2,16 A\nKÄSE             3,00 A")
        let first = Layout.parse(text)
        #expect(first.reasons.contains(.sumDiffers))
        let answers = first.rereads.map { request in
            RereadAnswer(
                request: request,
                readings: abs(request.box.doubleMidY - 2 * 125) > 12
                    ? [] : [RecognizedWord(text: "1,16", box: request.box, confidence: 90)])
        }
        let second = Layout.parse(text, rereads: answers)
        #expect(second.items[1].total?.value.figure() == "1,16")
        #expect(second.items[1].total?.repair?.reason == .reread)
    }
}
