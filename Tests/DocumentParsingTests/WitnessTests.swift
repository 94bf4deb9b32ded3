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

    @Test func `Takes a total with a lost last digit from payment, change and tax table`() {
        let parsed = Layout.parse(
            receipt(
                "PUDER         2,75 1\nLACK          1,55 1\nLACK ROT      1,55 1",
                "SUMME         5,8\nBAR          10,00\nRückgeld      4,15\nMwSt  Brutto  Netto  MwSt\n1=19,00%  5,85  4,92  0,93"
            ))
        #expect(parsed.total?.value.figure() == "5,85")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `Proves a total by five clear amounts, not by two or by amounts with low confidence`() {
        let lines = ["BROT  2,95", "SALZ  1,16", "KÄSE  3,00", "MEHL  0,79", "WEIN  5,49"]
        let tail = "SUMME            13,39\nBAR              20,00"
        #expect(Layout.parse(receipt(lines.map { $0 + " A" }.joined(separator: "\n"), tail)).state == .proven)
        let few = Layout.parse(receipt("BROT  7,90 A\nWEIN  5,49 A", tail))
        #expect(few.reasons == [.totalUnconfirmed])
        let faint = Layout.document(receipt(lines.map { $0 + " A" }.joined(separator: "\n"), tail), confidence: 50)
        #expect(ReceiptParser(today: Layout.today).parse(faint).reasons.contains(.totalUnconfirmed))
    }

    @Test func `Reads an article count after dirt, and a banknote as the payment`() {
        let goods = "BROT  2,95 A\nSALZ  1,16 A\nKÄSE  3,00 A\nMEHL  0,79 A\n09 Posten: 4\nSUMME   7,90\n"
        let parsed = Layout.parse(receipt(goods, "dar  20,00\nRückgel  x"))
        #expect(parsed.articleCount == 4)
        #expect(parsed.state == .proven, "\(parsed.reasons)")
        #expect(Layout.parse(receipt(goods, "dar  17,10\nRückgel  x")).reasons.contains(.totalUnconfirmed))
        // Without a word for change, 20,00 may be the true total. With other change, 20,00 is not the payment.
        #expect(Layout.parse(receipt(goods, "dar  20,00\nDanke  x")).reasons.contains(.totalUnconfirmed))
        #expect(Layout.parse(receipt(goods, "dar  20,00\nRückgeld  2,10")).reasons.contains(.totalUnconfirmed))
    }

    @Test func `Leaves a receipt for review if a confused digit fits all sums`() {
        let tail = "SUMME             5,87\nKARTE             5,87"
        let parsed = Layout.parse(receipt("BROT  1,82 A\nWEIN  2,11 A\nMEHL  1,94 A", tail))
        #expect(parsed.reasons.contains(.totalUnconfirmed))
    }

    @Test func `Reads eights as zeros in a tax table that confirms the total`() {
        let parsed = Layout.parse(
            """
            LADEN
            12346 Ort
                                EUR
            Fruchtring         1,04 A
            zu zahlen          1,04
            Kreditkarte        1,84
            MwSt%  MwSt + Netto = Brutto
            A 5%   8,085  8,99    1,84
            Summe  8,05   8,99    1,84
            13.08.2025 13:41
            Datum 13.08.2025
            """)
        #expect(parsed.total?.value.figure() == "1,04")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `Reads eights as zeros if the tax table allows only one solution`() {
        let parsed = Layout.parse(
            receipt(
                "WODKA  0,7L      18,75 D\nWODKA  0,7L      18,75 D\nLIKÖR            11,88 D\nTOFU              2,85 C",
                """
                SUMME            36,15
                KARTE            36,15
                MWST   Netto  MWST  BRUTTO
                C 7,00%   2,66   0,19   2,85
                D 19,00%  27,98  5,32  33,30
                """))
        #expect(parsed.items.map { $0.total?.value.figure() } == ["10,75", "10,75", "11,80", "2,85"])
        #expect(parsed.state == .review)
    }

    @Test func `Ignores dirt in a tax row that is right without it`() {
        let parsed = Layout.parse(
            receipt(
                "CHICKEN  3,99 E\nBROT     3,10 E\nKIWI     1,99 E\nOBST     2,99 E",
                "SUMME   12,07\nKARTE   12,07\nMehrwertst. ohne MwSt mit MwSt\nE 7,0%  0,793  11,28  12,07"))
        #expect(parsed.taxTable.map(\.tax) == [79])
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `Restores an unreadable digit by the sum only if every other line was read twice`() {
        let tail = "SUMME   12,07\nKARTE   12,07\nMwSt    ohne MwSt mit MwSt\nE 7,0%  0,79  11,28  12,07"
        let text = receipt("CHICKEN  3,99 E\nBROT     3,°0 E\nKIWI     1,99 E\nOBST     2,99 E", tail)
        let first = Layout.parse(text)
        #expect(first.items[1].total?.value.figure() == "3,10")
        #expect(first.reasons.contains(.repairUnconfirmed))
        let again = [(row: 3, texts: ["3,99"]), (row: 5, texts: ["1,99"]), (row: 6, texts: ["2,99"])]
        let sure = Layout.parse(text, rereads: answers(first, again, confidence: 90))
        #expect(sure.state == .proven, "\(sure.reasons)")
        let doubtful = Layout.parse(text, rereads: answers(first, again.dropLast(), confidence: 90))
        #expect(doubtful.reasons.contains(.repairUnconfirmed))
    }

    @Test func `Confirms a weight without a price if two rereads agree, whatever the confidence`() {
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

    @Test func `Does not prove a receipt whose weight or kilogram price was lost`() {
        let tail = "SUMME        11,13\nKARTE        11,13"
        for line in ["Handeingabe E-Bon kg", "0,326 kg x 26,5 EUR/kg"] {
            let parsed = Layout.parse(
                receipt(
                    "WURST  1,45 B\n\(line)\nBROT  2,24 B\nSALZ  1,16 B\nMEHL  0,79 B\nWEIN  5,49 B", tail))
            #expect(parsed.state == .review, "\(line)")
        }
    }

    @Test func `Confirms a date if a reread repeats it, whatever the confidence`() {
        let text = receipt(
            "BROT  2,95 A\nSALZ  1,16 A", "SUMME   4,11\nKARTE   4,11\nDatum: 07.01.2026\nUhrzeit: 11:38 Uhr")
        let first = Layout.parse(text)
        #expect(first.reasons == [.dateUnconfirmed])
        let same = answers(first, [(7, ["97.01,2026", "07.01.2026"])], confidence: 10)
        #expect(Layout.parse(text, rereads: same).state == .proven)
    }

    @Test func `Does not read sizes in names as quantities`() {
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

    @Test func `Reads characters that look like slashed zeros as zeros`() {
        let parsed = Layout.parse(
            receipt("COLA ®,33L  1,78 D\nPFAND       ®,5® D\nSEIFE 5@®ML  2,38 D", "SUMME   4,66\nKARTE   4,66"))
        #expect(parsed.items.map(\.name.value) == ["COLA 0,33L", "PFAND", "SEIFE 500ML"])
        #expect(parsed.items[1].total?.value.figure() == "0,50")
    }

    @Test func `Reads a table of weights as the first item, and reports a misread weight`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            WURST
               kg   EURO/kg   EURO
              0,804   15,09   12,13 C
            ÄPFEL ELSTAR
               kg   EURO/kg   EURO
              1,576    3,29    4,97 C
            SAHNE             0,85 C
            ZU ZAHLEN        17,95
            KARTE            17,95
            """)
        #expect(parsed.items.map(\.name.value) == ["WURST", "ÄPFEL ELSTAR", "SAHNE"])
        #expect(parsed.items.map { $0.total?.value.figure() } == ["12,13", "4,97", "0,85"])
        #expect(parsed.reasons.contains(.quantityDiffers))
    }

    @Test func `Computes a lost count from amount and unit price, and confirms it by the article count`() {
        let lines = "Milch  0,55 ex   1,10 A\nBROT   2,49 A"
        let parsed = Layout.parse(receipt(lines + "\nPosber: 3", "SUMME   3,59\nBar   3,59"))
        #expect(parsed.items[0].quantity.value.figure() == "2")
        #expect(parsed.items[0].name.value == "Milch")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
        let uncounted = Layout.parse(receipt(lines, "SUMME   3,59\nBar   3,59"))
        #expect(uncounted.reasons == [.quantityUnconfirmed])
    }

    @Test(arguments: [
        "Milch 3,29% 2  6,58 A", "Milch 3,29%  6,58 A", "Milch 329% 2   6,58 A", "Milch ,29 x    6,58 A",
        "Milch 2 Stk    6,58 A", "Milch      2   6,58 A", "PFAND 3,29     6,58 A",
    ])
    func `Does not prove a quantity of one if the name has remains of a quantity`(line: String) {
        let parsed = Layout.parse(
            receipt("\(line)\nBROT   2,49 A", "SUMME   9,07\nBar   9,07").replacing("329% 2 ", with: "329%  2"))
        #expect(parsed.state == .review || parsed.items[0].quantity.value.figure() == "2", "\(parsed.summary)")
    }

    @Test func `Recognises a count with a misread sign by its product, and doubts a lost count`() {
        let tail = "Summe             8,34\nKarte             8,34"
        let whole = Layout.parse(
            receipt("Papier\n  3 + 1,55        4,65 A\nBrot  30ST        2,49 B\nSalz  1KG         1,20 B", tail))
        #expect(whole.items[0].quantity.value.figure() == "3")
        #expect(whole.items.count == 3)
        for line in ["1,55        4,65 A", "3+155       4,65 A", "8 + 1,55    4,65 A"] {
            let parsed = Layout.parse(
                receipt("Papier\n      \(line)\nBrot              2,49 B\nSalz              1,20 B", tail))
            #expect(parsed.state == .review, "\(line)")
        }
    }

    /// Parses the page as read by two engines. The second engine misreads the words in `misread`.
    private func readTwice(_ text: String, misread: [String: String] = [:]) -> ParsedReceipt {
        var document = Layout.document(text)
        for index in document.pages[0].lines.indices {
            document.pages[0].lines[index].witness = document.pages[0].lines[index].words.map { word in
                RecognizedWord(text: misread[word.text] ?? word.text, box: word.box, confidence: 95, costs: [10])
            }
        }
        return ReceiptParser(today: Layout.today).parse(document)
    }

    @Test func `Proves a weight and a date that two engines read alike`() {
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

    private static let goods = "BROT  4,79 A\nWEIN  3,26 A\nRABATT  -1,00 A"

    @Test func `Proves a total without a payment if two engines read the same amounts`() {
        let text = receipt(Self.goods, "SUMME  7,05\n07.03.2026 10:12")
        #expect(Layout.parse(text).reasons.contains(.totalUnconfirmed))
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
        #expect(readTwice(text, misread: ["4,79": "4,19"]).reasons.contains(.totalUnconfirmed))
        #expect(readTwice(text, misread: ["7,05": "7,08"]).reasons.contains(.totalUnconfirmed))
        // A single amount equals the total, so both may be misread alike.
        let lone = receipt("BROT  4,79 A", "SUMME  4,79\n07.03.2026 10:12")
        #expect(readTwice(lone).reasons.contains(.totalUnconfirmed))
    }

    @Test(arguments: [["4,79": "4,7 9"], ["3,26": "326"], ["7,05": "7.05"]])
    func `Ignores other word boundaries, a lost comma and the letter O between two engines`(misread: [String: String]) {
        let text = receipt(Self.goods, "SUMME  7,05\n07.03.2026 10:12")
        #expect(readTwice(text, misread: misread).state == .proven)
        let zeros = receipt("BROT  4,09 A\nWEIN  4,95 A", "SUMME  9,04\n07.03.2026 10:12")
        #expect(readTwice(zeros, misread: ["4,09": "4,O9"]).state == .proven)
        #expect(readTwice(zeros, misread: ["4,09": "4,69"]).state != .proven)
    }

    @Test func `Confirms a count before an item if two engines read it`() {
        let text = receipt(
            "2x 4711123 Chips  2,20 A\n1x 4711124 Brot  3,40 A\n3x 4711125 Milch  3,57 A",
            "SUMME  9,17\nBAR  9,17\n07.03.2026 10:12")
        #expect(Layout.parse(text).reasons.contains(.quantityUnconfirmed))
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
        #expect(readTwice(text).items.map(\.quantity.value.plain) == ["2.000", "1.000", "3.000"])
        #expect(readTwice(text, misread: ["3x": "8x"]).reasons.contains(.quantityUnconfirmed))
    }

    @Test func `Does not read a former price as an item`() {
        let text = receipt(
            "BROT  2,95 A\nAktion statt 3,20\nSALZ  1,16 A", "SUMME  4,11\nBAR  5,00\nRückgeld  0,89\n07.03.2026 10:12")
        #expect(readTwice(text).items.count == 2)
        #expect(readTwice(text).state == .proven, "\(readTwice(text).reasons)")
    }

    @Test func `Reports a page of thousands of lines as too long`() {
        let lines = (0..<2_500).map { "WARE \($0)  \($0 % 9),\(10 + $0 % 90) A" }.joined(separator: "\n")
        let read = Layout.parse(receipt(lines, "SUMME  4,11"))
        #expect(read.reasons.contains(.tooLong))
    }
}
