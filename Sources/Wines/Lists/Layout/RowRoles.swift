import Recognition

/// The role of a row of a column.
enum RowRole: Equatable {
    /// A row with prices. If it has no text, the prices belong to the rows around it.
    case priced
    /// The heads of price columns.
    case head
    case heading(ListSection)
    /// The producer of the wines below. The section is nil unless the row is also a heading.
    case producer(ListSection?)
    /// A remark or the head of a table.
    case remark
    /// A line of an entry.
    case text
}

/// Distinguishes headings from the lines of entries by their words, type size and distance.
struct RowRoles {
    /// The usual height of the letters of rows with prices, in pixels.
    let height: Int
    /// The usual distance between two lines of one entry, in pixels.
    let pitch: Int
    private(set) var roles: [RowRole] = []
    /// The rows of headings with prices that apply to the wines below them: `Offene Weine 1/8 l € 4,20`.
    private(set) var headingsWithPrices: Set<Int> = []
    /// The maximum width of a short line, in pixels: three fifths of the usual width from the names to the prices.
    private let shortWidth: Int
    /// Whether most entries have a single line. Then a short line with a large gap above it is a heading.
    private let areSingleLines: Bool
    private let rows: [ListRow]
    /// Whether most prices are in a row below their names.
    private let areNamesAbovePrices: Bool
    /// The indices of headings that are only a place or a kind of wine.
    private let places: Set<Int>
    /// Whether most prices are in a row below two lines of text.
    private let areTwoLinesAbovePrices: Bool
    /// Whether lines in large letters are headings, not names above smaller lines.
    private let areLargeHeadings: Bool
    /// Whether most rows with a name and a price have a line above them that begins their entry.
    private let areFirstLinesAbove: Bool
    /// Whether entries are printed in capitals.
    private let areCapitalsUsual: Bool

    init(_ rows: [ListRow]) {
        self.rows = rows
        let pricedRows = rows.filter { $0.isPriced && !$0.text.isEmpty }
        let heights = (pricedRows.isEmpty ? rows : pricedRows).map(\.height).sorted()
        height = heights.isEmpty ? 20 : heights[heights.count / 2]
        let distances = zip(rows, rows.dropFirst()).map { Self.distance($0, $1) }.filter { $0 > 0 }.sorted()
        pitch = distances.isEmpty ? 2 * height : max(1, distances[distances.count / 5])
        let widths = pricedRows.compactMap { row in
            row.cells.first.flatMap { cell in row.textBox.map { cell.box.x - $0.x } }
        }.sorted()
        shortWidth = widths.isEmpty ? 0 : widths[widths.count / 2] * 3 / 5
        areSingleLines = rows.count { !$0.isPriced && $0.heads.isEmpty } * 4 <= pricedRows.count
        areNamesAbovePrices = rows.count { $0.isPriced && $0.text.isEmpty } > pricedRows.count
        areTwoLinesAbovePrices = Self.areTwoLinesAbovePrices(rows)
        let kinds = KindHeadings.rows(rows, height: height)
        let regions = PlaceHeadings.rows(rows, kinds: kinds, height: height)
        places = kinds.union(regions).union(PlaceHeadings.countries(rows, height: height))
            .union(KindHeadings.rows(rows, above: regions, height: height))
        let usual = height
        let large = rows.count { !$0.isPriced && !$0.text.isEmpty && $0.height * 10 >= usual * 15 }
        areLargeHeadings = large * 4 <= pricedRows.count * 3
        areFirstLinesAbove = Self.firstLines(rows) * 3 >= pricedRows.count * 2
        areCapitalsUsual = Capitals.areMostRowsInCapitals(rows)
        for index in rows.indices {
            if HeadingPrices.areInHeading(index, rows) { headingsWithPrices.insert(index) }
            roles.append(role(index))
        }
        let groups = ProducerHeadings.rows(rows, roles, height: height)
        for index in groups.headings {
            var section = ListSection.read(rows[index].text.joinedText).section
            section.isUnknown = section.isEmpty
            roles[index] = .heading(section)
        }
        for index in groups.producers {
            if case .heading(let section) = roles[index] {
                // The place in a producer's heading does not apply to the next producer.
                roles[index] = .producer(section.isEmpty ? section : ListSection())
            } else {
                roles[index] = .producer(nil)
            }
        }
    }

