import Domain
import Recognition

/// A line of a paper with its words folded.
struct PaperLine {
    let line: PrintedLine
    /// Folded, without figures alone.
    let words: [String]
    let figures: [Figure]
    /// 0 at the top of its page, 100 at the bottom.
    let height: Int
    /// Whether it is printed larger than most lines.
    let isLarge: Bool

    var page: Int { line.page }
    var box: PixelBox { line.box }
    var text: String { String(String.UnicodeScalarView(line.text)) }

    static func lines(of document: RecognizedDocument) -> [PaperLine] {
        var result: [PaperLine] = []
        for (number, page) in document.pages.enumerated() {
            let printed = page.lines.prefix(PrintedLine.most).map {
                PrintedLine(page: number, words: $0.words, isText: page.source == .text)
            }
            let heights = printed.map(\.box.height).sorted()
            let usual = heights.isEmpty ? 0 : heights[heights.count / 2]
            let bottom = printed.map(\.box.maxY).max() ?? 1
            for line in printed where result.count < PrintedLine.most {
                let text = String(String.UnicodeScalarView(line.text))
                result.append(
                    PaperLine(
                        line: line, words: fold(text), figures: FigureScanner.figures(in: line.text),
                        height: line.box.y * 100 / max(1, bottom), isLarge: line.box.height * 10 > usual * 13))
            }
        }
        return result
    }

    static func fold(_ text: String) -> [String] {
        FoldedText.fold(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { $0.contains(where: \.isLetter) }
    }

    /// Whether the line has one of the words. A final `*` matches any further letters.
    func has(_ wanted: Set<String>) -> Bool {
        words.contains { word in
            wanted.contains(word)
                || wanted.contains { $0.hasSuffix("*") && word.hasPrefix($0.dropLast()) }
        }
    }
}
