/// Tax classes in a column in front of the names: `A BREZEL  2,49` above `B SEIFE  1,19`.
enum ClassColumn {
    /// Takes the letters off the names where nearly all have one and hardly an amount has a class behind it, as a speck
    /// may look like one.
    static func take(_ items: inout [DraftItem]) {
        let found = items.map { leading($0.name) }
        let count = found.count { $0 != nil }
        guard count >= 4, count * 5 >= items.count * 4, items.count(where: { $0.vat != nil }) * 4 <= items.count
        else { return }
        for (index, found) in found.enumerated() {
            guard let found else { continue }
            items[index].vat = found.vat
            items[index].name = found.name
        }
    }

    private static func leading(_ name: String) -> (vat: String, name: String)? {
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].utf8.count == 1, ("A"..."G").contains(words[0]),
            words[1].count(where: \.isLetter) >= 3
        else { return nil }
        return (String(words[0]), String(words[1]))
    }
}
