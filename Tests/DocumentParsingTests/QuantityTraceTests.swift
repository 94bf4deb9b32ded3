import DocumentParsing
import Domain
import Recognition
import Testing

/// Parts of a lost quantity elsewhere on the receipt. If the item is read as one piece, the sum is still right.
@Suite(.timeLimit(.minutes(5))) struct `Remains of lost quantities` {
    /// Returns a receipt whose first item costs 3,98, with correct total and change.
    private func receipt(_ first: String) -> ParsedReceipt {
        Layout.parse(
            """
            LADEN
            12345 Ort
            \(first)
            KAFFEE       5,49 A
            SALZ         1,19 A
            SUMME       10,66
            BAR         20,00
            Rückgeld     9,34
            """)
    }

    private func pricedReceipt(_ name: String) -> ParsedReceipt {
        receipt(name + String(repeating: " ", count: max(2, 24 - name.count)) + "3,98 A")
    }

    @Test(arguments: [
        "BROT 0,456", "0,456 BROT", "BROT 8,73", "BROT 0456 kg", "BROT kg", "BROT 1,89/100g", "BROT 1,99/Stk",
        "BROT 0,456 warm 8,73",
    ])
    func `marks the quantity as unconfirmed if a name contains parts of a weight or base price`(name: String) {
        #expect(pricedReceipt(name).reasons.contains(.quantityUnconfirmed))
    }

    @Test(arguments: [
        "BROT 2x199", "BROT 199", "BROT 2x1,89", "BROT 2+1,99", "BROT €x", "BROT *2", "BROT 2*", "BROT 2 à",
        "BROT (2)", "BROT (2 Stk)", "BROT (2 St.)", "BROT 2 Pkg.", "BROT je 1,99", "2BROT", "x BROT", "BROT 4x0,66",
        "BROT 4x0,9",
        "BROT 2726x-4-", "BROT 100G 2 3,98",
    ])
    func `leaves a receipt for review if a name contains a count with a lost or misread price`(name: String) {
        let parsed = pricedReceipt(name)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test(arguments: [
        "COLA 4x0,33", "BIER 20x0,5", "SAFT 6x330ml", "FRITZ KOLA 0,33", "RED BULL 0,25", "EIER 10 STK",
        "EIER (10 STK)", "KIWI (3 STK)", "BURRATA (1 Stk)", "MEHL TYP 405",
        "KAFFEE 500", "HEMD statt 9,95", "WASSER 6x1,5L", "SPÜLI 0,750 l", "GURKE STK", "3D PUZZLE", "KARTOFFELN 5 kg",
        "MILCH 3,5%", "5er PACK", "7UP DOSE", "KNOBL. 2ST", "TÜCHER 15x24", "EIER 10 St. KL. M",
        "SAFT 0,71", "WASSER 6x1,51",
    ])
    func `proves an item whose name contains a size, a former price or a model number`(name: String) {
        let parsed = pricedReceipt(name)
        #expect(parsed.state == .proven, "\(parsed.reasons)")
    }

    @Test func `proves a weighed item whose name ends in its unit`() {
        func receipt(_ weight: String) -> ParsedReceipt {
            Layout.parse(
                """
                LADEN
                12345 Ort
                APFEL kg
                  \(weight)    0,82 A
                KAFFEE       5,49 A
                SALZ         1,19 A
                SUMME        7,50
                BAR         20,00
                Rückgeld    12,50
                """)
        }
        let parsed = receipt("0,410 kg x 1,99 EUR/kg")
        #expect(parsed.state == .proven, "\(parsed.reasons)")
        #expect(parsed.items[0].quantity.value.figure() == "0,410")
        #expect(receipt("            ").reasons.contains(.quantityUnconfirmed))
    }

    @Test(arguments: ["BANANEN 0,331", "COLA 1,251", "BIER 0,331"])
    func `does not prove one piece if a name ends in three decimals, unless they are litres`(name: String) {
        #expect(pricedReceipt(name).reasons.contains(.quantityUnconfirmed))
        let deposit = Layout.parse(
            "LADEN\n12345 Ort\n\(name)          3,98 A\nPFAND        0,25 A\nSALZ         1,19 A\nSUMME        5,42\nBAR          6,00\nRückgeld     0,58"
        )
        #expect(deposit.state == .proven, "\(deposit.reasons)")
        var document = Layout.document(
            "LADEN\n12345 Ort\n\(name)          3,98 A\nSALZ         1,19 A\nSUMME        5,17\nBAR          6,00\nRückgeld     0,83"
        )
        for line in document.pages[0].lines.indices {
            for word in document.pages[0].lines[line].secondEngineWords.indices {
                let text = document.pages[0].lines[line].secondEngineWords[word].text
                guard ["0,331", "1,251"].contains(text) else { continue }
                document.pages[0].lines[line].secondEngineWords[word].text = text.dropLast() + "l"
            }
        }
        let readAsLitres = ReceiptParser(today: Layout.today).parse(document)
        #expect(readAsLitres.state == .proven, "\(readAsLitres.reasons)")
    }

    @Test(arguments: ["6x0,26", "26x0,25", "6x025"])
    func `leaves a receipt for review if a deposit's count does not match its amount`(figures: String) {
        #expect(receipt("PFAND \(figures)    3,98 A").state != .proven)
    }

    @Test(arguments: ["2", "7", "x", "Stk", "kg", "a x", "Z St", "EUR/kg", "zwei Stück"])
    func `does not prove a receipt with remains of a quantity line, even after a reread`(line: String) {
        let document = Layout.document(
            """
            LADEN
            12345 Ort
            BROT         3,98 A
              \(line)
            KAFFEE       5,49 A
            SALZ         1,19 A
            SUMME       10,66
            BAR         20,00
            Rückgeld     9,34
            """)
        let parser = ReceiptParser(today: Layout.today)
        let first = parser.parse(document)
        #expect(first.reasons.contains(.unexplainedLine))
        let answers = first.rereads.map { request in
            RereadAnswer(
                request: request, readings: [RecognizedWord(text: line, box: request.box, confidence: 90)])
        }
        #expect(parser.parse(document, rereads: answers).state != .proven)
    }

    @Test func `ignores a single character at the height of another row`() throws {
        var document = Layout.document(
            """
            LADEN
            12345 Ort
            BROT         3,98 A
              7
            KAFFEE       5,49 A
            SUMME        9,47
            BAR         20,00
            Rückgeld    10,53
            """)
        // Moves all lines after the character up, so that it overlaps the next row.
        let index = try #require(document.pages[0].lines.firstIndex { $0.words[0].text == "7" })
        for line in document.pages[0].lines.indices where line > index {
            for word in document.pages[0].lines[line].words.indices {
                document.pages[0].lines[line].words[word].box.y -= 24
            }
        }
        #expect(ReceiptParser(today: Layout.today).parse(document).state == .proven)
    }

    @Test func `ignores dirt between two items if a reread finds nothing`() {
        let document = Layout.document(
            """
            LADEN
            12345 Ort
            BROT         3,98 A
              7
            KAFFEE       5,49 A
            SUMME        9,47
            BAR         20,00
            Rückgeld    10,53
            """)
        let parser = ReceiptParser(today: Layout.today)
        let answers = parser.parse(document).rereads.map { RereadAnswer(request: $0, readings: []) }
        #expect(!answers.isEmpty)
        #expect(parser.parse(document, rereads: answers).state == .proven)
    }

    /// The program reads the area of blank rows again.
    @Test(arguments: [
        ("2 x 1.18", false), ("2x8", false), ("1,49", false), ("nn em u — 1 nn", true),
        ("— 00: Bu nn en — .— nn", true),
        ("u", true),
    ])
    func `reports a gap if its reread looks like a quantity, whatever the confidence`(text: String, isBlank: Bool) {
        let document = Layout.document(
            """
            LADEN
            12345 Ort
            BROT         1,19 A
            2 x 1,20
            SALZ         2,40 A
            MEHL         2,98 A

            KAFFEE       5,49 A
            ZUCKER       0,99 A
            SUMME       13,05
            BAR         20,00
            Rückgeld     6,95
            """)
        let parser = ReceiptParser(today: Layout.today)
        let first = parser.parse(document)
        #expect(first.reasons.contains(.gapBetweenLines))
        let answers = first.rereads.map {
            RereadAnswer(request: $0, readings: [RecognizedWord(text: text, box: $0.box, confidence: 20)])
        }
        #expect(parser.parse(document, rereads: answers).reasons.contains(.gapBetweenLines) != isBlank)
    }

    @Test func `leaves a receipt for review if a quantity line is merged into a discount or the next item`() {
        let discount = Layout.parse(
            """
            LADEN
            12345 Ort
            SCHOKOLADE               2,58 B
            PENNY 2 Stk APP x COUPON 1,29   -0,50 B
            SALZ                     1,19 B
            SUMME                    3,27
            BAR                      5,00
            Rückgeld                 1,73
            """)
        #expect(discount.state != .proven, "\(discount.summary)")
        let next = Layout.parse(
            """
            LADEN
            12345 Ort
            BIO JOGHURT              2,97 A
            RED 3 BULL X 0,25 0,99   3,18 A
            2 X 1,59
            SALZ                     1,19 A
            SUMME                    7,34
            BAR                     10,00
            Rückgeld                 2,66
            """)
        #expect(next.state != .proven, "\(next.summary)")
    }

    @Test func `leaves a receipt for review if the name contains parts of a weight line`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            1,045kg Aprikosen x 2,99   3,12 A
            SALZ                       1,19 A
            SUMME                      4,31
            BAR                        5,00
            Rückgeld                   0,69
            """)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }

    @Test func `does not confirm a weight by the article count`() {
        let parsed = Layout.parse(
            """
            EDEKA
            04229 Leipzig
            Milch                 1,19 A
            Joghurt    0,45 € x 2 0,90 A
            Bananen x 2,69        0,95 A
            Käse                  2,78 A
            Posten: 5
            SUMME                 5,82
            Bar                   6,00
            Rückgeld              0,18
            """)
        #expect(parsed.reasons.contains(.quantityUnconfirmed), "\(parsed.summary)")
    }

    @Test func `marks a kilogram price with a fraction of a cent as unconfirmed`() {
        let parsed = Layout.parse(
            """
            LADEN
            12345 Ort
            Bananen               0,95 A
            0,531 kg x 1,791
            Käse                  2,78 A
            SUMME                 3,73
            Bar                   4,00
            Rückgeld              0,27
            """)
        #expect(parsed.reasons.contains(.quantityUnconfirmed), "\(parsed.summary)")
    }

    @Test func `leaves a receipt for review if a gap between name and amount may hide the quantity`() {
        let parsed = Layout.parse(
            """
            TANKSTELLE
            12345 Ort
            Kaffee                2,20 A
            Wasser                1,80 A
            Super E10

                                 70,05 A
            SUMME                74,05
            BAR                 100,00
            Rückgeld             25,95
            """)
        #expect(parsed.state != .proven, "\(parsed.summary)")
    }
}
