extension TokenJoining {
    /// The maximum number of words of marks.
    private static let maximumMarks = 6
    /// The highest number of an additive.
    private static let highestNumber = 14
    /// The lowest plausible price with a comma, in minor units.
    private static let lowestPrice = 200

    /// Removes marks of allergens and additives: `(A, O)`, `A,G,O`, `1,12`. A comma after them is added to the word before
    /// them.
    static func withoutAllergens(_ tokens: [ListToken]) -> [ListToken] {
        var kept: [ListToken] = []
        var index = 0
        while index < tokens.count {
            let count = marks(tokens[index...])
            guard count > 0 else {
                kept.append(tokens[index])
                index += 1
                continue
            }
            index += count
            if tokens[index - 1].text.hasSuffix(","), let last = kept.last, !last.mayBelongToPrice,
                !last.text.hasSuffix(",")
            {
                kept[kept.count - 1].text += ","
            }
        }
        return kept
    }

    /// The number of words at the beginning that are marks. The tokens must not be empty.
    private static func marks(_ tokens: ArraySlice<ListToken>) -> Int {
        let first = tokens.first?.text.prefix { $0 != "," } ?? ""
        guard first.hasPrefix("(") || isMark(first, isOneWord: true) else { return 0 }
        return (1...min(maximumMarks, tokens.count)).last { areMarks(text(tokens.prefix($0)), isOneWord: $0 == 1) } ?? 0
    }

    /// The words without blanks. Letters in brackets are separated by commas: `(A C O)`.
    private static func text(_ tokens: ArraySlice<ListToken>) -> String {
        tokens.dropFirst().reduce(tokens.first?.text ?? "") { text, token in
            let needsComma =
                text.count > 1 && text.hasPrefix("(") && text.last?.isLetter == true
                && token.text.first?.isLetter == true
            return text + (needsComma ? "," : "") + token.text
        }
    }

    private static func areMarks(_ text: String, isOneWord: Bool) -> Bool {
        var core = text[...]
        while core.last == "," { core.removeLast() }
        let isBracketed = core.hasPrefix("(") && core.hasSuffix(")")
        let list = isBracketed ? core.dropFirst().dropLast() : core
        let parts = list.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ isMark($0, isOneWord: isOneWord) }) else { return false }
        // A single letter may be a part of a name, unless it is a capital in brackets.
        guard parts.count > 1 else { return isBracketed && list.first?.isUppercase == true }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return true }
        guard isOneWord || isBracketed, zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { return false }
        // `5,12` is not a price. `5,10` may be one, and `1,5` may be a size in litres.
        guard let price = PrintedPrice(String(list)) else { return true }
        return PrintedSize.size("\(list)l") == nil && (price.amount < lowestPrice || numbers[1] > 10)
    }

    /// Whether a text is a letter from A to R, or the number of an additive. In several words, only capitals count.
    private static func isMark(_ text: Substring, isOneWord: Bool) -> Bool {
        guard let first = text.first, (1...2).contains(text.count), first != "0" else { return false }
        if text.count == 1, ("A"..."R").contains(first) || isOneWord && ("a"..."r").contains(first) { return true }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text) else { return false }
        return number <= highestNumber
    }
}