    /// The number of lines without a price whose next row has a name and a price and is closer than the row above.
    private static func firstLines(_ rows: [ListRow]) -> Int {
        rows.indices.dropLast().count { index in
            guard !rows[index].isPriced, rows[index + 1].isPriced, !rows[index + 1].text.isEmpty else { return false }
            return index == 0
                || distance(rows[index - 1], rows[index]) * 10 >= distance(rows[index], rows[index + 1]) * 12
        }
    }

    /// Whether at least three quarters of the rows with prices only, and at least two, are below two lines of text.
    private static func areTwoLinesAbovePrices(_ rows: [ListRow]) -> Bool {
        let prices = rows.indices.dropFirst().filter { rows[$0].isPriced && rows[$0].text.isEmpty }
        let below = prices.count { $0 > 1 && KindHeadings.isAboveNameOfPrices($0 - 2, rows) && !rows[$0 - 2].isPriced }
        return prices.count > 1 && below * 4 >= prices.count * 3
    }

    /// The distance between the middles of two rows, in pixels.
    static func distance(_ upper: ListRow, _ lower: ListRow) -> Int {
        (doubleMidY(lower) - doubleMidY(upper)) / 2
    }

    private static func doubleMidY(_ row: ListRow) -> Int {
        let middles = (row.text.isEmpty ? row.cells.map(\.box) : row.text.map(\.box)).map(\.doubleMidY).sorted()
        return middles.isEmpty ? row.box.doubleMidY : middles[middles.count / 2]
    }

    private func role(_ index: Int) -> RowRole {
        let row = rows[index]
        if row.text.isEmpty { return row.isPriced ? .priced : .head }
        let text = row.text.joinedText
        var reading = ListSection.read(text)
        if row.namesGlass { reading.section.isByGlass = true }
        let words = WineText.words(text)
        let remarkWords = WineVocabulary.shared.remarkWords
        if remarkWords.listsNoWine(words) || text.contains("@") { return .remark }
        if headingsWithPrices.contains(index) { return .heading(reading.section) }
        if row.isPriced {
            // A country is a heading, not a wine. A number beside it is a misread size above a column.
            let isCountry = reading.share == 1000 && reading.section.country != nil && reading.section.region == nil
            let isPrice = row.cells.contains { $0.price?.currency != nil || $0.price?.hasDecimals == true }
            let isHeading = isCountry && reading.section.grape == nil && !isPrice && hasGapAbove(index)
            return isHeading ? .heading(reading.section) : .priced
        }
        if remarkWords.isRemark(words) || remarkWords.isTableHead(words) || row.text.allSatisfy(\.isCurrency)
            || AbsentPrices.endsWithAbsentPrice(row.text)
        {
            return .remark
        }
        if isNameOfPrices(index, reading) { return .text }
        guard places.contains(index) || score(index, text, reading) >= 3 else { return .text }
        // `Eisweine` does not name only wine: it names a kind that the vocabulary lacks.
        reading.section.namesOnlyWine =
            reading.namesWine && reading.share > 500 && reading.section.isEmptyOrByBottle
            && !words.contains(where: ListSection.listWords.contains)
        reading.section.isUnknown = reading.share < 500 && !reading.namesWine && row.height * 100 < height * 115
        return .heading(reading.section)
    }

    /// Whether the row is the name of an entry whose prices are in the next row. Such a name may look like a heading:
    /// `Pinot Grigio`, `Rosso di Montalcino`.
    private func isNameOfPrices(_ index: Int, _ reading: ListSection.Reading) -> Bool {
        let row = rows[index]
        guard index + 1 < rows.count, row.heads.isEmpty, row.height * 100 < height * 115 else { return false }
        let section = reading.section
        guard rows[index + 1].isPriced else {
            // `Sauvignon Blanc` above `Cloudy Bay, Marlborough 2022` above its prices.
            return areTwoLinesAbovePrices && KindHeadings.isAboveNameOfPrices(index, rows) && section.grape != nil
                && !reading.namesKind
        }
        if !rows[index + 1].text.isEmpty {
            // `Primitivo` above `Gianfranco Fino 2020   79`.
            return areFirstLinesAbove && section.grape != nil && !reading.namesKind
        }
        // Elsewhere, `Rotweine` above a price is a heading, and the name of the wine was not read.
        let isHeading = reading.share >= 700 && section.region == nil && section.grape == nil
        return areNamesAbovePrices || !isHeading
    }

