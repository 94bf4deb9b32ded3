import Domain

/// What damage leaves of `Vollmilch  2  1.80` before 3.60: a column of counts and one of unit prices, no sign between.
extension QuantityTrace {
    /// `Vollmilch 2 1.B0`, `2 1:80`, `2 l.80`, `2 .80`, `2 180`, `2 1 80`: a count that divides the total, and behind it
    /// the price of one but for one sign; `Z 1.B0` where the count is damaged as well.
    static func endsInColumns(_ words: [String], total: Int64) -> Bool {
        guard words.count >= 3, total != 0, let last = words.last else { return false }
        let magnitude = Int64(total.magnitude)
        if words.count >= 4, let price = digits(words.suffix(2).joined()), let count = digits(words[words.count - 3]),
            isCount(count, of: magnitude), price * count == magnitude
        {
            return true
        }
        if isDamagedPrice(last), words[words.count - 2].utf8.count == 1 { return true }
        // Of two prices the regular one stands between the count and what was paid for one.
        let counts = [words[words.count - 2]] + (isPrice(words[words.count - 2]) ? [words[words.count - 3]] : [])
        return counts.contains { word in
            guard let count = digits(word), isCount(count, of: magnitude) else { return false }
            return isDamagedPrice(last) || isAlmost(last, price: magnitude / count)
        }
    }

    /// `Seife 3/0,99`, `Shirt 2/13,00`, `Seife Anz.3`, `Sprudel 3 Fl.`: counts in spellings that are not taken.
    static func spellsCount(_ words: [String], total: Int64) -> Bool {
        let magnitude = Int64(total.magnitude)
        return words.indices.dropFirst().contains { index in
            let word = words[index].lowercased()
            let parts = word.split(separator: "/").map(String.init)
            if parts.count == 2, let count = digits(parts[0]), (2...24).contains(count), isPrice(parts[1]) {
                return true
            }
            let label = word.prefix { $0.isLetter || $0 == "." || $0 == ":" }
            if ["anz", "anz.", "anz:", "anzahl:", "menge:"].contains(label),
                let count = digits(String(word.dropFirst(label.count)))
            {
                return isCount(count, of: magnitude)
            }
            // Four and more are a pack.
            guard index > 1, index == words.count - 1, ["fl", "fl."].contains(word),
                let count = digits(words[index - 1])
            else { return false }
            return count < 4 && isCount(count, of: magnitude)
        }
    }

    private static func isCount(_ count: Int64, of total: Int64) -> Bool {
        (2...24).contains(count) && total.isMultiple(of: count)
    }

    /// The signs of the price without separators, one of them misread or lost, or all its digits without a comma.
    private static func isAlmost(_ word: String, price: Int64) -> Bool {
        let printed = Array((price < 100 ? "0" : "") + (price < 10 ? "0" : "") + String(price))
        let signs = word.filter { !".,:;-'*?!".contains($0) }
        guard word.contains(where: \.isNumber), signs.count >= 2 else { return false }
        if signs.count == word.count, signs.allSatisfy(\.isNumber) { return Array(signs) == printed }
        // Three letters and more are a unit or a word.
        guard signs.count(where: \.isLetter) <= 1 else { return false }
        return differInOne(Array(signs), printed)
    }

    private static func differInOne(_ left: [Character], _ right: [Character]) -> Bool {
        if left.count == right.count { return zip(left, right).count { $0 != $1 } <= 1 }
        guard abs(left.count - right.count) == 1 else { return false }
        let (short, long) = left.count < right.count ? (left, right) : (right, left)
        return long.indices.contains { index in
            long[..<index].elementsEqual(short[..<index]) && long[(index + 1)...].elementsEqual(short[index...])
        }
    }

    /// `1.B0`, `S.80`: digits around a separator, one of them read as a letter. `1,5l` is what a bottle holds.
    private static func isDamagedPrice(_ word: String) -> Bool {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard parts.count == 2, (1...3).contains(parts[0].count), parts[1].count == 2 else { return false }
        let letters = word.filter(\.isLetter)
        guard letters.count == 1, letters.allSatisfy({ "OoDQIlSBZ".contains($0) }) else { return false }
        return word.count(where: \.isNumber) == word.count - 2 && !(parts[1].last == "l" || parts[1].last == "L")
    }

    private static func isPrice(_ word: String) -> Bool {
        let scalars = Array(word.unicodeScalars.prefix(12))
        let figure = FigureScanner.figures(in: scalars).first
        return figure?.amount != nil && figure?.range.count == scalars.count
    }

    private static func digits(_ word: String) -> Int64? {
        (1...5).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) } ? Int64(word) : nil
    }
}
