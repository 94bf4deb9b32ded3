import Recognition
import Testing

@testable import Wines

/// Wine lists whose lines both engines read.
@Suite(.timeLimit(.minutes(5))) struct TwoEnginesListTests {
    private func word(_ text: String, _ x: Int, _ width: Int, y: Int = 20, _ confidence: Int = 99) -> RecognizedWord {
        RecognizedWord(text: text, box: PixelBox(x: x, y: y, width: width, height: 20), confidence: confidence)
    }

    private func page(_ lines: [RecognizedLine]) -> RecognizedPage {
        RecognizedPage(source: .ocr, width: 1000, height: 1000, lines: lines)
    }

    private func texts(_ words: [RecognizedWord], _ secondWords: [RecognizedWord]) -> [String] {
        ListTokens.tokens(ListWords.words(RecognizedLine(words: words, secondEngineWords: secondWords)))
            .filter { $0.kind != .leader }.map(\.text)
    }

    @Test func `takes figures, units and rows of dots from the second engine`() {
        #expect(
            texts(
                [word("Riesling", 0, 80), word(".u2us1ss", 100, 400, 0), word("24", 600, 30, 23)],
                [word("Riesling", 0, 80), word("........", 100, 400, 80), word("2", 600, 10), word("dl", 620, 10)])
                == ["Riesling", "2 dl"])
        #expect(texts([word("68", 600, 32, 52)], [word("6", 600, 12, 95), word("$", 618, 14, 96)]) == ["6", "$"])
    }

    @Test func `keeps names that the first engine is more certain of`() {
        #expect(texts([word("Selosse", 0, 70, 91)], [word("Selos.", 0, 70, 37)]) == ["Selosse"])
    }

    @Test func `keeps words that the second engine left out or cut off`() {
        #expect(
            texts([word("CHF", 0, 40, 90), word("7.50", 60, 42, 61)], [word("7.5", 60, 28)]) == ["CHF", "7.50"])
    }

    @Test func `drops stains that only one engine read as letters`() {
        #expect(texts([word("er", 300, 700, 42), word("Hof", 0, 40)], [word("Hof", 0, 40)]) == ["Hof"])
    }

    @Test(arguments: [
        ("Valley__32.00", 240, ["Valley", "32.00"]), ("Brut..........8", 300, ["Brut", "8"]),
        ("201844.00", 240, ["2018", "44.00"]), ("201233", 540, ["2012", "33"]), ("'2026", 180, ["'20", "26"]),
        ("Vineyards72", 300, ["Vineyards", "72"]), ("Frankreich'17", 130, ["Frankreich", "'17"]),
        ("-12,00", 60, ["12,00"]), ("Vineyards72", 110, ["Vineyards72"]), ("St.-Émilion", 110, ["St.-Émilion"]),
    ])
    func `splits two words that were read as one, and no other words`(text: String, width: Int, parts: [String]) {
        let tokens = ListTokens.tokens([word(text, 0, width)]).filter { $0.kind != .leader }
        #expect(tokens.map(\.text) == parts)
        // The last part ends where the word ends.
        #expect(tokens.last?.box.maxX == width)
    }

    @Test func `joins a price far to the right of a sloping line to its name`() {
        // Three entries whose lines rise by 30 pixels to the right. Name and price of each were read as separate lines.
        var lines: [RecognizedLine] = []
        for (number, name) in ["Moric Blaufränkisch", "Prieler Chardonnet", "Tement Sauvernel"].enumerated() {
            let y = 100 + number * 120
            let parts = name.split(separator: " ").map(String.init)
            lines.append(RecognizedLine(words: [word(String(30 + number), 950, 20, y: y - 30)]))
            lines.append(RecognizedLine(words: [word(parts[0], 20, 100, y: y), word(parts[1], 200, 180, y: y - 6)]))
            lines.append(
                RecognizedLine(words: [word("Mittelland", 20, 100, y: y + 45), word("Reserve", 230, 80, y: y + 38)]))
        }
        let entries = WineList.read([page(lines)])
        #expect(entries.map(\.text).first == "Moric Blaufränkisch Mittelland Reserve")
        #expect(entries.map { $0.prices.map(\.amount) } == [[3000], [3100], [3200]])
        // The boxes are the positions on the page.
        #expect(entries.allSatisfy { $0.box.y >= 60 })
    }
}
