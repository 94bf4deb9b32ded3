import Recognition

/// An amount with two decimals within the words of a line.
struct PrintedAmount {
    /// Digits, a comma and two digits, with a minus sign in front if the amount is negative.
    let text: String
    /// The words that contain the amount.
    let words: Range<Int>
    let box: PixelBox
    /// The lowest confidence of these words.
    let confidence: Int
    /// The other characters of these words, before and after the amount.
    private let prefix: String
    private let suffix: String

    /// The last amount of the line; blanks around the comma are ignored, because engines insert them.
    static func last(in words: [RecognizedWord]) -> PrintedAmount? {
        var characters: [(scalar: Unicode.Scalar, word: Int)] = []
        for (index, word) in words.enumerated() {
            if index > 0 { characters.append((" ", index)) }
            characters += word.text.unicodeScalars.map { ($0, index) }
        }
        func isDigit(_ index: Int) -> Bool {
            characters.indices.contains(index) && ("0"..."9").contains(characters[index].scalar)
        }
        func isPoint(_ index: Int) -> Bool {
            characters.indices.contains(index) && (characters[index].scalar == "," || characters[index].scalar == ".")
        }
        func isBlank(_ index: Int) -> Bool { characters.indices.contains(index) && characters[index].scalar == " " }
        for comma in characters.indices.reversed() where isPoint(comma) {
            let cents = isBlank(comma + 1) ? comma + 2 : comma + 1
            let units = isBlank(comma - 1) ? comma - 2 : comma - 1
            guard isDigit(cents), isDigit(cents + 1), !isDigit(cents + 2), isDigit(units) else { continue }
            var start = units
            while isDigit(start - 1) { start -= 1 }
            // A date or a version has another point with digits before or after it.
            guard !(isPoint(cents + 2) && isDigit(cents + 3)), !(isPoint(start - 1) && isDigit(start - 2)) else {
                continue
            }
            if start > 0, characters[start - 1].scalar == "-" { start -= 1 }
            return PrintedAmount(words, characters, from: start, to: cents + 2)
        }
        return nil
    }

    private init(
        _ all: [RecognizedWord], _ characters: [(scalar: Unicode.Scalar, word: Int)], from start: Int, to end: Int
    ) {
        var text = ""
        for character in characters[start..<end] where character.scalar != " " {
            text.unicodeScalars.append(character.scalar == "." ? "," : character.scalar)
        }
        self.text = text
        words = characters[start].word..<(characters[end - 1].word + 1)
        func string(_ part: some Sequence<(scalar: Unicode.Scalar, word: Int)>) -> String {
            var string = ""
            for character in part where character.scalar != " " { string.unicodeScalars.append(character.scalar) }
            return string
        }
        let (first, last) = (words.lowerBound, words.upperBound - 1)
        prefix = string(characters[..<start].filter { $0.word == first })
        suffix = string(characters[end...].filter { $0.word == last })
        box = all[words].dropFirst().reduce(all[first].box) { $0.union($1.box) }
        confidence = all[words].map(\.confidence).min() ?? 0
    }

    /// Whether the amount begins its word.
    var isSeparateWord: Bool { prefix.isEmpty }

    /// Splits the word before the amount, because another reading has a blank there. Otherwise the grammar would take
    /// the minus of `ST-1.50` for a hyphen.
    func splitWord(in all: inout [RecognizedWord], asIn other: PrintedAmount) {
        guard words.count == 1, let word = all[words].first, box.x < other.box.x, other.box.x < box.maxX else { return }
        let front = PixelBox(x: box.x, y: box.y, width: other.box.x - box.x, height: box.height)
        let remainingBox = PixelBox(x: other.box.x, y: box.y, width: box.maxX - other.box.x, height: box.height)
        all.replaceSubrange(
            words,
            with: [
                RecognizedWord(text: prefix, box: front, confidence: word.confidence),
                RecognizedWord(text: text + suffix, box: remainingBox, confidence: word.confidence),
            ])
    }

    /// Replaces the amount by another one. The other characters of its words stay.
    func replace(in all: inout [RecognizedWord], by text: String, confidence: Int) {
        all.replaceSubrange(
            words, with: [RecognizedWord(text: prefix + text + suffix, box: box, confidence: confidence)])
    }
}
