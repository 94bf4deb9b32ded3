import Recognition

/// Reads wine lists.
package enum WineList {
    /// Entries that are read at most; further ones are left out.
    package static let mostEntries = 2_000

    /// The entries of all pages in reading order.
    package static func read(_ pages: [RecognizedPage]) -> [WineListEntry] {
        var entries: [WineListEntry] = []
        for (number, page) in pages.enumerated() {
            for line in page.lines {
                guard entries.count < mostEntries else { return entries }
                if let entry = entry(line, page: number) { entries.append(entry) }
            }
        }
        return entries
    }

    private static func entry(_ line: RecognizedLine, page: Int) -> WineListEntry? {
        var words = line.words[...]
        guard let first = words.first, let last = words.last, let price = PrintedPrice(last.text) else { return nil }
        words.removeLast()
        guard let end = words.last else { return nil }
        let text = words.map(\.text).joined(separator: " ")
        var entry = WineListEntry(
            text: text, page: page, box: first.box.union(last.box),
            prices: [WineListPrice(amount: price.amount, currency: price.currency)])
        entry.textBox = first.box.union(end.box)
        entry.vintage = WineVintage.find(in: text)?.year
        return entry
    }
}
