/// Extracts the name of an item from its line, as printed.
enum NameReader {
    struct Name {
        var text: String
        var articleNumber: String?
        var vatClass: String?
    }

    /// - Parameter isInFrancs: whether `Fr` is the currency and not a part of the name, as in `Vollmilch Fr`.
    static func name(
        _ line: ReadLine, _ range: Range<Int>, isClassBeforeAmount: Bool, isInFrancs: Bool,
        articles: ArticleNumbers? = nil
    ) -> Name {
        var range = range
        var vatClass: String?
        let text = line.line.text
        if isClassBeforeAmount, let found = classBefore(text, range.upperBound) {
            vatClass = found.vatClass
            range = range.lowerBound..<found.start
        }
        var words = line.line.string(range).split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        while let last = words.last, isDirt(last) { words.removeLast() }
        // `Joghurt CHF 3.15`: the currency belongs to the amount.
        if let last = words.last, ["EUR", "CHF"].contains(last) || (isInFrancs && ["Fr", "Fr."].contains(last)),
            words.dropLast().last?.contains(where: { $0.isLetter || $0 == "%" }) ?? false
        {
            words.removeLast()
        }
        while let first = words.first, isDirt(first), words.count > 1 { words.removeFirst() }
        if !line.line.isText, let first = words.first { words[0] = withoutDirt(first) }
        var article: String?
        if let number = articles?.leading(words) {
            article = number
            words.removeFirst()
        } else if words.count > 1, let first = words.first, first.isNumber(5...14) {
            article = first
            words.removeFirst()
        }
        return Name(text: words.joined(separator: " "), articleNumber: article, vatClass: vatClass)
    }

    /// Returns a class of one character that is a separate word before the price, and the end of the name.
    static func classBefore(_ text: [Unicode.Scalar], _ end: Int) -> (vatClass: String, start: Int)? {
        let front = text[..<end].trimmingSuffix { $0 == " " }
        guard front.count >= 3, let sign = front.last, front.dropLast().last == " ",
            Self.classes.contains(sign)
        else { return nil }
        return (String(Character(sign)), front.endIndex - 1)
    }

    /// Tax classes of one character. N and R are the normal and the reduced rate.
    private static let classes = Set("ABCDEFGNR1234".unicodeScalars)

    /// Splits off the class at the end of a name, when the price is on another line: `BANANEN LOSE C`.
    static func trailingClass(_ text: String) -> (text: String, vatClass: String?) {
        let words = text.split(separator: " ")
        guard words.count > 1, let last = words.last, last.utf8.count == 1, ("A"..."G").contains(last) else {
            return (text, nil)
        }
        return (words.dropLast().joined(separator: " "), String(last))
    }

    /// Removes characters that engines read at the edge of the paper: `[FRISCHE`, `‚RINDERGULASCH`.
    private static func withoutDirt(_ word: String) -> String {
        let clean = word.drop { "[]|\\{}‚'’‘°;:~".contains($0) }
        return clean.prefix(2).count(where: \.isLetter) == 2 ? String(clean) : word
    }

    /// Whether the word has only characters that no name ends with.
    private static func isDirt(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { !$0.isDigit && !$0.isLatinLetter && $0 != "%" && $0 != "&" }
    }
}
