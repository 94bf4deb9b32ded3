/// Properties of a printed word that distinguish a personal number from a price, a day or a time.
struct PrintedFigure {
    /// The number of digits and of characters that mask digits.
    let digitOrMaskCount: Int
    let digitCount: Int
    /// Whether it is an amount, a day or a time, which are never personal.
    let isSpared: Bool
    /// Whether it has four or more masking characters in a row: `############1234`, `XXXX1234`, `XXXX`.
    let isMasked: Bool
    /// Whether it is a long number, perhaps with capitals and masks. Excludes signatures of tills, which contain small
    /// letters.
    let isReference: Bool
    /// Whether it begins with two capitals and two digits, like an IBAN.
    let beginsIBAN: Bool
    /// Whether it consists of two or more digits, masks or capitals, with at least one digit or mask.
    let isGroup: Bool
    /// Whether it contains a letter or a digit.
    let isValue: Bool

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars.prefix(80))
        digitCount = scalars.count(where: \.isDigit)
        let masks = scalars.count(where: Self.isMask)
        digitOrMaskCount = digitCount + masks
        isSpared = Self.isAmount(scalars) || Self.isDayOrTime(scalars)
        isMasked = Self.longestMask(scalars) >= 4 && digitCount + masks >= scalars.count - 2
        isReference =
            scalars.count >= 8 && digitCount >= 4
            && !scalars.contains { ("a"..."z").contains($0) || $0 == "=" || $0 == "+" }
        let start = scalars.prefix(4)
        let isPlain = scalars.allSatisfy { $0.isDigit || Self.isMask($0) || ("A"..."Z").contains($0) }
        beginsIBAN =
            start.count == 4 && start.prefix(2).allSatisfy { ("A"..."Z").contains($0) }
            && start.suffix(2).allSatisfy(\.isDigit) && isPlain
        isGroup = scalars.count >= 2 && digitOrMaskCount >= 1 && isPlain
        isValue = scalars.contains { $0.isDigit || $0.properties.isAlphabetic }
    }

    private static func isMask(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "#", "*", "X", "x", "•", "×": true
        default: false
        }
    }

    private static func longestMask(_ scalars: [Unicode.Scalar]) -> Int {
        var longest = 0
        var run = 0
        for scalar in scalars {
            run = isMask(scalar) ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// Whether the word is an amount: `12,34`, `-1.234,50`, `7,99€`, `0,25-`, `4,10EUR`.
    private static func isAmount(_ scalars: [Unicode.Scalar]) -> Bool {
        let body = scalars.filter { !("A"..."Z").contains($0) && $0 != "€" && $0 != "-" && $0 != "+" && $0 != "*" }
        guard body.count >= 4, scalars.count - body.count <= 4 else { return false }
        let comma = body[body.count - 3]
        return (comma == "," || comma == ".") && body.suffix(2).allSatisfy(\.isDigit)
            && body.dropLast(3).allSatisfy { $0.isDigit || $0 == "." } && body.count <= 9
    }

    /// Whether the word is a day or a time: `21.11.2026`, `21.11.26`, `2026-11-21`, `14:05`, `14:05:33`.
    private static func isDayOrTime(_ scalars: [Unicode.Scalar]) -> Bool {
        let parts = scalars.split { !$0.isDigit }
        let marks = scalars.filter { !$0.isDigit }
        guard parts.count >= 2, parts.allSatisfy({ (1...4).contains($0.count) }), marks.count <= 4 else { return false }
        if marks.prefix(2).allSatisfy({ $0 == ":" }) { return parts.allSatisfy { $0.count == 2 } }
        guard parts.count == 3 else { return false }
        return marks.prefix(2).allSatisfy { $0 == "." } || marks.prefix(2).allSatisfy { $0 == "-" }
            || marks.prefix(2).allSatisfy { $0 == "/" }
    }
}
