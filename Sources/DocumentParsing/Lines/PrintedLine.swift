import Recognition

/// A recognised line as input of the grammar: its scalars with one blank between words, and the word of each scalar.
struct PrintedLine: Sendable {
    /// Maximum length of a line in scalars. The rest is cut before processing, because a hostile document may have
    /// lines of any length.
    static let maximumLength = 240
    /// Maximum number of lines of a document.
    static let maximumLines = 2_000

    let page: Int
    let words: [RecognizedWord]
    private(set) var text: [Unicode.Scalar]
    /// The index of the word of each scalar in `text`; a blank belongs to the word before it.
    private(set) var wordAt: [Int]
    /// The form of each word for comparison with key words; see `Skeleton`.
    let skeletons: [[UInt8]]
    /// The forms of all words, concatenated.
    let skeleton: SkeletonLine
    let box: PixelBox
    /// Whether the words are from the text layer of a PDF.
    let isText: Bool
    /// The position of the same line on another photo.
    let twin: PagePlace?
    /// Words that the other engine read on the same ink; they need not correspond to `words`.
    var otherEngineWords: [RecognizedWord] = []

    init(page: Int, words: [RecognizedWord], isText: Bool, twin: PagePlace? = nil) {
        var text: [Unicode.Scalar] = []
        var wordAt: [Int] = []
        var kept: [RecognizedWord] = []
        for word in words where text.count < PrintedLine.maximumLength {
            let scalars = word.text.unicodeScalars.filter(PrintedLine.isReadable).prefix(
                PrintedLine.maximumLength - text.count)
            guard !scalars.isEmpty else { continue }
            if !text.isEmpty {
                text.append(" ")
                wordAt.append(kept.count - 1)
            }
            // Engines return `_` for dirt between words.
            text.append(contentsOf: scalars.map { $0 == "_" ? " " : $0 })
            wordAt.append(contentsOf: repeatElement(kept.count, count: scalars.count))
            kept.append(word)
        }
        Self.restoreZeros(&text)
        // Digital text needs no correction.
        if !isText { Self.restoreCommas(&text) }
        Self.restoreUnits(&text)
        Self.restoreOne(&text)
        self.page = page
        self.words = kept
        self.text = text
        self.wordAt = wordAt
        self.isText = isText
        self.twin = twin
        skeletons = kept.map { Skeleton.of($0.text.unicodeScalars.prefix(PrintedLine.maximumLength)) }
        skeleton = SkeletonLine(skeletons)
        box = kept.box
    }

    /// Returns the line with a blank inserted before scalar `place`, which splits a word.
    func parted(at place: Int) -> PrintedLine {
        var copy = self
        copy.text.insert(" ", at: place)
        copy.wordAt.insert(wordAt[place - 1], at: place)
        return copy
    }

    /// Corrects a comma before two decimals that was read as another mark: `42;00`, `1'99`. Other signs beside the
    /// figure give the mark another meaning: `1'99.50` has grouped thousands, `5'10"` inches, `12:30;45` a time.
    private static func restoreCommas(_ text: inout [Unicode.Scalar]) {
        let marks = ";'’·‚´`".unicodeScalars
        for index in text.indices where marks.contains(text[index]) {
            let whole = text[..<index].reversed().prefix { $0.isDigit }.count
            guard whole > 0, text[safe: index + 1]?.isDigit ?? false, text[safe: index + 2]?.isDigit ?? false else {
                continue
            }
            let (before, after) = (text[safe: index - whole - 1], text[safe: index + 3])
            let isPartOfMore =
                after.map { $0.isDigit || marks.contains($0) || ".,:\"”″".unicodeScalars.contains($0) } ?? false
            if before != ":", before != "/", !isPartOfMore { text[index] = "," }
        }
    }

    /// Corrects the unit of a weight: `0,456 k9` and `0,456 kq`.
    private static func restoreUnits(_ text: inout [Unicode.Scalar]) {
        for index in text.indices.dropFirst(4) where text[index] == "9" || text[index] == "q" {
            guard text[index - 1] == "k" || text[index - 1] == "K", text[safe: index + 1]?.isDigit != true,
                text[safe: index + 1]?.isLatinLetter != true || text[safe: index + 1] == "x"
            else { continue }
            let end = text[index - 2] == " " ? index - 2 : index - 1
            guard end >= 4, text[(end - 3)..<end].allSatisfy(\.isDigit), text[end - 4] == "," || text[end - 4] == "."
            else { continue }
            text[index] = "g"
        }
    }

    /// Corrects a leading 1 that was read as a letter: `ıx 4,20 4,20` and `l x 19,90`.
    private static func restoreOne(_ text: inout [Unicode.Scalar]) {
        guard let first = text.first, "ıIl|i".unicodeScalars.contains(first) else { return }
        let rest = text.dropFirst().prefix(5).filter { $0 != " " }
        guard rest.count >= 2, Lexicon.letterTimes.unicodeScalars.contains(rest[0]), rest[1].isDigit else { return }
        text[0] = "1"
    }

