import DocumentParsing
import Domain
import Recognition
import Testing

/// A receipt written as text. Each row is one line; a character is 10 pixels wide, and rows are 24 pixels apart.
enum Layout {
    static let today = LocalDate(dayNumber: 20_700)

    /// - Parameter readTwice: whether a second engine reads the same words on a picture.
    static func document(
        _ text: String, codes: [RecognizedCode] = [], source: RecognizedPage.Source = .ocr, confidence: Int = 95,
        readTwice: Bool = true
    ) -> RecognizedDocument {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var lines: [RecognizedLine] = []
        for (row, content) in rows.enumerated() {
            let words = words(content, row: row, confidence: confidence)
            if words.isEmpty { continue }
            lines.append(RecognizedLine(words: words, secondEngineWords: readTwice && source == .ocr ? words : []))
        }
        let width = (rows.map(\.count).max() ?? 1) * 10
        return RecognizedDocument(pages: [
            RecognizedPage(source: source, width: width + 40, height: rows.count * 24 + 40, lines: lines, codes: codes)
        ])
    }

    private static func words(_ content: String, row: Int, confidence: Int) -> [RecognizedWord] {
        var result: [RecognizedWord] = []
        var word = ""
        var start = 0
        for (column, character) in (content + " ").enumerated() {
            if character != " " {
                if word.isEmpty { start = column }
                word.append(character)
            } else if !word.isEmpty {
                result.append(
                    RecognizedWord(
                        text: word,
                        box: PixelBox(x: 20 + start * 10, y: 20 + row * 24, width: word.count * 10, height: 18),
                        confidence: confidence))
                word = ""
            }
        }
        return result
    }

    static func parse(
        _ text: String, codes: [RecognizedCode] = [], source: RecognizedPage.Source = .ocr, rereads: [RereadAnswer] = []
    ) -> ParsedReceipt {
        ReceiptParser(today: today).parse(document(text, codes: codes, source: source), rereads: rereads)
    }

    /// Parses the text like the program, which rereads parts of the page. Rereads return the printed text.
    static func parseWithRereads(_ text: String) -> ParsedReceipt {
        let document = document(text)
        let parser = ReceiptParser(today: today)
        let answers = parser.parse(document).rereads.map { request in
            let words = document.pages[request.page].lines.flatMap(\.words).filter { word in
                let (x, y) = (word.box.x + word.box.width / 2, word.box.y + word.box.height / 2)
                return request.box.x <= x && x <= request.box.maxX && request.box.y <= y && y <= request.box.maxY
            }
            let seen = words.map(\.text).joined(separator: " ")
            return RereadAnswer(
                request: request,
                readings: seen.isEmpty ? [] : [RecognizedWord(text: seen, box: request.box, confidence: 90)])
        }
        return parser.parse(document, rereads: answers)
    }

    static func code(_ format: String, _ text: String) -> RecognizedCode {
        RecognizedCode(format: format, text: text, box: PixelBox(x: 0, y: 900, width: 300, height: 60))
    }
}

extension Layout {
    /// A short receipt with a certain layout, and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        /// The expected value of `ParsedReceipt.summary`.
        var items: [String]
        var total: String
        var currency: Currency = .eur
        var testDescription: String { name }
    }
}

extension ParsedReceipt {
    /// A text for each item, such as `MILCH 2 Stk 1,19 2,38 A item`: name, quantity, unit, unit price, amount, VAT
    /// class and kind.
    var summary: [String] {
        items.map { item in
            let parts = [
                item.name.value, item.quantity.value.figure(), item.quantity.value.unit.rawValue,
                item.unitPrice?.value.figure() ?? "-", item.total?.value.figure() ?? "-", item.vatClass ?? "-",
                item.kind.rawValue,
            ]
            return parts.joined(separator: " ")
        }
    }
}
