import Domain
import Recognition
import Testing

@testable import DocumentParsing

/// The layouts that the search over all lines recognises, and amounts that do not add up.
@Suite(.timeLimit(.minutes(5))) struct `Search over all lines` {
    private func parse(_ text: String, readTwice: Bool = true) -> ParsedReceipt {
        ReceiptParser(today: Layout.today).parse(Layout.document(text, readTwice: readTwice))
    }

    @Test func `reads no receipt from a page without words`() {
        for text in ["", " "] {
            let receipt = parse(text)
            #expect(receipt.items.isEmpty && receipt.total == nil)
        }
        let page = RecognizedPage(source: .ocr, width: 1, height: 1, lines: [])
        #expect(ReceiptParser(today: Layout.today).parse(RecognizedDocument(pages: [page])).items.isEmpty)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: String
        var items: [String]
        var total = "5,00"

        init(_ name: String, _ lines: String, _ items: [String]) {
            (testDescription, self.lines, self.items) = (name, lines, items)
        }
    }

    static let layouts = [
        Case("name and amount", "BROT  2,01 A\nMILCH 2,99 A", ["BROT 2.01 ×1.000", "MILCH 2.99 ×1.000"]),
        Case(
            "quantity below", "BROT  2,02 A\n  2 Stk x  1,01\nMILCH 2,98 A", ["BROT 2.02 ×2.000", "MILCH 2.98 ×1.000"]),
        Case("quantity above", "  2 x  1,01\nBROT  2,02 A\nMILCH 2,98 A", ["BROT 2.02 ×2.000", "MILCH 2.98 ×1.000"]),
        Case(
            "weight below", "APFEL  2,00 A\n  0,500 kg x  4,00 EUR/kg\nMILCH  3,00 A",
            ["APFEL 2.00 ×0.500", "MILCH 3.00 ×1.000"]),
        Case(
            "amount on the next line", "BROT VOM BAECKER\n       2,01 A\nMILCH  2,99 A",
            ["BROT VOM BAECKER 2.01 ×1.000", "MILCH 2.99 ×1.000"]),
        Case(
            "name, quantity and amount", "BROT VOM BAECKER\n  2 x 1,01\n        2,02 A\nMILCH  2,98 A",
            ["BROT VOM BAECKER 2.02 ×2.000", "MILCH 2.98 ×1.000"]),
        Case(
            "subtotal between the items", "BROT  2,01 A\nZWISCHENSUMME  2,01\nMILCH  2,99 A",
            ["BROT 2.01 ×1.000", "MILCH 2.99 ×1.000"]),
        Case(
            "heading between the items", "BROT  2,01 A\nMOLKEREI\nMILCH  2,99 A",
            ["BROT 2.01 ×1.000", "MILCH 2.99 ×1.000"]),
    ]

    @Test(arguments: layouts)
    func `reads items and total of each layout`(layout: Case) {
        let receipt = parse("LADEN\n12345 Ort\n\(layout.lines)\nSUMME   5,00\nBAR     5,00\n")
        let items = receipt.items.map { "\($0.name.value) \($0.total?.value.plain ?? "-") ×\($0.quantity.value.plain)" }
        #expect(items == layout.items)
        #expect(receipt.total?.value.figure() == layout.total)
    }

    @Test func `does not read payments, taxes and savings as items`() {
        let receipt = parse(
            "LADEN\n12345 Ort\nBROT  2,01 A\nMILCH  2,99 A\nSUMME  5,00\nKARTENZAHLUNG  5,00\nMwSt  0,33\nSie sparen  0,50\n"
        )
        #expect(receipt.items.map(\.name.value) == ["BROT", "MILCH"])
        #expect(receipt.total?.value.figure() == "5,00")
    }

    @Test func `corrects a digit so that the items add up to the total`() {
        let receipt = parse("LADEN\n12345 Ort\nBROT  2,07 A\nMILCH  2,99 A\nSUMME  5,00\nBAR  5,00\n", readTwice: false)
        #expect(receipt.items.map { $0.total?.value.plain } == ["2.01", "2.99"])
        #expect(receipt.items[0].total?.repair?.printed == "2,07")
        #expect(receipt.state == .review)
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Readings of two engines` {
    private func line(_ first: [(String, Int, Int)], second: [(String, Int, Int)]) -> PrintedLine {
        func words(_ list: [(String, Int, Int)], cost: [Int]) -> [RecognizedWord] {
            list.map { text, x, confidence in
                RecognizedWord(
                    text: text, box: PixelBox(x: x, y: 20, width: text.count * 10, height: 18), confidence: confidence,
                    costs: cost)
            }
        }
        let page = RecognizedPage(
            source: .ocr, width: 400, height: 100,
            lines: [RecognizedLine(words: words(first, cost: []), secondEngineWords: words(second, cost: [20]))])
        return EngineWordMerge(RecognizedDocument(pages: [page]))
            .joined(PrintedLine(page: 0, words: page.lines[0].words, isText: false))
    }

    @Test func `takes an amount from the second engine and keeps the first engine's amount as an alternative`() {
        let line = line([("BROT", 10, 95), ("2,08", 200, 70)], second: [("BROT", 10, 99), ("2,09", 200, 95)])
        #expect(line.string == "BROT 2,09")
        #expect(line.otherEngineAmounts(at: 5..<9).map(\.value) == [208])
    }

    @Test func `confirms an amount that both engines read alike`() {
        let line = line([("BROT", 10, 95), ("2,09", 200, 70)], second: [("BROT", 10, 99), ("2,09", 200, 95)])
        #expect(line.otherEngineAmounts(at: 5..<9).map(\.value) == [209])
    }

    @Test func `keeps accents that the first engine reads with high confidence`() {
        let line = line([("Süß", 10, 90), ("2,09", 200, 90)], second: [("Suss", 10, 97), ("2,09", 200, 95)])
        #expect(line.string == "Süß 2,09")
    }

    @Test func `drops dirt that only one engine reads`() {
        let line = line(
            [("BROT", 10, 90), ("#8", 120, 10), ("2,09", 200, 90)], second: [("BROT", 10, 97), ("2,09", 200, 95)])
        #expect(line.string == "BROT 2,09")
    }

    @Test(arguments: ["-", "\u{2212}", "\u{2013}", "\u{2014}"])
    func `does not treat a negative amount as equal to a positive one`(minus: String) {
        func isAlike(_ first: String) -> Bool {
            line([("BROT", 10, 95), (first, 200, 95)], second: [("BROT", 10, 99), ("\(minus)2,09", 200, 95)])
                .isReadAlike(at: 5..<10)
        }
        #expect(!isAlike("2,09"))
        #expect(isAlike("-2,09"))
    }

    @Test
    func `assigns no cost to an amount that both engines read, and at least 300 to its alternatives`() {
        let line = line([("BROT", 10, 95), ("2,09", 200, 95)], second: [("BROT", 10, 99), ("2,09", 200, 95)])
        let cell = PriceCell(range: 5..<9, value: 209, printed: "2,09", isExact: true)
        let readings = AmountReadings(cell, in: line, seen: [], isText: false)
        #expect(readings.all.first?.value == 209)
        #expect(readings.all.first?.cost == 0)
        #expect(readings.all.dropFirst().allSatisfy { $0.cost >= 300 })
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Head of a receipt` {
    @Test func `does not read the owner's name or a slogan as the name of the store`() {
        let receipt = Layout.parse(
            "BIOLADEN ACKERGLUECK\nMehr fürs Geld\nInh. Jörg Mustermann\nOstring 4\n12345 Ort\nBROT  2,01 A\nMILCH  2,99 A\nSUMME  5,00\n"
        )
        #expect(receipt.store.name == "BIOLADEN ACKERGLUECK")
    }

    @Test(arguments: [
        "Täglich günstig einkaufen", "Frisch. Nah. Gut.", "Gutes aus der Region", "di Rossi Mario & C. S.n.c.",
        "Fam. Huber",
    ])
    func `skips slogans and owners beside the name of the store`(line: String) {
        for head in ["SPARKORB\n\(line)", "\(line)\nSPARKORB"] {
            let receipt = Layout.parse("\(head)\nOstring 4\n12345 Ort\nBROT  2,01 A\nMILCH  2,99 A\nSUMME  5,00\n")
            #expect(receipt.store.name == "SPARKORB")
        }
    }

    @Test func `marks a total that no line shows as not read`() {
        let read = Layout.parse("LADEN\n12345 Ort\nBROT  2,01 A\nMILCH  2,99 A\nSUMME  5,00\n")
        #expect(read.isTotalRead)
        let added = Layout.parse("LADEN\n12345 Ort\nBROT  2,01 A\nMILCH  2,99 A\nVielen Dank\n")
        #expect(!added.isTotalRead)
        #expect(added.state != .proven)
    }
}
