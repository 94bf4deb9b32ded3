import Recognition

@testable import Wines

/// A page with this text. A character is 10 pixels wide, a line is 20 pixels high, and lines are 30 pixels apart. Words
/// are separated by one or more blanks. Lines that begin with `#` have letters twice as high.
func listPage(_ text: String) -> RecognizedPage {
    var lines: [RecognizedLine] = []
    var y = 20
    for row in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let isLarge = row.hasPrefix("#")
        let height = isLarge ? 40 : 20
        var words: [RecognizedWord] = []
        var x = 0
        for part in row.drop(while: { $0 == "#" }).split(separator: " ", omittingEmptySubsequences: false) {
            if !part.isEmpty {
                words.append(
                    RecognizedWord(
                        text: String(part), box: PixelBox(x: x, y: y, width: part.count * 10, height: height),
                        confidence: 95))
            }
            x += part.count * 10 + 10
        }
        if !words.isEmpty { lines.append(RecognizedLine(words: words)) }
        y += isLarge ? 60 : row.isEmpty ? 15 : 30
    }
    return RecognizedPage(source: .ocr, width: 1000, height: y + 20, lines: lines)
}

/// The entries of a list with this text on one page.
func readList(_ text: String) -> [WineListEntry] { WineList.read([listPage(text)]) }

extension [WineListEntry] {
    /// The prices of each entry: serving, size in millilitres or `-`, and amount in minor units.
    var shownPrices: [String] {
        map { entry in
            entry.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }.joined(separator: ", ")
        }
    }
}