    /// The distance to the row above, in pixels.
    private func above(_ index: Int) -> Int {
        index > 0 ? Self.distance(rows[index - 1], rows[index]) : 1_000_000
    }

    /// Whether the distance to the row above is larger than that between the lines of an entry.
    private func hasGapAbove(_ index: Int) -> Bool { above(index) * 10 >= pitch * 14 }

    /// The points of a row. A row with 3 or more is a heading.
    private func score(_ index: Int, _ text: String, _ reading: ListSection.Reading) -> Int {
        let row = rows[index]
        let above = above(index)
        let below = index + 1 < rows.count ? Self.distance(row, rows[index + 1]) : 1_000_000
        let hasGapAbove = hasGapAbove(index)
        var score = 0
        let namesOnlyWine =
            reading.share == 1000 && reading.namesWine && reading.section.isEmpty && row.text.count <= 2
        let namesKind = reading.namesKind || namesOnlyWine
        if reading.share >= 700 {
            score += namesKind || isBelowHeading(index, reading) ? 3 : 2
        } else if reading.share >= 500, reading.namesKind, row.height * 100 >= height * 115 {
            score += 2
        }
        if row.height * 10 >= height * 13 { score += 2 } else if row.height * 100 >= height * 115 { score += 1 }
        // If the row above has only prices, they may belong to this row.
        let hasPricesAbove = index > 0 && rows[index - 1].isPriced && rows[index - 1].text.isEmpty
        if areLargeHeadings, !hasPricesAbove, row.height * 10 >= height * 15 { score += 2 }
        if row.height * 100 < height * 88 { score -= 1 }
        if hasGapAbove, above * 10 >= min(below, pitch * 3) * 9 { score += 1 }
        if !row.heads.isEmpty { score += 3 }
        if index + 1 < rows.count, rows[index + 1].text.isEmpty, !rows[index + 1].heads.isEmpty {
            score += reading.share == 1000 && reading.namesKind ? 2 : 1
        }
        let isInCapitals = !areCapitalsUsual && Capitals.isInCapitals(text)
        if isInCapitals { score += 1 }
        if let first = text.unicodeScalars.first?.properties {
            // `1/2 Flaschen` is a heading.
            let isFigure = !first.isAlphabetic && reading.section.serving == nil
            if first.isLowercase || isFigure { score -= 2 }
        }
        if row.text.contains(where: { if case .year = $0.kind { true } else { false } }) { score -= 2 }
        // The second line of an entry is often a region only.
        if !hasGapAbove, row.heads.isEmpty, !isBelowHeading(index, reading) {
            score -= row.height * 100 >= height * 115 ? 1 : 3
            let isKind = row.text.count == 1 || reading.section.isByGlass || reading.section.isByBottle
            if reading.share == 1000, namesKind, isKind, isInCapitals { score += 2 }
        }
        if row.text.count > 7 { score -= 2 }
        // `Sauvignon Blanc, Waipara Hills, New Zealand` above a description is a name.
        if reading.section.grape != nil, reading.section.country != nil, index + 1 < rows.count,
            !rows[index + 1].isPriced, !rows[index + 1].text.isEmpty
        {
            score -= 2
        }
        let isShort = row.textBox.map { $0.width <= shortWidth } ?? false
        if hasGapAbove, isShort, areSingleLines, reading.section.grape == nil { score += 2 }
        return score
    }

    /// Whether the row is only a region or a country, directly below a heading: `Bourgogne` below `Blancs`.
    private func isBelowHeading(_ index: Int, _ reading: ListSection.Reading) -> Bool {
        guard index > 0, case .heading = roles[index - 1], rows[index - 1].heads.isEmpty else { return false }
        return reading.share == 1000 && (reading.section.region != nil || reading.section.country != nil)
            && rows[index].text.count <= 3
    }
}

extension ListRow {
    /// Whether a heading states that its wines are served by the glass. Its last word may have been read as a column
    /// head: `Vins au verre`.
    var namesGlass: Bool {
        guard !heads.isEmpty else { return false }
        let servings = heads.filter { if case .serving = $0.kind { true } else { false } }
        return ListSection.read((text + servings).joinedText).section.isByGlass
    }
}
