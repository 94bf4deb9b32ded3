import Recognition

/// Joins the words of both engines on a line: each stretch of ink is taken from the engine that is likelier right, and what the
/// other read there stays as its witness.
///
/// Where both find an amount and differ, the second engine is right seven times out of eight; letters that Tesseract is sure
/// of keep their accents better.
struct WitnessWords {
    private let pages: [Page]
    /// The first engine is believed from this confidence on where letters alone are read.
    private static let sureText = 80
    /// Ink that only one engine reads, with less confidence than this, is dirt.
    private static let dirt = 50
    /// Ink that only the second engine reads is taken from this confidence on.
    private static let sureAlone = 80

    /// The second engine's words of each line, and the line of each word of the first.
    private struct Page {
        var witnesses: [[RecognizedWord]] = []
        var lines: [PixelBox: Int] = [:]
    }

    init(_ document: RecognizedDocument) {
        pages = document.pages.map { page in
            var found = Page()
            guard page.lines.contains(where: { !$0.witness.isEmpty }) else { return found }
            found.witnesses = page.lines.map(\.witness)
            for (index, line) in page.lines.enumerated() { for word in line.words { found.lines[word.box] = index } }
            return found
        }
    }

    /// The line with the words of the engine that is likelier right, and those of the other beside them.
    func joined(_ line: PrintedLine) -> PrintedLine {
        guard let page = pages[safe: line.page], !page.witnesses.isEmpty, !line.isText else { return line }
        // Halves of a line that were joined bring the words of both.
        let beside = Set(line.words.compactMap { page.lines[$0.box] }).sorted().flatMap { page.witnesses[$0] }
        guard !beside.isEmpty else { return line }
        var taken: [RecognizedWord] = []
        var others: [RecognizedWord] = []
        for (first, second) in Self.stretches(line.words, beside) {
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
        joined.witness = others
        return joined
    }

    /// Words of both engines that share ink, from left to right.
    private static func stretches(
        _ first: [RecognizedWord], _ second: [RecognizedWord]
    ) -> [(first: [RecognizedWord], second: [RecognizedWord])] {
        let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0.box.x < $1.0.box.x }
        var stretches: [(first: [RecognizedWord], second: [RecognizedWord])] = []
        var end = Int.min
        for (word, isFirst) in all {
            // Boxes of neighbours touch; words that share ink cover a third of each other.
            if stretches.isEmpty || (end - word.box.x) * 3 < word.box.width { stretches.append(([], [])) }
            if isFirst {
                stretches[stretches.count - 1].first.append(word)
            } else {
                stretches[stretches.count - 1].second.append(word)
            }
            end = max(end, word.box.maxX)
        }
        return stretches
    }

    private static func prefersSecond(_ first: [RecognizedWord], _ second: [RecognizedWord]) -> Bool {
        guard let theirs = confidence(second) else { return false }
        guard let ours = confidence(first) else { return theirs >= sureAlone }
        let (own, other) = (text(first), text(second))
        if own == other { return false }
        if (own + other).contains(where: \.isDigit) {
            let isAmount = holdsAmount(own)
            return holdsAmount(other) || (!isAmount && theirs >= dirt)
        }
        return ours < sureText && theirs > ours && theirs >= dirt
    }

    private static func text(_ words: [RecognizedWord]) -> [Unicode.Scalar] {
        Array(words.map(\.text).joined(separator: " ").unicodeScalars.prefix(PrintedLine.longest))
    }

    /// The least certain word decides.
    private static func confidence(_ words: [RecognizedWord]) -> Int? { words.map(\.confidence).min() }

    private static func holdsAmount(_ text: [Unicode.Scalar]) -> Bool {
        FigureScanner.figures(in: text).contains { $0.amount != nil }
    }
}
