import DocumentParsing
import Domain
import Recognition
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Confirmation of figures` {
    private func receipt(_ lines: String, _ tail: String) -> String {
        "LADEN\n12345 Ort\n                     EUR\n\(lines)\n\(tail)\n"
    }

    private func answers(
        _ receipt: ParsedReceipt, _ readings: some Sequence<(row: Int, texts: [String])>, confidence: Int
    )
        -> [RereadAnswer]
    {
        receipt.rereads.map { request in
            let row = readings.first { abs(request.box.doubleMidY - 2 * (29 + $0.row * 24)) < 24 }
            return RereadAnswer(
                request: request,
                readings: (row?.texts ?? []).map {
                    RecognizedWord(text: $0, box: request.box, confidence: confidence)
                })
        }
    }

    @Test func `takes a total with a lost last digit from payment, change and tax table`() {
        let parsed = Layout.parse(
            receipt(
                "PUDER         2,75 1\nLACK          1,55 1\nLACK ROT      1,55 1",
                "SUMME         5,8\nBAR          10,00\nRückgeld      4,15\nMwSt  Brutto  Netto  MwSt\n1=19,00%  5,85  4,92  0,93"
            ))
        #expect(parsed.total?.value.figure() == "5,85")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `confirms a weight without a price if two rereads agree, even with low confidence`() {
        let text = receipt(
            "WURST         1,45 B\nHandeingabe E-Bon 0,091 kg\nBROT          2,24 B\nSALZ   1,16 B\nMEHL   0,79 B\nWEIN   5,49 B",
            "SUMME        11,13\nKARTE        11,13")
        let first = Layout.parse(text)
        #expect(first.reasons == [.quantityUnconfirmed])
        let agreeing = answers(first, [(4, ["Handeingabe 0,091 kg", "Handeingabe. 0,091 kg"])], confidence: 20)
        #expect(Layout.parse(text, rereads: agreeing).state == .proven)
        let differing = answers(first, [(4, ["Handeingabe 0,091 kg", "Handeingabe 0,081 kg"])], confidence: 20)
        #expect(Layout.parse(text, rereads: differing).reasons == [.quantityUnconfirmed])
    }

    @Test func `does not prove a receipt whose weight or kilogram price was lost`() {
        let tail = "SUMME        11,13\nKARTE        11,13"
        for line in ["Handeingabe E-Bon kg", "0,326 kg x 26,5 EUR/kg"] {
            let parsed = Layout.parse(
                receipt(
                    "WURST  1,45 B\n\(line)\nBROT  2,24 B\nSALZ  1,16 B\nMEHL  0,79 B\nWEIN  5,49 B", tail))
            #expect(parsed.state == .review, "\(line)")
        }
    }

    @Test func `does not read sizes in names as quantities`() {
        let parsed = Layout.parse(
            receipt(
                "Eier Frei. 10 St.        1,83 B\nMüllbeutel 20L 30ST      2,12 A\nPils Kiste 6X0,33       10,02 A\nSEMMEL   5 x 0,25        1,25 B",
                "SUMME   15,22\nKARTE   15,22"))
        #expect(
            parsed.summary == [
                "Eier Frei. 10 St. 1 Stk 1,83 1,83 B item", "Müllbeutel 20L 30ST 1 Stk 2,12 2,12 A item",
                "Pils Kiste 6X0,33 1 Stk 10,02 10,02 A item", "SEMMEL 5 Stk 0,25 1,25 B item",
            ])
    }

    @Test func `reads characters that look like slashed zeros as zeros`() {
        let parsed = Layout.parse(
            receipt("COLA ®,33L  1,78 D\nPFAND       ®,5® D\nSEIFE 5@®ML  2,38 D", "SUMME   4,66\nKARTE   4,66"))
        #expect(parsed.items.map(\.name.value) == ["COLA 0,33L", "PFAND", "SEIFE 500ML"])
        #expect(parsed.items[1].total?.value.figure() == "0,50")
    }

    @Test(arguments: [
        "Milch 3,29% 2  6,58 A", "Milch 3,29%  6,58 A", "Milch 329% 2   6,58 A", "Milch ,29 x    6,58 A",
        "Milch 2 Stk    6,58 A", "Milch      2   6,58 A", "PFAND 3,29     6,58 A",
    ])
    func `does not prove a quantity of one if the name has remains of a quantity`(line: String) {
        let parsed = Layout.parse(
            receipt("\(line)\nBROT   2,49 A", "SUMME   9,07\nBar   9,07").replacing("329% 2 ", with: "329%  2"))
        #expect(parsed.state == .review || parsed.items[0].quantity.value.figure() == "2", "\(parsed.summary)")
    }

    private func readOnce(_ text: String) -> ParsedReceipt {
        ReceiptParser(today: Layout.today).parse(Layout.document(text, readTwice: false))
    }

    /// Parses the page as read by two engines. The second engine misreads the words in `misread`.
    ///
    /// - Parameter reread: the text that is read when places are read again.
    private func readTwice(_ text: String, misread: [String: String] = [:], reread: String? = nil) -> ParsedReceipt {
        var document = Layout.document(text)
        for index in document.pages[0].lines.indices {
            document.pages[0].lines[index].secondEngineWords = document.pages[0].lines[index].words.map { word in
                RecognizedWord(text: misread[word.text] ?? word.text, box: word.box, confidence: 95, costs: [10])
            }
        }
        let parser = ReceiptParser(today: Layout.today)
        let first = parser.parse(document)
        guard let reread else { return first }
        let answers = first.rereads.map { request in
            RereadAnswer(
                request: request, readings: [RecognizedWord(text: reread, box: request.box, confidence: 90)])
        }
        return parser.parse(document, rereads: answers)
    }

    /// Parses a receipt with two amounts that the engines read differently on the whole line. `alone` has the texts
    /// that the second engine reads when it reads only the place of each amount.
    private func readAlone(_ alone: [String]) -> ParsedReceipt {
        let text = receipt(
            "Kakao   1,79 A\nBrot    2,49 A\nMilch   1,19 A\nSalz    0,89 A", "Summe   6,36\nKarte   6,36")
        var document = Layout.document(text)
        let misread = ["1,79": "11,79", "2,49": "22,49"]
        for index in document.pages[0].lines.indices {
            document.pages[0].lines[index].secondEngineWords = document.pages[0].lines[index].words.map { word in
                guard let other = misread[word.text] else {
                    return RecognizedWord(text: word.text, box: word.box, confidence: 95, costs: [5])
                }
                return RecognizedWord(
                    text: other, box: word.box, confidence: 40, alternatives: [word.text], costs: [90, 480])
            }
        }
        let parser = ReceiptParser(today: Layout.today)
        let answers = parser.parse(document).rereads.map { request in
            // The row at the centre of the box.
            let row = (request.box.doubleMidY / 2 - 29 + 12) / 24
            let first = [3: "1,79", 4: "2,49"][row]
            return RereadAnswer(
                request: request,
                readings: first.map { [RecognizedWord(text: $0, box: request.box, confidence: 95)] } ?? [],
                secondEngineReadings: alone.indices.contains(row - 3)
                    ? [RecognizedWord(text: alone[row - 3], box: request.box, confidence: 80, costs: [22])] : [])
        }
        return parser.parse(document, rereads: answers)
    }

    @Test func `confirms an amount that both engines read when each reads only its place`() {
        let parsed = readAlone(["1,79", "2.49"])
        #expect(parsed.items.map { $0.total?.value.figure() } == ["1,79", "2,49", "1,19", "0,89"])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
        #expect(readAlone(["11,79", "22,49"]).state == .review)
    }

    @Test func `does not confirm a sign that neither engine reads`() {
        let parsed = readTwice(
            receipt("LEERGUT    0,25 A\nBROT       4,36 A\nKÄSE       3,00 A", "Summe   7,11\nKarte   7,11"))
        #expect(parsed.items[0].total?.value.figure() == "-0,25")
        #expect(parsed.reasons.contains(.repairUnconfirmed), "\(parsed.reasons)")
    }

    @Test(arguments: ["2,49*", "/2,49", "2.49%"]) func `ignores marks beside an amount when engines are compared`(
        other: String
    ) {
        let text = receipt("Kakao   1,79 A\nBrot    2,49# A\nMilch   1,19 A", "Summe   5,47\nKarte   5,47")
        let parsed = readTwice(text, misread: ["2,49#": other, "1,79": other == "/2,49" ? "/1,79" : "1,79*"])
        #expect(parsed.items.map { $0.total?.value.figure() } == ["1,79", "2,49", "1,19"])
        #expect(!parsed.reasons.contains(.totalUnconfirmed), "\(parsed.reasons)")
    }

    @Test func `keeps the second engine's date if a reread only repeats the first engine's date`() {
        let text = receipt(
            "Brokkoli           2,02 A\nMilch              1,19 A",
            "Summe   3,21\nBar     5,00\nRückgeld  1,79\n07.03.2026 10:12")
        let parsed = readTwice(text, misread: ["07.03.2026": "01.03.2026"], reread: "07.03.2026 10:12")
        #expect(parsed.date?.value.iso == "2026-03-01")
        #expect(parsed.reasons.contains(.dateUnconfirmed))
        let other = readTwice(text, misread: ["07.03.2026": "01.03.2026"], reread: "08.03.2026 10:12")
        #expect(other.date?.value.iso == "2026-03-08")
    }

    @Test func `does not read litres as the price if their unit was lost`() {
        let tail = "KAFFEE  2,00 A\nSumme  84,10\nBar  84,10"
        let rate = readTwice(receipt("Super E10     82,10 A\n  49,79 x 1,649 EUR/l", tail))
        #expect(rate.items[0].quantity.value.figure() == "49,79")
        #expect(readTwice(receipt("Super E10     82,10 A\n  49,79 x 1,649", tail)).state == .review)
    }

    @Test func `reads a deposit with a plus sign as a deposit, and marks an item sold with a deposit as doubtful`() {
        let tail = "Brot  2,00 A\nSumme  2,75\nBar  2,75"
        #expect(readTwice(receipt("3x + Pfand 0,25 EUR      0,75 A", tail)).items[0].kind == .deposit)
        let good = readTwice(receipt("Cola + Pfand      0,75 A", tail))
        #expect(good.items[0].kind == .item)
        #expect(good.reasons.contains(.kindDoubtful))
    }

    @Test func `reads litres, counts beside weights, and a date without a space before the time`() {
        let fuel = readTwice(
            receipt(
                "Super 95\n 17,63 Liter 1,849 EUR/L    32,60 A\nBrot   2,00 A",
                "Summe  34,60\nBar  34,60\n2026-03-0717:19"))
        #expect(fuel.items[0].quantity.value.figure() == "17,63")
        #expect(fuel.date?.value.iso == "2026-03-07")
        let counted = readTwice(
            receipt(
                "3 JOGHURT CHF    3.15\n1 SEIFE CHF    1.50\nAEPFEL\n 0,500 kg x 4,00 CHF/kg   2.00",
                "Summe CHF  6.65\nVISA CHF  6.65"))
        #expect(counted.items[0].name.value == "JOGHURT")
        #expect(counted.items[0].quantity.value.figure() == "3")
    }

    @Test func `does not accept a misread amount that differs by a cent from quantity times unit price`() {
        let text = receipt(
            "Rettich            1,19 A\nTomaten            1,03 A\n  0,574 kg x 1,79 EUR/kg\nSalz   2,00 A",
            "Summe   4,22\nKarte   4,22\n07.03.2026 10:12")
        #expect(readTwice(text, misread: ["1,19": "1,20", "1,03": "1,02"]).state == .review)
    }

    @Test func `proves a weight and a date that two engines read alike`() {
        let text = receipt(
            "Brokkoli           2,02 A\n  0,562 kg x 3,59 EUR/kg\nMilch              1,19 A",
            "Summe   3,21\nBar     5,00\nRückgeld  1,79\n07.03.2026 10:12")
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
        let weight = readTwice(text, misread: ["0,562": "0,563"])
        #expect(weight.reasons.contains(.quantityUnconfirmed))
        let price = readTwice(text, misread: ["3,59": "3,60"])
        #expect(price.reasons.contains(.quantityUnconfirmed))
        let day = readTwice(text, misread: ["07.03.2026": "01.03.2026"])
        #expect(day.reasons.contains(.dateUnconfirmed))
    }

    private static let itemLines = "BROT  4,79 A\nWEIN  3,26 A\nRABATT  -1,00 A"

    @Test func `proves a total without a payment if two engines read the same amounts`() {
        let text = receipt(Self.itemLines, "SUMME  7,05\n07.03.2026 10:12")
        #expect(readOnce(text).reasons.contains(.totalUnconfirmed))
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
        #expect(readTwice(text, misread: ["4,79": "4,19"]).reasons.contains(.totalUnconfirmed))
        // A single amount equals the total, so both may be misread alike.
        let single = receipt("BROT  4,79 A", "SUMME  4,79\n07.03.2026 10:12")
        #expect(readTwice(single).reasons.contains(.totalUnconfirmed))
    }

    @Test(arguments: [["4,79": "4,7 9"], ["3,26": "326"], ["7,05": "7.05"]])
    func `treats readings as equal despite a blank, a lost or replaced comma or the letter O`(misread: [String: String])
    {
        let text = receipt(Self.itemLines, "SUMME  7,05\n07.03.2026 10:12")
        #expect(readTwice(text, misread: misread).state == .proven)
        let zeros = receipt("BROT  4,09 A\nWEIN  4,95 A", "SUMME  9,04\n07.03.2026 10:12")
        #expect(readTwice(zeros, misread: ["4,09": "4,O9"]).state == .proven)
        #expect(readTwice(zeros, misread: ["4,09": "4,69"]).state != .proven)
    }

    @Test func `confirms a count before an item if two engines read it`() {
        let text = receipt(
            "2x 4711123 Chips  2,20 A\n1x 4711124 Brot  3,40 A\n3x 4711125 Milch  3,57 A",
            "SUMME  9,17\nBAR  9,17\n07.03.2026 10:12")
        #expect(readOnce(text).reasons.contains(.quantityUnconfirmed))
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
        #expect(readTwice(text).items.map(\.quantity.value.plain) == ["2.000", "1.000", "3.000"])
        #expect(readTwice(text, misread: ["3x": "8x"]).reasons.contains(.quantityUnconfirmed))
    }

    @Test func `does not read a former price as an item`() {
        let text = receipt(
            "BROT  2,95 A\nAktion statt 3,20\nSALZ  1,16 A", "SUMME  4,11\nBAR  5,00\nRückgeld  0,89\n07.03.2026 10:12")
        #expect(readTwice(text).items.count == 2)
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
    }

    @Test func `reports a page of thousands of lines as too long`() {
        let lines = (0..<2_500).map { "WARE \($0)  \($0 % 9),\(10 + $0 % 90) A" }.joined(separator: "\n")
        let read = Layout.parse(receipt(lines, "SUMME  4,11"))
        #expect(read.reasons.contains(.tooLong))
    }
}
