import Recognition

/// Converts the rows of one column of a list to entries.
struct ListColumnReading {
    private let rows: [ListRow]
    private let roles: [RowRole]
    private let groups: [Range<Int>]
    private let prices: PriceReading
    private let bins: BinNumbers
    private let usesShortYears: Bool

    /// - Parameter arePricesFirst: Whether prices are to the left of the names.
    init(_ separated: [ListRow], bins: BinNumbers, usesShortYears: Bool, arePricesFirst: Bool = false) {
        var rows = separated
        let height = rows.map(\.height).sorted().dropFirst(rows.count / 2).first ?? 20
        let tracks = PriceTracks(&rows, height: height)
        if !arePricesFirst { PriceRepair(rows, tracks: tracks, height: height).repair(&rows) }
        for index in rows.indices { HeadRow.separate(&rows[index], left: arePricesFirst ? nil : tracks.left) }
        let heads = ColumnHeads(rows, tracks: tracks, height: height)
        roles = RowRoles(rows).roles
        groups = RowGroups(rows, roles) { bins.areUsed && bins.bin(rows[$0]) != nil }.groups
        prices = PriceReading(rows, heads: heads)
        self.rows = rows
        self.bins = bins
        self.usesShortYears = usesShortYears
    }

    /// Whether most vintages of the list are printed with two digits.
    static func usesShortYears(_ columns: [[ListRow]]) -> Bool {
        let years = columns.joined().flatMap { $0.text.filter { if case .year = $0.kind { true } else { false } } }
        return years.count { $0.text.utf8.count <= 6 && WineVintage.year($0.text) == nil } * 2 > years.count
    }

    /// - Parameter section: The section in which the column begins; updated to the section in which it ends.
    func entries(_ section: inout ListSection) -> [WineListEntry] {
        var entries: [WineListEntry] = []
        var row = 0
        for group in groups {
            while row < group.lowerBound {
                if case .heading(let heading) = roles[row] { section.enter(heading, height: rows[row].height) }
                row += 1
            }
            row = group.upperBound
            if !section.isOther, let entry = entry(group, section) { entries.append(entry) }
        }
        for row in rows.indices.dropFirst(row) {
            if case .heading(let heading) = roles[row] { section.enter(heading, height: rows[row].height) }
        }
        return entries
    }

    /// Sizes in millilitres of other drinks, in which no wine is sold.
    private static let otherSizes: Set<Int> = [20, 330, 355]

    /// The entry in a group of rows; nil if they do not list a wine.
    private func entry(_ group: Range<Int>, _ section: ListSection) -> WineListEntry? {
        var lines = group.map { rows[$0].text }
        var bin: String?
        if let first = group.first(where: { !rows[$0].text.isEmpty }), let number = bins.bin(rows[first]) {
            bin = number
            lines[first - group.lowerBound].removeFirst()
        }
        let text = EntryText(lines)
        let prices = prices.prices(rows, group, section: section)
        guard lines.contains(where: { $0.contains(where: \.isWordy) }), let first = group.first else { return nil }
        let box = group.dropFirst().reduce(rows[first].box) { $0.union(rows[$1].box) }
        var entry = WineListEntry(text: text.text, page: rows[first].page, box: box, prices: prices)
        let texts = lines.joined().map(\.box)
        entry.textBox = texts.dropFirst().reduce(texts.first ?? box) { $0.union($1) }
        entry.bin = bin
        text.fill(&entry, section: section, usesShortYears: usesShortYears)
        // Without a price, only rows with a bin number or a vintage count as wines.
        guard !prices.isEmpty || bin != nil || entry.vintage != nil else { return nil }
        // All prices are for sizes of liquor or beer.
        guard prices.isEmpty || prices.contains(where: { !Self.otherSizes.contains($0.size ?? 0) }) else { return nil }
        return entry
    }
}
