import Recognition

/// Finds the lines that belong to a group of wines, not to the first wine below them. They are producers, and headings
/// whose words are not in the vocabulary, such as `Leicht & fruchtig`. Such a line is short and has no price and no
/// vintage. It has a gap above it or is in capitals, or all lines without a price in the list are directly above wines.
struct GroupLines {
    private let rows: [ListRow]
    private let roles: [RowRole]
    /// The usual height of the letters of rows with prices, in pixels.
    private let height: Int
    /// The usual distance between two wines that are below each other, in pixels; nil if no wine is below another.
    private let wineDistance: Int?
    /// The usual width from the names to the prices, in pixels; nil without prices to the right of names.
    private let nameWidth: Int?
    /// Whether names begin in lower case.
    private let areNamesLowerCase: Bool
    /// The indices of the lines of unknown meaning above a wine.
    private let leads: [Int]
    /// The number of rows with a name and a price.
    private let wineCount: Int
    /// Whether the list alternates, without gaps, between lines without prices and wines. See `areAlternating`.
    private var isAlternating = false
    /// Whether few lines above wines have a gap above them. If many have one, each of these lines belongs to the wine
    /// below it.
    private var areGapsAboveRare = false
    /// Whether lines in capitals are headings.
    private let areCapitalsHeadings: Bool

    /// The maximum number of words of a line.
    private static let maximumWords = 7

    init(_ rows: [ListRow], _ roles: [RowRole], height: Int) {
        self.rows = rows
        self.roles = roles
        self.height = height
        let isWine = rows.indices.map { roles[$0] == .priced && !rows[$0].text.isEmpty }
        wineCount = isWine.count { $0 }
        let distances = rows.indices.dropFirst().filter { isWine[$0 - 1] && isWine[$0] }
            .map { RowRoles.distance(rows[$0 - 1], rows[$0]) }.sorted()
        wineDistance = distances.isEmpty ? nil : distances[distances.count / 2]
        let widths = rows.indices.filter { isWine[$0] }.compactMap { index in
            rows[index].cells.first.flatMap { cell in rows[index].textBox.map { cell.box.x - $0.x } }
        }.filter { $0 > 0 }.sorted()
        nameWidth = widths.isEmpty ? nil : widths[widths.count / 2]
        let lowerCase = rows.indices.count { isWine[$0] && rows[$0].beginsInLowerCase }
        areNamesLowerCase = lowerCase * 2 > wineCount
        leads = rows.indices.dropLast().filter { roles[$0] == .text && isWine[$0 + 1] }
        areCapitalsHeadings = Self.areCapitalsHeadings(rows, roles, leads: leads, wineCount: wineCount)
        isAlternating = areAlternating
        areGapsAboveRare = leads.count(where: hasGapAbove) * 3 <= wineCount
    }

    /// Whether a line begins a group of wines. A line above at least two wines begins a group if it is set apart from
    /// the row above. Other lines above wines begin a group in three cases: the list alternates, lines in capitals are
    /// headings, or the line has one of the rare gaps above it.
    func begins(_ index: Int) -> Bool {
        guard isShort(index), !rows[index].text.contains(where: \.isYear) else { return false }
        // If the row above has prices only, they may belong to this row.
        if index > 0, rows[index - 1].isPriced, rows[index - 1].text.isEmpty { return false }
        let count = names(below: index).count
        if count > 1, mayBeginGroup(index) { return true }
        guard count > 0 else { return false }
        return isAlternating || areGapsAboveRare && hasGapAbove(index)
            || areCapitalsHeadings && Capitals.isInCapitals(text(index))
    }

    /// The rows below with names and prices, up to a gap. Rows with only a vintage belong to the wine above them.
    func names(below index: Int) -> [Int] {
        var names: [Int] = []
        var row = index + 1
        while row < rows.count, roles[row] == .priced, !rows[row].text.isEmpty {
            let gap = RowRoles.distance(rows[row - 1], rows[row])
            guard row == index + 1 || gap * 10 <= RowRoles.distance(rows[index], rows[index + 1]) * 13 else { break }
            if !rows[row].text.allSatisfy(\.isYear) { names.append(row) } else if names.isEmpty { break }
            row += 1
        }
        return names
    }

