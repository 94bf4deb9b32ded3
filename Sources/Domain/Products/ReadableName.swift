extension Vocabulary {
    /// A first guess at how people would write a printed name: `SCHW.SCHNITZEL 500G` → `Schweine Schnitzel 500 g`.
    ///
    /// Abbreviations are written out, capitals set down, figures spaced; nothing is looked up in a dictionary and no
    /// word is ever replaced by another. The printed form stays the key.
    package func readableName(_ printed: some StringProtocol) -> String {
        let words = ReadableWords.split(String(printed.prefix(FoldedText.longest)))
        let isAllCapitals = !words.contains { $0.text.contains(where: \.isLowercase) && $0.text.count > 2 }
        var result = ""
        var index = 0
        while index < words.count {
            let word = words[index]
            var length = 1
            var text = ReadableWords.cased(word.text, setDown: isAllCapitals, spelling: spelling)
            if let known = learned[FoldedText.fold(word.text)] {
                text = known
            } else {
                for count in [3, 2, 1] where index + count <= words.count {
                    let phrase = words[index..<index + count].map { FoldedText.fold($0.text) }.joined(separator: " ")
                    // A whole word may look like an abbreviation of another: one word counts only with its point.
                    guard let full = abbreviations[phrase], count > 1 || words[index].hasPoint || phrase == "tk" else {
                        continue
                    }
                    text = full
                    length = count
                    break
                }
            }
            if !result.isEmpty { result += words[index].joiner }
            result += text
            index += length
        }
        return result
    }
}

enum ReadableWords {
    struct Word {
        var text: String
        /// What stands before the word: a blank, or the hyphen that was printed.
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

    static func cased(_ word: String, setDown: Bool, spelling: [String: String]) -> String {
        if let figure = figure(word) { return figure }
        guard setDown else { return word }
        if let known = spelling[FoldedText.fold(word)] { return known }
        guard word.count > 2 || word.contains("!") else { return word }
        return word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// `500G` → `500 g`, `10ER` → `10er`; nothing for words that do not begin with a digit.
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