    /// Corrects slashed zeros that were read as similar characters: `@,75L`, `25®ML` and `O,456`.
    private static func restoreZeros(_ text: inout [Unicode.Scalar]) {
        func isFigure(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { $0.isDigit || $0 == "," || $0 == "." } ?? false
        }
        for index in text.indices where "OoQ".unicodeScalars.contains(text[index]) {
            guard index == 0 || text[index - 1] == " " || text[index - 1] == "(" || text[index - 1] == "-",
                text[safe: index + 1] == "," || text[safe: index + 1] == ".", text[safe: index + 2]?.isDigit ?? false
            else { continue }
            text[index] = "0"
        }
        for index in text.indices where "@®©Øø".unicodeScalars.contains(text[index]) {
            let before = index > 0 ? text[index - 1] : nil
            let after = text[safe: index + 1]
            let startsFigure = before == nil || before == " " || before == "-" || isFigure(before)
            let isInFigure = isFigure(before) || isFigure(after)
            if startsFigure, isInFigure { text[index] = "0" }
        }
    }

    /// Whether a scalar is kept: all except control characters, direction marks and combining marks.
    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .nonspacingMark, .enclosingMark, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }

    var string: String { PrintedLine.string(text[...]) }

    func string(_ range: Range<Int>) -> String { PrintedLine.string(text[range]) }

    static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The box around the words that `range` touches.
    func box(_ range: Range<Int>) -> PixelBox { words[wordIndices(range)].box }

    /// The lowest confidence among the words that `range` touches, 0…100.
    func confidence(_ range: Range<Int>) -> Int { wordIndices(range).map { words[$0].confidence }.min() ?? 0 }

    func wordIndices(_ range: Range<Int>) -> ClosedRange<Int> {
        guard !range.isEmpty, range.upperBound <= wordAt.count else { return 0...0 }
        return wordAt[range.lowerBound]...max(wordAt[range.lowerBound], wordAt[range.upperBound - 1])
    }

    /// The place of the words that `range` touches.
    func place(_ range: Range<Int>) -> Place { Place(page: page, box: box(range), confidence: confidence(range)) }

    /// The place of the whole line. Its confidence is not used.
    var place: Place { Place(page: page, box: box, confidence: 0) }

    /// The words of the other engine on the same ink: they overlap `range` by at least half of the narrower box.
    func otherEngineWords(at range: Range<Int>) -> [RecognizedWord] {
        let box = box(range)
        return otherEngineWords.filter { word in
            let shared = min(word.box.maxX, box.maxX) - max(word.box.x, box.x)
            return shared * 2 >= min(word.box.width, box.width)
        }
    }

    /// The places of this line and another on a picture that shows both; nil if no picture does.
    func places(beside other: PrintedLine) -> (page: Int, own: PixelBox, other: PixelBox)? {
        let others = [PagePlace(page: other.page, box: other.box)] + (other.twin.map { [$0] } ?? [])
        for place in [PagePlace(page: page, box: box)] + (twin.map { [$0] } ?? []) {
            if let same = others.first(where: { $0.page == place.page }) { return (place.page, place.box, same.box) }
        }
        return nil
    }

    /// The amounts among the first `maximum` alternatives that the engine offers for the only word at `range`.
    func offeredAmounts(at range: Range<Int>, maximum: Int) -> [Int64] {
        let indices = wordIndices(range)
        guard indices.count == 1, let word = words[safe: indices.lowerBound] else { return [] }
        return word.alternatives.prefix(maximum).compactMap { FigureScanner.figures(in: $0).last?.amount }
    }

    var letterCount: Int { text.count(where: \.isLatinLetter) }
    var digitCount: Int { text.count(where: \.isDigit) }

    /// The number of letters and digits before a word.
    func characters(before word: Int) -> Int { skeletons[..<word].reduce(0) { $0 + $1.count } }

    /// The number of letters and digits outside the words of a match.
    func characters(outside match: PhraseMatch) -> Int {
        skeletons.indices.reduce(0) { match.words.contains($1) ? $0 : $0 + skeletons[$1].count }
    }
}

extension Collection<RecognizedWord> {
    /// The box around all words; empty without words.
    var box: PixelBox {
        dropFirst().reduce(first?.box ?? PixelBox(x: 0, y: 0, width: 0, height: 0)) { $0.union($1.box) }
    }

    /// The words, separated by blanks.
    var text: String { map(\.text).joined(separator: " ") }

    var letterCount: Int { reduce(0) { $0 + $1.text.count(where: \.isLetter) } }
}

extension Collection<Unicode.Scalar> {
    /// Whether the text has enough letters for a name.
    var hasName: Bool { count(where: \.isLatinLetter) >= 3 }

    /// The value of a text of digits.
    var number: Int64 { reduce(0) { $0 * 10 + $1.digitValue } }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    var isLatinLetter: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || (value >= 0xC0 && value <= 0x17F)
    }
    var digitValue: Int64 { Int64(value) - 48 }
}
