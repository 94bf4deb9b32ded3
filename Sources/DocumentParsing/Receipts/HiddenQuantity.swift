/// Recognises lines that may contain a quantity that no rule understood. The sum of a receipt
/// does not reveal that an item is several pieces.
enum HiddenQuantity {
    /// Whether the line may hold a quantity: a multiplication sign beside a figure, a word for weights or pieces, or a
    /// lone amount. Examples: `2 x 2995 €`, `x -0,25 €`, `kg x 12.09 EUR/kg`, `2,95 €`.
    static func isPossible(_ line: ReadLine) -> Bool {
        if line.quantity != nil || isCount(line.line.text[...]) { return true }
        let words = line.line.text.split(separator: " ").map(lowercased)
        if words.contains(where: { $0.hasSuffix("kg") && $0.count <= 6 }) { return true }
        if words.contains(where: { $0.hasPrefix("stk") || $0 == "stck" || $0 == "stück" }) { return true }
        return !line.amounts.isEmpty && line.line.letterCount <= 3
    }

    /// Whether a line without figures may be a misread quantity: it has no known words, and the engines read different
    /// words, or only one engine read it. If figures are printed poorly, each engine reads them as different letters.
    static func isReadBadly(_ line: ReadLine, among lines: [ReadLine]) -> Bool {
        let isKnown =
            line.has(.coupon) || line.has(.footer) || line.has(.points) || line.begins(with: .header)
            || line.begins(with: .count) || SectionFinder.isColumnHeader(line) || CancellationLine.isHeading(line)
        guard !isKnown, !line.line.isText, line.line.digitCount == 0 else { return false }
        return line.line.otherEngineWords.isEmpty
            ? lines.contains { !$0.line.otherEngineWords.isEmpty } : line.line.isDisputedText
    }

    /// Whether every character may be a misread part of a quantity, `Zxl,zg` for `2x1,29`: letters that look like
    /// digits on both sides of a multiplication sign, a word for pieces or `kg`. A count has at most two digits and
    /// does not begin with a zero. `OBST 500G` is therefore not a quantity.
    static func isReadAsLetters(_ text: String) -> Bool {
        var letters = text.filter { $0.isLetter || $0.isNumber || "*%".contains($0) }[...]
        for unit in ["eurkg", "eur", "chf"] where letters.lowercased().hasSuffix(unit) {
            letters = letters.dropLast(unit.count)
        }
        guard (4...14).contains(letters.count) else { return false }
        return letters.indices.dropFirst().contains { start in
            let rest = letters[start...].lowercased()
            return misreadSigns.contains { sign in
                let quantity = letters[..<start].unicodeScalars
                guard rest.hasPrefix(sign), let first = quantity.first,
                    sign == "kg" ? quantity.count <= 5 : quantity.count <= 2 && digit(first) != 0
                else { return false }
                let price = letters[start...].dropFirst(sign.count).drop { "xX×*äàáakK%".contains($0) }
                return price.count >= 2 && (quantity + price.unicodeScalars).allSatisfy(looksLikeDigit)
            }
        }
    }

    /// Multiplication signs, also as misread, and words between the figures of a quantity.
    private static let misreadSigns = ["x", "×", "*", "%", "kg", "k"] + Lexicon.piecesBetweenFigures

    static func looksLikeDigit(_ scalar: Unicode.Scalar) -> Bool { digit(scalar) != nil }

    /// The digit that may have been read as this character.
    static func digit(_ scalar: Unicode.Scalar) -> Int64? { scalar == "A" ? 4 : Confusions.digit(scalar) }

    /// Whether a word names pieces or weights, or is a multiplication sign: `Stk`, `EUR/kg`, `zwei Stück`, `a x`.
    static func namesUnit(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.split(separator: " ").map(lowercased).contains { word in
            Lexicon.withoutFigures.contains(word)
                || (word.hasSuffix("/kg") && word.count <= 7)
        }
    }

    /// Whether a count such as `6x` follows the price: the quantity of an adjacent line touches this line.
    static func isAfterPrice(_ line: ReadLine) -> Bool {
        guard let price = line.price, price.range.upperBound < line.line.text.count else { return false }
        return line.line.text[price.range.upperBound...].split(separator: " ").contains { word in
            let rest = word.drop(while: \.isDigit)
            return rest.count < word.count && rest.first.map(Lexicon.letterTimes.unicodeScalars.contains) ?? false
        }
    }

    /// Whether the text has a count with a multiplication sign, before a possible figure or at the end: `4x 0,O5`.
    static func isCount(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let words = text.split(separator: " ")
        for (index, word) in words.enumerated() {
            var rest = word.drop { $0.isDigit || $0 == "-" }
            let hasDigits = word.contains(where: \.isDigit) && rest.count < word.count
            guard let sign = rest.first, Lexicon.times.unicodeScalars.contains(sign) else { continue }
            rest = rest.dropFirst()
            // A lone sign needs a figure beside it; a sign attached to a count may also end the line.
            let isFollowed = rest.isEmpty ? words[safe: index + 1].map(beginsFigure) : beginsFigure(rest)
            if isFollowed ?? hasDigits { return true }
            if !hasDigits, rest.isEmpty, index > 0, words[index - 1].allSatisfy(\.isDigit) { return true }
        }
        return false
    }

    private static func beginsFigure(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        word.prefix(2).contains(where: \.isDigit)
    }

    private static func lowercased(_ word: ArraySlice<Unicode.Scalar>) -> String {
        PrintedLine.string(word).lowercased()
    }
}
