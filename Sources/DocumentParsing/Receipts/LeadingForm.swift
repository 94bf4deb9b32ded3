import Domain

/// Counts beside names in forms that are not taken: `02 Döner`, `002 Döner`, `2,0 Döner`, `2) Döner`, `#2 Döner`, `Anz 2 Döner`,
/// `A 2 Döner`, `4711 2 Döner`. One name alone may begin like that; where several do, nobody says it is one piece.
enum LeadingForm {
    /// Two goods or more begin in one form, each with a count that divides its total, and some count is more than one.
    static func isOpen(_ items: [DraftItem]) -> Bool {
        var counts: [String: [(count: Int64, divides: Bool)]] = [:]
        for item in items where item.kind == .item && item.quantity == nil {
            guard let (form, count) = count(item.name), let value = item.value else { continue }
            counts[form, default: []].append((count, value % count == 0))
        }
        return counts.values.contains { found in
            // 1, 2, 3 … are the numbers of the lines.
            let isNumbering = found.count > 2 && zip(found, found.dropFirst()).allSatisfy { $0.count + 1 == $1.count }
            return found.count >= 2 && !isNumbering && found.allSatisfy(\.divides) && found.contains { $0.count > 1 }
        }
    }

    /// Two names or more hold an amount with words on both sides: two columns of goods were drawn into one.
    static func hasTwoColumns(_ items: [DraftItem]) -> Bool {
        items.count { item in
            guard item.kind == .item else { return false }
            let words = item.name.split(separator: " ")
            return words.indices.dropFirst().dropLast().contains { index in
                let scalars = Array(words[index].unicodeScalars.prefix(20))
                let figure = FigureScanner.figures(in: scalars).first
                return figure?.amount != nil && figure?.range.count == scalars.count
                    && words[index - 1].count(where: \.isLetter) >= 3
                    && words[index + 1].count(where: \.isLetter) >= 3
                    && !["statt", "uvp", "nur", "je", "bis", "ab", "für"].contains(words[index - 1].lowercased())
                    && !["EUR", "EURO", "CHF"].contains(words[index + 1].uppercased())
            }
        } >= 2
    }

    private static func count(_ name: String) -> (form: String, count: Int64)? { leading(name) ?? trailing(name) }

    /// `Döner 2Stk`; of one good alone it is the size of its package.
    private static func trailing(_ name: String) -> (form: String, count: Int64)? {
        guard let word = name.split(separator: " ").dropFirst().last?.lowercased() else { return nil }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0,
            ["stk", "stk.", "st", "st."].contains(word.dropFirst(digits.count))
        else { return nil }
        return ("0stk", count)
    }

    private static func leading(_ name: String) -> (form: String, count: Int64)? {
        let words = name.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count >= 2, let name = words.last, name.count(where: \.isLetter) >= 3 else { return nil }
        let first = words[0]
        func small(_ text: some StringProtocol) -> Int64? {
            guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
                return nil
            }
            return Int64(text).flatMap { $0 > 0 ? $0 : nil }
        }
        if first.utf8.count == 3, first.hasPrefix("0"), let count = Int64(first), count > 0 { return ("000", count) }
        if first.utf8.count == 2, first.hasPrefix("0"), let count = small(first) { return ("00", count) }
        if let count = small(first.dropLast(2)), first.hasSuffix(",0") || first.hasSuffix(".0") {
            return ("0,0", count)
        }
        if first.hasSuffix(")"), let count = small(first.dropLast()) { return (")", count) }
        if first.hasPrefix("#"), let count = small(first.dropFirst()) { return ("#", count) }
        guard words.count == 3 else { return nil }
        if ["anz", "anz.", "anzahl", "menge"].contains(first.lowercased()), let count = small(words[1]) {
            return ("anz", count)
        }
        if first.utf8.count == 1, first.allSatisfy(\.isLetter), let count = small(words[1]) { return ("A", count) }
        let isNumber = { (word: String) in
            (3...14).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
        }
        if isNumber(first), let count = small(words[1]) { return ("0000 0", count) }
        if isNumber(words[1]), let count = small(first) { return ("0 0000", count) }
        return nil
    }
}