    /// Whether a row is below a heading, in larger letters, or closer to the row below than to the row above.
    private func mayBeginGroup(_ index: Int) -> Bool {
        guard index > 0, rows[index].height * 100 < height * 115 else { return true }
        if case .heading = roles[index - 1] { return true }
        let below = RowRoles.distance(rows[index], rows[index + 1])
        return RowRoles.distance(rows[index - 1], rows[index]) * 10 >= below * 12
    }

    /// Whether the gap above a row is larger than the gap below it and the gaps between wines.
    private func hasGapAbove(_ index: Int) -> Bool {
        guard index > 0, roles[index - 1] == .priced || roles[index - 1] == .text else {
            // The first row has no row above it to compare with. If many wines have a line above them and the list
            // ends with a price, the first row is probably the first line of a wine, too.
            return leads.count * 3 <= wineCount || roles.last { $0 == .priced || $0 == .text } == .text
        }
        let above = RowRoles.distance(rows[index - 1], rows[index])
        let below = RowRoles.distance(rows[index], rows[index + 1])
        return above * 10 >= max(below, wineDistance ?? below) * 12
    }

    /// Whether a line may be a heading by its text: it is short, and does not continue in the next line.
    private func isShort(_ index: Int) -> Bool {
        let row = rows[index]
        guard row.heads.isEmpty, row.text.count <= Self.maximumWords, row.text.contains(where: \.hasLetterPair),
            // Signs such as a quotation mark or `~` may be before the words.
            let first = text(index).unicodeScalars.first(where: {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
            }),
            first.properties.isAlphabetic, areNamesLowerCase || !row.beginsInLowerCase,
            let last = row.text.last, !last.text.hasSuffix(","),
            !["&", "und", "and", "et", "e", "y"].contains(last.text)
        else { return false }
        let isLarge = row.height * 100 >= height * 115
        guard !isLarge, !ProducerHeadings.namesProducer(row), let nameWidth, let box = row.textBox else { return true }
        return box.width * 5 <= nameWidth * 4
    }

    /// Whether the list alternates between lines without prices and wines: the first line is above all wines, every
    /// other line is directly above a wine, and half of the lines are above two wines. The first line may also be a
    /// heading of unknown meaning in letters of the same size. If all lines are places, one line above two wines is
    /// enough. If all lines are colours, none needs to be above two wines.
    private var areAlternating: Bool {
        guard let firstWine = roles.firstIndex(of: .priced), firstWine > 0,
            roles[firstWine...].count(where: { $0 == .text }) == leads.count(where: { $0 > firstWine }),
            leads.count * 5 <= wineCount * 3, leads.allSatisfy(isShort)
        else { return false }
        let first = firstWine - 1
        let readings = leads.map { ListSection.read(text($0)) }
        let areColors = readings.allSatisfy { $0.share == 1000 && $0.section.color != nil && $0.section.grape == nil }
        var arePlaces = readings.allSatisfy { $0.section.country != nil }
        switch roles[first] {
        case .text: break
        case .heading(let section) where areColors && section.color != nil: return true
        case .heading(let section) where section.isEmpty:
            // A title in larger letters, such as `Weinkarte`, is not one of these lines.
            guard leads.allSatisfy({ rows[first].height * 100 < rows[$0].height * 115 }) else { return false }
            arePlaces = false
        case .heading(let section) where arePlaces && section.country != nil: break
        default: return false
        }
        let aboveTwo = leads.count { PlaceHeadings.isAboveTwoNames($0, rows) }
        return arePlaces ? aboveTwo > 0 : aboveTwo * 2 >= leads.count
    }

    /// Whether all lines in capitals are above wines, they are few, and the wines are not in capitals.
    private static func areCapitalsHeadings(_ rows: [ListRow], _ roles: [RowRole], leads: [Int], wineCount: Int) -> Bool
    {
        let capitals = rows.indices.count { index in
            roles[index] == .text && Capitals.isInCapitals(rows[index].text.joinedText)
        }
        let above = leads.count { Capitals.isInCapitals(rows[$0].text.joinedText) }
        return above > 0 && above == capitals && above * 2 <= wineCount && !Capitals.areMostRowsInCapitals(rows)
    }

    private func text(_ index: Int) -> String { rows[index].text.joinedText }
}
