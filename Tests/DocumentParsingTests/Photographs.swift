import DocumentParsing
import Domain
import Recognition

/// A simulated photo that shows some rows of a receipt. The receipt is given as text.
struct Photograph {
    /// The visible rows, counted from the first line of the text.
    var rows: Range<Int>
    /// The size of print and page, in tenths of the sizes in `Layout.document`.
    var scale = 10
    /// The left edge of the paper, in pixels.
    var x = 0
    /// Texts that only this photo misreads, each with the text that is read instead.
    var misread: [String: String] = [:]
    var confidence = 95
    var source = RecognizedPage.Source.ocr

    func page(of text: String) -> RecognizedPage {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var shown = all[rows.clamped(to: all.indices)].joined(separator: "\n")
        for (word, wrong) in misread { shown = shown.replacing(word, with: wrong) }
        var page = Layout.document(shown, source: source, confidence: confidence).pages[0]
        for line in page.lines.indices {
            for word in page.lines[line].words.indices {
                let box = page.lines[line].words[word].box
                page.lines[line].words[word].box = PixelBox(
                    x: box.x * scale / 10 + x, y: box.y * scale / 10, width: box.width * scale / 10,
                    height: box.height * scale / 10)
            }
            if !page.lines[line].secondEngineWords.isEmpty {
                page.lines[line].secondEngineWords = page.lines[line].words
            }
        }
        page.width = page.width * scale / 10 + x
        page.height = page.height * scale / 10
        return page
    }

    static func document(_ text: String, _ photographs: [Photograph]) -> RecognizedDocument {
        RecognizedDocument(pages: photographs.map { $0.page(of: text) })
    }

    static func parse(_ text: String, _ photographs: [Photograph]) -> ParsedReceipt {
        ReceiptParser(today: Layout.today).parse(document(text, photographs))
    }
}
