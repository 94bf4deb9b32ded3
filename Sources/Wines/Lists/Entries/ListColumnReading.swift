import Recognition

/// Converts the rows of one column of a list to entries.
struct ListColumnReading {
    private let rows: [ListRow]
    private let roles: [RowRole]
    private let groups: [Range<Int>]
    private let prices: PriceReading
    private let bins: BinNumbers
    private let usesShortYears: Bool
    /// Whether lines in lower case are descriptions, not names.
    private let hasNotes: Bool
    /// Letters of allergens that end many names: `O`.
    private let allergens: Set<String>
    private let headingPrices: HeadingPrices
    /// The heads of the price columns, from left to right; empty if they are not known.
    let heads: [ColumnHeads.Head]

    /// - Parameters:
    ///   - separated: The rows of the column, with their prices in cells.
    ///   - arePricesFirst: Whether prices are to the left of the names.
    ///   - inherited: The `heads` of an earlier column of the list.
    init(
        _ separated: [ListRow], bins: BinNumbers, usesShortYears: Bool, arePricesFirst: Bool = false,
        inherited: [ColumnHeads.Head] = []
    ) {
        var rows = separated
        let height = rows.map(\.height).sorted().dropFirst(rows.count / 2).first ?? 20
        let tracks = PriceTracks(&rows, height: height)
        if !arePricesFirst { PriceRepair(rows, tracks: tracks, height: height).repair(&rows) }
        let left = arePricesFirst ? nil : tracks.left
        let areSizesOfEntries = HeadRow.areSizesOfEntries(rows, left: left)
        for index in rows.indices { HeadRow.separate(&rows[index], left: left, onlyAbovePrices: areSizesOfEntries) }
        let heads = ColumnHeads(rows, tracks: tracks, height: height, inherited: inherited)
        let rowRoles = RowRoles(rows)
        roles = rowRoles.roles
        let headingPrices = HeadingPrices(rows, roles, headingsWithPrices: rowRoles.headingsWithPrices)
        self.headingPrices = headingPrices
        groups =
            RowGroups(rows, roles, headingPrices: headingPrices) { bins.areUsed && bins.bin(rows[$0]) != nil }.groups
        prices = PriceReading(rows, heads: heads)
        hasNotes = EntryLines.hasNotesInLowerCase(rows)
        allergens = EntryLines.allergens(rows)
        self.heads = heads.complete
        self.rows = rows
        self.bins = bins
        self.usesShortYears = usesShortYears
    }

    /// The currencies that remarks and heads state: `Alle Preise in CHF`.
    var currencies: Set<String> {
        var currencies: Set<String> = []
        for (row, role) in zip(rows, roles) where role == .remark || !row.heads.isEmpty {
            for case .currency(let code) in (row.text + row.heads).map(\.kind) { currencies.insert(code) }
            let words = WineText.words(row.text.joinedText)
            if words.contains("schweizer"), words.contains("franken") { currencies.insert("CHF") }
        }
        return currencies
    }

    /// Whether most vintages of the list are printed with two digits.
    static func usesShortYears(_ columns: [[ListRow]]) -> Bool {
        let years = columns.joined().flatMap { $0.text.filter { if case .year = $0.kind { true } else { false } } }
        return years.count { $0.text.utf8.count <= 6 && WineVintage.year($0.text) == nil } * 2 > years.count
    }

    /// - Parameter section: The section in which the column begins; updated to the section in which it ends.
    func entries(_ section: inout ListSection) -> [WineListEntry] {
        var entries: [WineListEntry] = []
        // The lines of the wine above, which may have further vintages.
        var above = EntryLines.none
        // The last row with a producer.
        var producer: Int?
        // The row of the last heading with a serving.
        var servingRow: Int?
        var row = 0
        for group in groups {
            while row < group.lowerBound {
                enter(row, &section, &above)
                if case .producer = roles[row] { producer = row }
                if case .heading(let heading) = roles[row], heading.serving != nil { servingRow = row }
                row += 1
            }
            row = group.upperBound
            if let producer, !above.heading.isEmpty, hasOwnProducer(group, below: producer) { above = .none }
            if section.isOther { continue }
            section.compare(rows[group].flatMap(\.cells).compactMap { $0.price?.amount })
            let wines = self.entries(group, section, servingRow: servingRow, &above)
            if !wines.isEmpty { section.addWines() }
            entries += wines
        }
        for row in rows.indices.dropFirst(row) { enter(row, &section, &above) }
        return entries
    }

