/// Finds headings that name a kind of wine and look like a line of an entry, because there is no gap above them:
/// `Vini rossi`, `Roséweine`.
///
/// The second line of an entry may be such a kind, too. These lines are more frequent, and repeat.
enum KindHeadings {
    /// The indices of the headings.
    ///
    /// - Parameter height: The usual height of the letters of rows with prices, in pixels.
    static func rows(_ rows: [ListRow], height: Int) -> Set<Int> {
        let priced = rows.count { $0.isPriced && !$0.text.isEmpty }
        var kinds = rows.indices.filter { isKind($0, rows, height: height) }
        // Beside other kinds, a colour above two names is a heading: `Rosé`.
        if !kinds.isEmpty {
            kinds = rows.indices.filter { kinds.contains($0) || isColor($0, rows, height: height) }
        }
        if kinds.allSatisfy({ PlaceHeadings.isAboveTwoNames($0, rows) }) { return Set(kinds) }
        let texts = Set(kinds.map { WineText.words(text(rows[$0])) })
        // The first row is no second line.
        let areFew = kinds.count { $0 > 0 } * 3 <= priced + 1
        return areFew && texts.count == kinds.count ? Set(kinds) : []
    }

    /// Whether a row has only a word for wine and a colour or another kind.
    private static func isKind(_ index: Int, _ rows: [ListRow], height: Int) -> Bool {
        let row = rows[index]
        guard !row.isPriced, row.heads.isEmpty, !row.text.isEmpty,
            PlaceHeadings.mayBeHeading(index, rows, height: height)
        else { return false }
        let reading = ListSection.read(text(row))
        return reading.share == 1000 && reading.namesKind && reading.namesWine && reading.section.grape == nil
            && reading.section.region == nil
    }

    /// Whether a row has only a colour, and is above two names with prices.
    private static func isColor(_ index: Int, _ rows: [ListRow], height: Int) -> Bool {
        let row = rows[index]
        guard !row.isPriced, row.heads.isEmpty, row.text.count == 1, PlaceHeadings.isAboveTwoNames(index, rows),
            PlaceHeadings.mayBeHeading(index, rows, height: height)
        else { return false }
        let reading = ListSection.read(text(row))
        return reading.share == 1000 && reading.namesKind && reading.section.color != nil
            && reading.section.grape == nil
    }

    private static func text(_ row: ListRow) -> String { row.text.map(\.text).joined(separator: " ") }
}
