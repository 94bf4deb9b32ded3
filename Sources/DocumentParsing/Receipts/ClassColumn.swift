/// Reads tax classes from a column in front of the names: `A BREZEL  2,49` above `B SEIFE  1,19`, or `*A BREZEL`.
enum ClassColumn {
    /// Moves the class letters out of the names if at least four in five names begin with one and at most one amount in
    /// four is followed by a class. Amounts followed by a class are allowed because a speck may look like one.
    static func take(_ items: inout [DraftItem]) {
        let found = items.map { splitLeadingClass($0.name) }
        let count = found.count { $0 != nil }
        guard count >= 4, count * 5 >= items.count * 4, items.count(where: { $0.vat != nil }) * 4 <= items.count
        else { return }
        for (index, found) in found.enumerated() {
            guard let found else { continue }
            items[index].vat = found.vat
            items[index].name = found.name
        }
    }

    private static func splitLeadingClass(_ name: String) -> (vat: String, name: String)? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2, case let letter = words[0].hasPrefix("*") ? words[0].dropFirst() : words[0],
            letter.utf8.count == 1, ("A"..."G").contains(letter), words[1].count(where: \.isLetter) >= 3
        else { return nil }
        return (String(letter), String(words[1]))
    }
}
