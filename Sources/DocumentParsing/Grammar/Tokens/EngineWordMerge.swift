import Recognition

/// Merges the words of both engines on a line. For each stretch of ink, the line gets the words of the engine that is
/// more likely right; the words of the other engine are kept as its `otherEngineWords`.
///
/// If both engines find an amount and the amounts differ, the second engine is right seven times out of eight. The
/// first engine, Tesseract, reads accents better in letters that it reads with high confidence.
struct EngineWordMerge {
    private let pages: [Page]
    /// Minimum confidence at which the first engine's letters are preferred.
    private static let sureText = 80
    /// Below this confidence, words that the other engine does not read, or reads differently, are dirt.
    private static let dirt = 50
    /// Minimum confidence of words that only the second engine reads.
    private static let sureAlone = 80

    /// The second engine's words by line, and for each word of the first engine, by its box, the index of its line.
    private struct Page {
        var secondWords: [[RecognizedWord]] = []
        var lines: [PixelBox: Int] = [:]
    }

    init(_ document: RecognizedDocument) {
        pages = document.pages.map { page in
            var found = Page()
            guard page.lines.contains(where: { !$0.secondEngineWords.isEmpty }) else { return found }
            found.secondWords = page.lines.map(\.secondEngineWords)
            for (index, line) in page.lines.enumerated() { for word in line.words { found.lines[word.box] = index } }
            return found
        }
    }

    /// Returns the line with the words that are more likely right, and the words of the other engine as its
    /// `otherEngineWords`.
    func joined(_ line: PrintedLine) -> PrintedLine {
        guard let page = pages[safe: line.page], !page.secondWords.isEmpty, !line.isText else { return line }
        // A line that was joined from two halves has the second engine's words of both halves.
        let secondWords = Set(line.words.compactMap { page.lines[$0.box] }).sorted().flatMap { page.secondWords[$0] }
        guard !secondWords.isEmpty else { return line }
        var taken: [RecognizedWord] = []
        var others: [RecognizedWord] = []
        for (first, second) in Self.stretches(line.words, secondWords) {
            if Self.prefersSecond(first, second) {
                taken += second
                others += first
            } else if second.isEmpty, first.allSatisfy({ $0.confidence < Self.dirt }), first.count < line.words.count {
                continue
            } else {
                taken += first
                others += second
            }
        }
        guard !taken.isEmpty else { return line }
        var joined = PrintedLine(page: line.page, words: taken, isText: false, twin: line.twin)
        joined.otherEngineWords = others
        return joined
    }

    /// Groups the words of both engines by shared ink, from left to right.
    private static func stretches(
        _ first: [RecognizedWord], _ second: [RecognizedWord]
    ) -> [(first: [RecognizedWord], second: [RecognizedWord])] {
        let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0.box.x < $1.0.box.x }
        var stretches: [(first: [RecognizedWord], second: [RecognizedWord])] = []
        var (end, width) = (0, 0)
        for (word, isFirst) in all {
            // Boxes of neighbouring words may touch; words that share ink overlap by at least a third of one of them.
            if stretches.isEmpty || (end - word.box.x) * 3 < min(word.box.width, width) { stretches.append(([], [])) }
            if isFirst {
                stretches[stretches.count - 1].first.append(word)
            } else {
                stretches[stretches.count - 1].second.append(word)
            }
            if word.box.maxX > end { (end, width) = (word.box.maxX, word.box.width) }
        }
        return stretches
    }

    /// Whether the second engine is more likely right about a stretch of ink.
    private static func prefersSecond(_ first: [RecognizedWord], _ second: [RecognizedWord]) -> Bool {
        guard let secondConfidence = confidence(second) else { return false }
        guard let firstConfidence = confidence(first) else { return secondConfidence >= sureAlone }
        let (firstText, secondText) = (text(first), text(second))
        if firstText == secondText { return false }
        if (firstText + secondText).contains(where: \.isDigit) {
            let isAmount = holdsAmount(firstText)
            if firstText.filter({ $0 != " " }) == secondText.filter({ $0 != " " }) {
                if isFigureSplit(firstText) != isFigureSplit(secondText) { return isFigureSplit(firstText) }
                // Each engine misses blanks between figures, such as a count and an article number.
                if !isAmount, !holdsAmount(secondText) { return secondText.count > firstText.count }
            }
            return holdsAmount(secondText) || (!isAmount && secondConfidence >= dirt)
        }
        return firstConfidence < sureText && secondConfidence > firstConfidence && secondConfidence >= dirt
    }

    /// Whether a blank is beside the separator of a figure: `1 ,499`. Such blanks are not printed.
    private static func isFigureSplit(_ text: [Unicode.Scalar]) -> Bool {
        text.indices.dropFirst().dropLast().contains { index in
            guard text[index] == "," || text[index] == "." else { return false }
            let (before, after) = (text[index - 1], text[index + 1])
            return before == " " && after.isDigit
                || before.isDigit && after == " " && text[safe: index + 2]?.isDigit ?? false
        }
    }

    private static func text(_ words: [RecognizedWord]) -> [Unicode.Scalar] {
        Array(words.text.unicodeScalars.prefix(PrintedLine.maximumLength))
    }

    private static func confidence(_ words: [RecognizedWord]) -> Int? { words.map(\.confidence).min() }

    private static func holdsAmount(_ text: [Unicode.Scalar]) -> Bool {
        FigureScanner.figures(in: text).contains { $0.amount != nil }
    }
}
