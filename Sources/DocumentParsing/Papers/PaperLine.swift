import Domain
import Recognition

/// A line of a document, with its words normalised by `FoldedText`.
struct PaperLine {
    let line: PrintedLine
    /// The second engine's reading of the line; nil if it is missing or the same.
    let other: PrintedLine?
    /// The normalised words that contain letters. Long known words with one misread letter are corrected.
    let words: [String]
    /// The words of the second engine's reading, treated the same; empty if it is missing or the same.
    let otherWords: [String]
    let figures: [Figure]
    /// The vertical position: 0 at the top of its page, 100 at the bottom.
    let height: Int
    /// Whether the line is printed larger than most lines.
    let isLarge: Bool

    var page: Int { line.page }
    var box: PixelBox { line.box }
    var text: String { String(String.UnicodeScalarView(line.text)) }

    static func lines(of document: RecognizedDocument) -> [PaperLine] {
        var result: [PaperLine] = []
        var repaired = RepairedWords()
        for (number, page) in document.pages.enumerated() {
            func read(_ words: [RecognizedWord]) -> PrintedLine {
                PrintedLine(page: number, words: words, isText: page.source == .text)
            }
            let printed = page.lines.prefix(PrintedLine.maximumLines).map { read($0.words) }
            let others = page.lines.prefix(PrintedLine.maximumLines).map {
                $0.secondEngineWords.isEmpty ? nil : read($0.secondEngineWords)
            }
            let heights = printed.map(\.box.height).sorted()
            let usual = heights.isEmpty ? 0 : heights[heights.count / 2]
            let bottom = printed.map(\.box.maxY).max() ?? 1
            for (line, other) in zip(printed, others) where result.count < PrintedLine.maximumLines {
                let other = other?.text == line.text ? nil : other
                result.append(
                    PaperLine(
                        line: line, other: other, words: fold(line.string).map { repaired.word($0) },
                        otherWords: other.map { fold($0.string).map { repaired.word($0) } } ?? [],
                        figures: figures(in: line.text), height: line.box.y * 100 / max(1, bottom),
                        isLarge: line.box.height * 10 > usual * 13))
            }
        }
        return result
    }

    static func fold(_ text: String) -> [String] {
        FoldedText.fold(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { $0.contains(where: \.isLetter) }
    }

    /// The figures of a line. Also reads amounts with the same separator before thousands and decimals, such as
    /// `1.102.00`: a comma is often misread as a point.
    static func figures(in text: [Unicode.Scalar]) -> [Figure] {
        var text = text
        for position in text.indices where isGrouping(text, position) { text[position] = "'" }
        return FigureScanner.figures(in: text)
    }

    /// Whether the scalar is the first separator in a number such as `1.102.00`: one to three digits, three digits, and
    /// two decimals, with the same separator twice.
    private static func isGrouping(_ text: [Unicode.Scalar], _ position: Int) -> Bool {
        let separator = text[position]
        guard separator == "." || separator == ",", text[safe: position + 4] == separator else { return false }
        func isDigit(_ place: Int) -> Bool { text[safe: place]?.isDigit ?? false }
        func isSeparator(_ place: Int) -> Bool { text[safe: place].map { ".,'".unicodeScalars.contains($0) } ?? false }
        guard [-1, 1, 2, 3, 5, 6].allSatisfy({ isDigit(position + $0) }) else { return false }
        var start = position - 1
        while isDigit(start - 1) { start -= 1 }
        let end = position + 7
        return position - start <= 3 && !isSeparator(start - 1) && !isDigit(end)
            && !(isSeparator(end) && isDigit(end + 1))
    }

    /// Whether one of the engines read one of the words.
    func has(_ wanted: PaperWordSet) -> Bool {
        words.contains(where: wanted.contains) || otherWords.contains(where: wanted.contains)
    }

    /// The label of the value in `range`: the words between it and the previous value on the line, else the words
    /// above it.
    ///
    /// - Parameters:
    ///   - values: the ranges of all values on the line.
    ///   - above: the line above, if it has words and no day.
    func label(of range: Range<Int>, _ values: [Range<Int>], above: PaperLine?) -> [String] {
        let start = values.map(\.upperBound).filter { $0 <= range.lowerBound }.max() ?? 0
        let beside = Self.fold(String(String.UnicodeScalarView(line.text[start..<range.lowerBound])))
        guard beside.isEmpty else { return beside }
        // `Zeitraum 01.09. - 30.09.`: the label applies to both values.
        if start > 0 {
            return Self.fold(String(String.UnicodeScalarView(line.text[..<range.lowerBound])))
        }
        guard let above else { return [] }
        return Self.fold(above.text(over: line.box(range)))
    }

    /// The words above a box, or the whole text of a line with a single word.
    private func text(over box: PixelBox) -> String {
        guard line.words.count > 1 else { return text }
        let slack = box.height
        let near = line.words.filter { $0.box.x < box.maxX + slack && box.x - slack < $0.box.maxX }
        return near.map(\.text).joined(separator: " ")
    }
}
