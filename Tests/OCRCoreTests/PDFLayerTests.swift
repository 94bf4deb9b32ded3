import Recognition
import Testing

@testable import OCRCore

/// Text layers that differ from the rendered page.
@Suite(.serialized, .timeLimit(.minutes(15))) struct PDFLayerTests {
    private func receipt(_ last: (inout DrawnPDF) -> Void) -> [UInt8] {
        var page = DrawnPDF()
        for line in ["Supermarkt Berger", "Vollmilch 1,19 A", "Roggenbrot 2,49 A", "Bananen 1,85 A", "Butter 3,29 A"] {
            page.line(line)
        }
        last(&page)
        page.line("SUMME EUR 8,82")
        return page.bytes
    }

    private func read(_ bytes: [UInt8]) throws -> RecognizedPage {
        try #require(try PageReader().read(bytes).first).page
    }

    private func text(_ page: RecognizedPage) -> String {
        page.lines.map { $0.words.map(\.text).joined(separator: " ") }.joined(separator: "\n")
    }

    @Test func `uses a text layer that matches the page`() throws {
        let page = try read(receipt { _ in })
        #expect(page.source == .text)
        #expect(text(page).contains("Roggenbrot 2,49 A"))
        #expect(page.lines.count == 6)
    }

    @Test func `reads the picture if the text layer has another amount than the page`() throws {
        let page = try read(receipt { $0.line("Kaffee ", shown: "4,99", claimed: "9,75") })
        #expect(page.source == .ocr)
        #expect(text(page).contains("4,99"))
        #expect(!text(page).contains("9,75"))
    }

    @Test func `reads neither invisible text nor text outside the page`() throws {
        let page = try read(
            receipt {
                $0.whiteLine("Weiss 5,55")
                $0.invisibleLine("Unsichtbar 6,66")
                $0.outside("Daneben 7,77")
            })
        #expect(!text(page).contains("5,55"))
        #expect(!text(page).contains("6,66"))
        #expect(!text(page).contains("7,77"))
        #expect(text(page).contains("3,29"))
    }
}
