/// Splits printed names into words and changes their case; for `Vocabulary.readableName`.
enum ReadableWords {
    struct Word {
        var text: String
        /// The character before the word: a blank, or the printed hyphen.
        var joiner: String
        var hasPoint: Bool
    }

    static func split(_ printed: String) -> [Word] {
        var words: [Word] = []
        var current = ""
        var joiner = " "
        let characters = Array(printed)
        func flush(point: Bool, next: String) {
            if !current.isEmpty {
                words.append(Word(text: current, joiner: joiner, hasPoint: point))
                joiner = next
            } else if next != "-" {
                joiner = next
            }
            current = ""
        }
        for (index, character) in characters.enumerated() {
            let isBetweenDigits =
                index > 0 && index + 1 < characters.count && characters[index - 1].isNumber
                && characters[index + 1].isNumber
            switch character {
            case "." where !isBetweenDigits: flush(point: true, next: " ")
            case "-" where !isBetweenDigits: flush(point: false, next: "-")
            case "," where isBetweenDigits: current.append(character)
            case _ where character.isWhitespace: flush(point: false, next: " ")
            case "%" where !current.isEmpty: current += " %"
            default: current.append(character)
            }
        }
        flush(point: false, next: " ")
        return words
    }

    /// Returns the word in its usual case: figures as `500 g`, known words as in `spelling`, others with a capital only
    /// at the start.
    ///
    /// - Parameter lowersCapitals: false to change figures only, for names that are not printed in capitals.
    static func cased(_ word: String, lowersCapitals: Bool, spelling: [String: String]) -> String {
        if let figure = figure(word) { return figure }
        guard lowersCapitals else { return word }
        if let known = spelling[FoldedText.fold(word)] { return known }
        guard word.count > 2 || word.contains("!") else { return word }
        return word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// `500G` → `500 g`, `10ER` → `10er`. Nil for words that do not begin with a digit.
    private static func figure(_ word: String) -> String? {
        guard word.first?.isNumber == true else { return nil }
        let digits = word.prefix { $0.isNumber || $0 == "," || $0 == "." }
        let unit = word.dropFirst(digits.count).lowercased()
        switch unit {
        case "g", "kg", "ml", "cl", "l": return "\(digits) \(unit)"
        case "er": return "\(digits)er"
        default: return unit.isEmpty || unit.hasPrefix("x") ? word.lowercased() : nil
        }
    }
}
