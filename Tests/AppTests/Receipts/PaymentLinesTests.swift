import DocumentParsing
import Domain
import Recognition
import Testing

@testable import App

/// Lines that a card terminal prints are not items, even if the parser reads them as items.
@Suite(.timeLimit(.minutes(5))) struct PaymentLinesTests {
    private static let document = RecognizedDocument(pages: [
        ReadingScene.page(
            .text,
            ["HOFER", "VASE 49,00", "SEMMEL 0,39", "SUMME 49,39", "Karte ************9876 4,99", "02.11.2026 10:15"])
    ])

    /// The receipt, with a line below the total that was read as an item.
    private static func parse(readingAsItem line: Int) throws -> ParsedReceipt {
        var receipt = try ReadingScene.parse(document)
        receipt.items = Array(receipt.items.prefix(2))
        let words = document.pages[0].lines[line].words
        var item = receipt.items[0]
        item.name.value = words.map(\.text).joined(separator: " ")
        item.name.box = words.dropFirst().reduce(words[0].box) { $0.union($1.box) }
        item.total?.box = words.last?.box
        receipt.items.append(item)
        return receipt
    }

    @Test func `an item below the total with a card number is dropped, and the number is covered`() throws {
        let receipt = try Self.parse(readingAsItem: 4)
        let remainingReceipt = receipt.withoutPaymentLines(in: Self.document, facts: .builtIn)
        #expect(remainingReceipt.items.map(\.name.value) == ["VASE", "SEMMEL"])
        #expect(remainingReceipt.state == .review && remainingReceipt.reasons.contains(.unexplainedLine))
        let number = Self.document.pages[0].lines[4].words[1].box
        func covers(_ receipt: ParsedReceipt) -> Bool {
            PersonalDetailFinder().details(in: Self.document, sparing: receipt).contains { $0.box == number }
        }
        #expect(!covers(receipt) && covers(remainingReceipt))
    }

    @Test func `an item below the total without personal details is kept`() throws {
        let receipt = try Self.parse(readingAsItem: 5)
        #expect(receipt.withoutPaymentLines(in: Self.document, facts: .builtIn).items.count == 3)
    }

    @Test func `an item above the total is kept`() throws {
        let receipt = try ReadingScene.parse(Self.document)
        #expect(receipt.withoutPaymentLines(in: Self.document, facts: .builtIn).items.first?.name.value == "VASE")
    }
}
