import Domain
import Recognition
import Testing

@testable import DocumentParsing

@Suite(.timeLimit(.minutes(5))) struct `Sheets beside the receipt` {
    private let receipt = """
        Dorfladen Huber
        84028 Landshut
        Brot Roggen        3,40 A
        Butter mild        2,95 A
        Joghurt Natur      0,89 A
        Eier Freiland      3,19 A
        Zucker fein        1,29 A
        Summe             11,72
        Bar               12,00
        Rückgeld           0,28
        07.03.2026 11:31
        07.03.2026
        """
    private let other = """
        Quellbach
        Vielen Dank
        Kaffee
        Schinken
        Pfand
        Summe
        girocard
        Posten
        """

    /// Returns a photo of both sheets. The right sheet begins at `column`, and its rows are `drop` pixels lower.
    private func photo(left: String, right: String, at column: Int, drop: Int) -> RecognizedDocument {
        var document = Layout.document(left)
        let beside = Layout.document(right).pages[0].lines.map { line in
            RecognizedLine(
                words: line.words.map { word in
                    var word = word
                    word.box.x += column * 10
                    word.box.y += drop
                    return word
                })
        }
        document.pages[0].lines = (document.pages[0].lines + beside).sorted { $0.words[0].box.y < $1.words[0].box.y }
        document.pages[0].width += 300
        return document
    }

    @Test func `ignores the print of a sheet on the right`() {
        let alone = Layout.parse(receipt)
        let read = ReceiptParser(today: Layout.today).parse(photo(left: receipt, right: other, at: 30, drop: 11))
        #expect(read.summary == alone.summary)
        #expect(read.total?.value.figure() == "11,72")
        #expect(read.state == .proven, "\(read.reasons)")
        // The other sheet has no amounts, so it is not a receipt.
        #expect(!read.hasOtherSheet)
    }

    @Test func `ignores the ends of words at the edge of a sheet on the right`() {
        let alone = Layout.parse(receipt)
        let edge = "er\n\nK\n\nhe\nW\n\n\nE"
        let read = ReceiptParser(today: Layout.today).parse(photo(left: receipt, right: edge, at: 30, drop: 11))
        #expect(read.summary == alone.summary)
        #expect(read.state == .proven, "\(read.reasons)")
    }

    @Test func `reports another sheet with amounts`() {
        let part = other.replacing("Schinken", with: "Schinken  2,49")
        for (beside, drop) in [(part, 11), (receipt, 9)] {
            let read = ReceiptParser(today: Layout.today).parse(photo(left: receipt, right: beside, at: 40, drop: drop))
            #expect(read.hasOtherSheet)
        }
    }

    private let larger = """
        Markt Aumann
        94032 Passau
        Ananas frisch      2,49 A
        Birnen Abate       1,85 A
        Dinkelmehl         1,19 A
        Essig hell         0,99 A
        Feigen soft        3,45 A
        Gurken Glas        1,79 A
        Hefe frisch        0,25 A
        Ingwer lose        0,88 A
        Kresse Schale      0,79 A
        Summe             13,68
        Bar               20,00
        Rückgeld           6,32
        09.03.2026 17:02
        Vielen Dank
        """

    /// Returns a photo of both receipts in which the reader has joined neighbouring rows of both to single lines.
    private func mixedPhoto(left: String, right: String) -> RecognizedDocument {
        var document = photo(left: left, right: right, at: 34, drop: 9)
        let rows = Dictionary(grouping: document.pages[0].lines) { ($0.words[0].box.y - 20) / 24 }
        document.pages[0].lines = rows.sorted { $0.key < $1.key }.map { _, lines in
            RecognizedLine(words: lines.flatMap(\.words).sorted { $0.box.x < $1.box.x })
        }
        return document
    }

    @Test func `keeps one of two whole receipts of the same size`() throws {
        let separated = NeighbourSheet.removed(from: mixedPhoto(left: larger, right: larger))
        let page = try #require(separated.larger?.pages[0])
        #expect(page.lines.count == larger.split(separator: "\n").count)
    }

    @Test func `reads the larger of two whole receipts and never proves it`() {
        for isLeft in [true, false] {
            let (left, right) = isLeft ? (larger, receipt) : (receipt, larger)
            let read = ReceiptParser(today: Layout.today).parse(mixedPhoto(left: left, right: right))
            #expect(read.summary == Layout.parse(larger).summary)
            #expect(read.total?.value.figure() == "13,68")
            #expect(read.hasOtherSheet)
            #expect(read.state == .review)
        }
    }

    @Test(arguments: ["Summe   4,99", "Kekse   2,49\nMuffin   3,29\nWaffel   1,19\n08.03.2026 11:15"])
    func `does not prove a receipt beside a smaller one`(_ end: String) {
        let small = "Quellbach\nVielen Dank\nKaffee\nSchinken\nPfand\n" + end
        let read = ReceiptParser(today: Layout.today).parse(photo(left: larger, right: small, at: 30, drop: 11))
        #expect(read.summary == Layout.parse(larger).summary)
        #expect(read.hasOtherSheet)
        #expect(read.state == .review && read.reasons == [.laterTotal], "\(read.reasons)")
    }

    @Test func `proves a receipt beside the card slip of the same purchase`() {
        let slip = "Quellbank\nVielen Dank\ngirocard\nTerminal\nKundenbeleg\nSumme  13,68"
        let read = ReceiptParser(today: Layout.today).parse(photo(left: larger, right: slip, at: 30, drop: 11))
        #expect(read.hasOtherSheet)
        #expect(read.state == .proven, "\(read.reasons)")
    }

    @Test func `ignores the print of a sheet on the left`() {
        let moved = receipt.split(separator: "\n").map { String(repeating: " ", count: 16) + $0 }
        let read = ReceiptParser(today: Layout.today).parse(
            photo(left: moved.joined(separator: "\n"), right: other, at: 0, drop: 11))
        #expect(read.summary == Layout.parse(receipt).summary)
        #expect(read.chain == "Dorfladen Huber")
    }

    @Test func `does not read columns of a table as another sheet`() {
        let rows = """
            Menge        Artikel        Betrag
            2 Stück      Zwetschgen        4,00
            1 Stück      Spülmittel        1,59
            3 Stück      Kerze rot         6,30
            1 Stück      Servietten        2,49
            2 Stück      Teelichter        5,98
            1 Stück      Zucker fein       1,29
            Summe                         21,65
            """
        let read = Layout.parse(rows)
        #expect(read.items.count == 6)
        #expect(!read.hasOtherSheet)
        #expect(read.total?.value.figure() == "21,65")
    }
}
