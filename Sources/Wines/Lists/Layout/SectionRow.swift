import Recognition

/// Finds headings with sizes that look like prices: `Francia   20   75`, where `cl` was lost, or `0,751   1,51`.
enum SectionRow {
    /// Moves the sizes of a row that is such a heading from its text to its heads. Must be called before the prices are
    /// separated.
    static func separateSizes(_ row: inout ListRow) {
        var start = row.text.count
        while start > 0, row.text[start - 1].mayBelongToPrice || PrintedSize.misread(row.text[start - 1].text) != nil {
            start -= 1
        }
        start = HeadRow.endOfGlassHeading(row.text, from: start, to: row.text.count)
        let tokens = row.text[start...].filter { $0.kind != .leader && $0.kind != .separator }
        let labels = tokens.filter { servings.contains($0.kind) }
        let numbers = tokens.filter { !servings.contains($0.kind) }
        var sizes: [ListToken] = []
        var largest = 0
        for var token in numbers {
            let readings = if case .size(let size) = token.kind { [size] } else { PrintedSize.misreadings(token.text) }
            // Sizes increase from left to right.
            guard let size = readings.first(where: { $0 > largest }) else { continue }
            token.kind = .size(size)
            largest = size
            sizes.append(token)
        }
        guard sizes.count * 2 > numbers.count else { return }
        let text = row.text[..<start].filter { $0.kind != .leader }
        guard isHeading(text, columns: sizes.count) else { return }
        row.heads = (sizes + labels).sorted { $0.box.x < $1.box.x }
        row.text = text
    }

    /// Words above a price column beside sizes: `Fl.` in `dl   5 dl   Fl.`.
    private static let servings: [ListToken.Kind] = [.serving(.glass), .serving(.carafe), .serving(.bottle)]

    /// Whether the text is a heading: a country, or a kind of wine with several words or sizes. `Rotwein 20` may be an
    /// entry.
    private static func isHeading(_ text: [ListToken], columns: Int) -> Bool {
        if text.isEmpty { return columns > 1 }
        guard text.count <= 6 else { return false }
        let reading = ListSection.read(text.joinedText)
        guard reading.share == 1000, reading.section.region == nil, reading.section.grape == nil else { return false }
        return reading.section.country != nil || reading.namesKind && (columns > 1 || text.count > 1)
    }
}
