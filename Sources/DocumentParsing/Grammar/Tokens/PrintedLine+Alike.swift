import Recognition

extension PrintedLine {
    /// Whether both engines read the same figure where `range` is printed. They may part words differently, and the letter O
    /// is the digit 0; one of them may have lost the comma.
    func isReadAlike(at range: Range<Int>) -> Bool {
        guard !witness.isEmpty, !range.isEmpty, range.upperBound <= wordAt.count else { return false }
        let own = wordIndices(range)
        let box = box(range)
        let beside = witness.filter { word in
            let shared = min(word.box.maxX, box.maxX) - max(word.box.x, box.x)
            return shared * 2 >= min(word.box.width, box.width)
        }
        let figure = Shape(words[own])
        if figure.digits.count >= 3, figure.agrees(with: Shape(beside[...])) { return true }
        // The class behind the amount may be glued to it: compare all that follows.
        let rest = witness.filter { 2 * $0.box.x + $0.box.width > 2 * box.x }.sorted { $0.box.x < $1.box.x }
        let all = Shape(words[own.lowerBound...])
        return all.digits.count >= 3 && all == Shape(rest[...])
    }

    /// The signs of some words without blanks.
    private struct Shape: Equatable {
        var signs: [Unicode.Scalar] = []

        init(_ words: ArraySlice<RecognizedWord>) {
            for scalar in words.lazy.flatMap(\.text.unicodeScalars).prefix(PrintedLine.longest) where scalar != " " {
                switch scalar {
                case "O", "o", "Q": signs.append("0")
                case ",": signs.append(".")
                default: signs.append(scalar)
                }
            }
        }

        var digits: [Unicode.Scalar] { signs.filter(\.isDigit) }

        func agrees(with other: Shape) -> Bool {
            if self == other { return true }
            guard digits == other.digits, signs.contains("-") == other.signs.contains("-") else { return false }
            return !signs.contains(".") || !other.signs.contains(".")
        }
    }
}
