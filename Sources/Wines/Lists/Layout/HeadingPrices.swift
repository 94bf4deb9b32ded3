/// Prices in headings, which apply to the wines below them: `Offene Weine 1/8 l € 4,20`.
struct HeadingPrices {
    /// For each row, the last heading above it with prices; nil if there is none, or if another heading with a serving or
    /// with column heads is between them.
    private let headings: [Int?]

    /// The minimum number of wines below such a heading, unless it states that its wines are sold by the glass or by the
    /// bottle. `Rosé   5,50` with a second line is a wine.
    private static let minimumWines = 3

    /// - Parameter headingsWithPrices: The rows of the headings.
    init(_ rows: [ListRow], _ roles: [RowRole], headingsWithPrices: Set<Int>) {
        var headings: [Int?] = []
        var last: Int?
        for index in rows.indices {
            headings.append(last)
            guard case .heading(let section) = roles[index] else { continue }
            if headingsWithPrices.contains(index) {
                last = index
            } else if section.statesServing || !rows[index].heads.isEmpty {
                last = nil
            }
        }
        self.headings = headings
    }

    /// The row of the heading with the prices of the wines in a row without prices.
    func heading(above row: Int) -> Int? { headings[row] }

    /// Whether a row with prices is only a kind of wine, and most lines below it are wines without prices.
    static func areInHeading(_ index: Int, _ rows: [ListRow]) -> Bool {
        guard rows[index].cells.contains(where: { $0.price != nil }), index + 1 < rows.count, !rows[index + 1].isPriced
        else { return false }
        let reading = ListSection.read(rows[index].text.joinedText)
        let section = reading.section
        guard reading.share == 1000, reading.namesKind || reading.namesWine, !section.isOther, section.grape == nil,
            section.region == nil
        else { return false }
        var (lines, wines) = (0, 0)
        for row in rows[(index + 1)...] {
            guard !row.isPriced, row.heads.isEmpty, !row.text.isEmpty else { break }
            let inner = ListSection.read(row.text.joinedText)
            let isHeading = inner.share == 1000 && inner.namesKind && inner.section.grape == nil
            if isHeading || EntryLines.isNote(row) || row.beginsInLowerCase { continue }
            lines += 1
            if namesWine(row) { wines += 1 }
        }
        return wines >= (section.isByGlass || section.isByBottle ? 1 : minimumWines) && wines * 2 >= lines
    }

    /// Whether a row has a vintage, a grape, a place or a word such as `Weingut`.
    private static func namesWine(_ row: ListRow) -> Bool {
        let words = WineText.words(row.text.joinedText)
        let vocabulary = WineVocabulary.shared
        return row.text.contains(where: \.isYear) || !vocabulary.grapes.find(in: words).isEmpty
            || !vocabulary.places(in: words).isEmpty || words.contains(where: vocabulary.producerWords.contains)
    }
}
