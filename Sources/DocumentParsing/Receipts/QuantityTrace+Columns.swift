/// Detects a count and a unit price at the end of a name.
extension QuantityTrace {
    /// Whether the name ends in a count that divides the total, and in a damaged price: `Milch 2 1.B0`, `2 180`,
    /// `2 1 80`.
    var endsInColumns: Bool {
        guard words.count >= 3, let last = words.last else { return false }
        if let count = Int64(words[words.count - 3]), let price = Int64(words.suffix(2).joined()), last.count == 2,
            count > 1, words.count >= 4, count * price == total
        {
            return true
        }
        guard divides(words[words.count - 2][...]), last.count >= 2, last.contains(where: \.isNumber) else {
            return false
        }
        let letters = last.filter(\.isLetter)
        if letters.isEmpty { return true }
        // One digit may have been read as a letter. `1,5l` is a size.
        return letters.count == 1 && letters.allSatisfy { "OoDQISBZ".contains($0) || last.last?.isNumber ?? false }
    }

    /// Whether the name ends in a count or a sign, and in a price in which letters were read in place of digits:
    /// `Z l,s0`.
    var endsInDamagedColumns: Bool {
        guard words.count >= 3, let price = words.last, case let count = words[words.count - 2],
            (3...6).contains(price.count), price.contains(where: \.isNumber), count.count <= 2, !Self.isSize(price)
        else { return false }
        return (count + price).unicodeScalars.allSatisfy {
            HiddenQuantity.looksLikeDigit($0) || ".,xXkK%*".unicodeScalars.contains($0)
        } && price.contains { $0.isLetter || $0 == "|" }
    }

    /// Whether the word is a size with a unit that looks like a digit: `500g`, `1,5l`, `64GB`.
    private static func isSize(_ word: String) -> Bool {
        let unit = word.drop { $0.isNumber || $0 == "," || $0 == "." }.lowercased()
        return unit == "l" || ["g", "oz", "gb", "tb"].contains(unit) && !word.contains { $0 == "," || $0 == "." }
    }
}