    /// Applies a heading to the entries below it.
    private func enter(_ row: Int, _ section: inout ListSection, _ above: inout EntryLines) {
        switch roles[row] {
        case .heading(let heading):
            section.enter(heading, height: rows[row].height)
            above = .none
        case .producer(let heading):
            if let heading { section.enter(heading, height: rows[row].height) }
            above = .below(rows[row].text)
        default: break
        }
    }

    /// Whether a group is below a gap and states two parts, such as `Salzberg, Heinrich`. The producer in a row above
    /// such a group does not apply to it.
    private func hasOwnProducer(_ group: Range<Int>, below producer: Int) -> Bool {
        let first = group.lowerBound
        guard first > producer + 1 else { return false }
        let usual = RowRoles.distance(rows[producer], rows[producer + 1])
        return RowRoles.distance(rows[first - 1], rows[first]) * 10 > usual * 13
            && EntryText.statedParts([rows[first].text]).count > 1
    }

    /// Sizes in millilitres in which beer or liquor is sold, but not wine.
    private static let otherSizes: Set<Int> = [20, 330, 355]

    /// The entries in a group of rows: one for each vintage with a separate price; none if the rows do not list a wine.
    ///
    /// - Parameters:
    ///   - servingRow: The row of the last heading with a serving; nil if there is none in the column.
    ///   - above: The lines of the wine above. A group with only a vintage and a price takes its name from them; every
    ///     group takes its heading from them.
    private func entries(
        _ group: Range<Int>, _ section: ListSection, servingRow: Int?, _ above: inout EntryLines
    ) -> [WineListEntry] {
        let bin = group.first { !rows[$0].text.isEmpty }.flatMap { bins.bin(rows[$0]) }
        let entryLines = EntryLines(rows[group], bin: bin?.words ?? 0, hasNotes: hasNotes, allergens: allergens)
        var lines = entryLines.isVintage ? above.with(entryLines) : entryLines
        lines.heading = above.heading
        let prices = groupPrices(group, section, servingRow: servingRow)
        guard lines.names.contains(where: { $0.contains(where: \.hasLetterPair) }) else { return [] }
        // Drops other drinks, such as `Mineralwasser`, in a section that also lists wine.
        let reading = ListSection.read(EntryText(lines.names, heading: lines.heading).text)
        if reading.section.isOther && reading.share == 1000 || MixedDrinks.isMixedDrink(lines.names) { return [] }
        above = lines
        let texts = entryLines.names.joined().map(\.box)
        let textBox = texts.dropFirst().reduce(texts.first ?? rows[group.lowerBound].box) { $0.union($1) }
        let vintages = VintagePrices.split(lines.names, prices)
        return vintages.enumerated().compactMap { number, names in
            let text = EntryText(names, heading: lines.heading, notes: lines.notes)
            let prices = vintages.count > 1 ? [prices[number]] : prices
            guard var entry = entry(group, text, prices, bin: bin?.number, section) else { return nil }
            // The boxes of further vintages must not be equal, because badges are placed at them.
            entry.textBox = (number > 0 ? names.joined().first(where: \.isYear)?.box : nil) ?? textBox
            return entry
        }
    }

    /// The prices in a group of rows, or those in the heading above it.
    private func groupPrices(_ group: Range<Int>, _ section: ListSection, servingRow: Int?) -> [WineListPrice] {
        let printed = prices.prices(rows, group, section: section, servingRow: servingRow)
        guard printed.isEmpty, let heading = headingPrices.heading(above: group.lowerBound) else { return printed }
        return prices.prices(rows, heading..<heading + 1, section: section, servingRow: servingRow)
    }

    /// The entry with a text and prices in a group of rows; nil if they do not list a wine.
    private func entry(
        _ group: Range<Int>, _ text: EntryText, _ prices: [WineListPrice], bin: String?, _ section: ListSection
    ) -> WineListEntry? {
        guard let first = group.first else { return nil }
        let box = group.dropFirst().reduce(rows[first].box) { $0.union(rows[$1].box) }
        var entry = WineListEntry(text: text.text, page: rows[first].page, box: box, prices: prices)
        entry.bin = bin
        text.fill(&entry, section: section, usesShortYears: usesShortYears)
        // Without a price, only rows with a bin number, a vintage or words such as `auf Anfrage` count as wines.
        let isStated = !prices.isEmpty || group.contains { rows[$0].hasAbsentPrice }
        guard isStated || bin != nil || entry.vintage != nil else { return nil }
        // All prices are for sizes of liquor or beer.
        guard prices.isEmpty || prices.contains(where: { !Self.otherSizes.contains($0.size ?? 0) }) else { return nil }
        return entry
    }
}
