import Recognition

/// Groups the rows of a column into entries. An entry is a row with prices and the lines around it that belong to it.
struct RowGroups {
    /// Ranges of rows, from the top. Each has a row with prices, unless its price was not read.
    private(set) var groups: [Range<Int>] = []

    /// The minimum number of gaps from which the usual gap between entries is derived.
    private static let minimumGaps = 3

    /// Whether the lines without prices usually precede the line with prices.
    private let textPrecedesPrices: Bool
    /// Whether most prices are in a row with only a vintage.
    private let areMostVintages: Bool

    private let rows: [ListRow]
    private let roles: [RowRole]
    private let headingPrices: HeadingPrices

    init(_ rows: [ListRow], _ roles: [RowRole], headingPrices: HeadingPrices, startsEntry: (Int) -> Bool) {
        self.rows = rows
        self.roles = roles
        self.headingPrices = headingPrices
        textPrecedesPrices = Self.textPrecedesPrices(rows, roles)
        areMostVintages = rows.count { $0.isPriced && $0.isVintage } * 2 > rows.count { $0.isPriced }
        var start = rows.startIndex
        while start < rows.endIndex {
            guard Self.isContent(roles[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < rows.endIndex, Self.isContent(roles[end]) { end += 1 }
            append(start..<end, startsEntry)
            start = end
        }
        let gap = Self.entryGap(rows, roles)
        groups = groups.flatMap { Self.split($0, rows, startsEntry) }.flatMap { Self.split($0, rows, atGapsFrom: gap) }
        splitEnds()
    }

    /// Splits lines off the end of a group that are far below it, such as the address of the restaurant.
    private mutating func splitEnds() {
        let distances = zip(groups, groups.dropFirst()).filter { $0.upperBound == $1.lowerBound }
            .map { _, next in RowRoles.distance(rows[next.lowerBound - 1], rows[next.lowerBound]) }.sorted()
        guard distances.count >= Self.minimumGaps else { return }
        let usual = distances[distances.count / 2]
        groups = groups.flatMap { group -> [Range<Int>] in
            guard let prices = group.last(where: { roles[$0] == .priced }) else { return [group] }
            let start = (prices..<group.upperBound).dropFirst().first {
                RowRoles.distance(rows[$0 - 1], rows[$0]) * 10 >= usual * 15
            }
            return Self.ranges(group, start.map { [$0] } ?? [])
        }
    }

    /// Splits a group with two bin numbers or two vintages: it is two entries, and one price was not read.
    private static func split(_ group: Range<Int>, _ rows: [ListRow], _ startsEntry: (Int) -> Bool) -> [Range<Int>] {
        var starts = group.dropFirst().filter(startsEntry)
        if starts.isEmpty {
            let dated = group.filter { rows[$0].hasYear }
            for (first, second) in zip(dated, dated.dropFirst()) {
                // A vintage alone on a line belongs to the line above.
                let isAlone = rows[second].text.count <= 3 && second - 1 > first
                starts.append(isAlone ? second - 1 : second)
            }
        }
        return ranges(group, starts)
    }

    private static func ranges(_ group: Range<Int>, _ starts: [Int]) -> [Range<Int>] {
        let bounds = [group.lowerBound] + starts + [group.upperBound]
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    }

    /// Splits a group at gaps that separate entries. Such a group has an entry whose price was not read, or a remark.
    private static func split(_ group: Range<Int>, _ rows: [ListRow], atGapsFrom gap: Int?) -> [Range<Int>] {
        guard let gap, group.count > 1 else { return [group] }
        let distances = group.dropLast().map { RowRoles.distance(rows[$0], rows[$0 + 1]) }
        let smallest = distances.count > 1 ? distances.min() ?? 0 : 0
        let starts = zip(group.dropFirst(), distances).filter { row, distance in
            // Prices alone in a row belong to the row above.
            distance >= gap && distance * 100 >= smallest * 115 && !rows[row].text.isEmpty
        }
        return ranges(group, starts.map(\.0))
    }

    /// The distance from which two rows are parts of different entries, in pixels. Nil if entries of several lines are
    /// not clearly separated by gaps.
    private static func entryGap(_ rows: [ListRow], _ roles: [RowRole]) -> Int? {
        var (wide, narrow, unclear) = ([Int](), [Int](), 0)
        let pricedRows = rows.indices.filter { roles[$0] == .priced }
        for (row, next) in zip(pricedRows, pricedRows.dropFirst()) where next > row + 1 {
            guard roles[(row + 1)..<next].allSatisfy({ $0 == .text }), !rows[row].text.isEmpty, !rows[next].text.isEmpty
            else { continue }
            let gaps = (row..<next).map { RowRoles.distance(rows[$0], rows[$0 + 1]) }.sorted()
            let (widest, second) = (gaps[gaps.count - 1], gaps[gaps.count - 2])
            if widest * 100 >= second * 115 {
                wide.append(widest)
                narrow.append(second)
            } else {
                unclear += 1
            }
        }
        guard wide.count >= minimumGaps, unclear * 3 <= wide.count else { return nil }
        let (entry, line) = (wide.sorted()[wide.count / 2], narrow.sorted()[narrow.count / 2])
        return entry * 4 >= line * 5 ? line + (entry - line) * 2 / 3 : nil
    }

    private static func isContent(_ role: RowRole) -> Bool { role == .priced || role == .text }

    /// Appends the groups of the rows between two headings.
    private mutating func append(_ block: Range<Int>, _ startsEntry: (Int) -> Bool) {
        let pricedRows = block.filter { roles[$0] == .priced }
        guard !pricedRows.isEmpty else {
            guard headingPrices.heading(above: block.lowerBound) != nil else { return }
            let starts = block.dropFirst().filter { !EntryLines.isNote(rows[$0]) && !rows[$0].beginsInLowerCase }
            groups += Self.ranges(block, starts)
            return
        }
        var start = block.lowerBound
        for (place, row) in pricedRows.enumerated() {
            guard place + 1 < pricedRows.count else {
                groups.append(start..<block.upperBound)
                return
            }
            let nextPricedRow = pricedRows[place + 1]
            if rows[nextPricedRow].text.isEmpty, nextPricedRow == row + 1 {
                // The next row has only prices. It continues the entry, unless it is closer to the text below it: on
                // tilted photos, prices may be higher than the text of their row.
                guard isCloserToTextBelow(nextPricedRow) else { continue }
                groups.append(start..<nextPricedRow)
                start = nextPricedRow
                continue
            }
            let end = boundary(after: row, before: nextPricedRow, startsEntry)
            groups.append(start..<end)
            start = end
        }
    }

    /// Whether the row is clearly closer to a text without prices below it than to the row above.
    private func isCloserToTextBelow(_ row: Int) -> Bool {
        guard row + 1 < rows.count, roles[row + 1] == .text else { return false }
        return RowRoles.distance(rows[row], rows[row + 1]) * 115 < RowRoles.distance(rows[row - 1], rows[row]) * 100
    }

    /// The first row of the entry whose prices are in row `next`.
    private func boundary(after row: Int, before next: Int, _ startsEntry: (Int) -> Bool) -> Int {
        guard next > row + 1 else { return next }
        if let start = ((row + 1)...next).last(where: startsEntry) { return start }
        if rows[next].text.isEmpty { return row + 1 }
        if isFurtherVintage(next, below: row), isIndented(next, below: row + 1) { return next }
        let gaps = (row..<next).map { RowRoles.distance(rows[$0], rows[$0 + 1]) }
        let widest = gaps.indices.max { gaps[$0] < gaps[$1] } ?? 0
        let otherGaps = gaps.enumerated().filter { $0.offset != widest }.map(\.element)
        if let second = otherGaps.max(), gaps[widest] * 100 >= second * 115 { return row + 1 + widest }
        if isFurtherVintage(next, below: row) { return next }
        return textPrecedesPrices ? row + 1 : next
    }

    /// Whether a row has only a vintage and its price, so that it may be another vintage of the wine in an earlier row.
    private func isFurtherVintage(_ next: Int, below row: Int) -> Bool {
        rows[next].isVintage && rows[row].hasYear && !areMostVintages
    }

    /// Whether the text of a row begins to the right of the beginning of an earlier row, like a vintage after a name.
    private func isIndented(_ next: Int, below row: Int) -> Bool {
        guard let own = rows[next].textBox, let name = rows[row].textBox else { return false }
        return own.x - name.x >= 2 * rows[next].height
    }

    /// Decides `textPrecedesPrices` by votes of the lines without prices. The vote of a line depends on whether it
    /// begins or ends a block, on its distances to the rows above and below, and on the size of its letters.
    private static func textPrecedesPrices(_ rows: [ListRow], _ roles: [RowRole]) -> Bool {
        var (before, after) = (0, 0)
        for index in rows.indices where roles[index] == .text {
            let begins = index == 0 || !isContent(roles[index - 1])
            let ends = index + 1 == rows.count || !isContent(roles[index + 1])
            if begins, !ends { before += 2 }
            if ends, !begins { after += 2 }
            let above = index > 0 && roles[index - 1] == .priced ? rows[index - 1].height : nil
            let below = index + 1 < rows.count && roles[index + 1] == .priced ? rows[index + 1].height : nil
            if let above, let below {
                let (up, down) = (
                    RowRoles.distance(rows[index - 1], rows[index]), RowRoles.distance(rows[index], rows[index + 1])
                )
                if up * 100 < down * 90 { after += 2 }
                if down * 100 < up * 90 { before += 2 }
                // Descriptions are printed smaller than names.
                if rows[index].height * 100 < min(above, below) * 92 { after += 1 }
                if rows[index].height * 92 > max(above, below) * 100 { before += 1 }
            }
        }
        return before > after
    }
}

extension ListRow {
    /// Whether the text of the row has a vintage.
    fileprivate var hasYear: Bool { text.contains(where: \.isYear) }

    /// Whether the text is only a vintage.
    fileprivate var isVintage: Bool { !text.isEmpty && text.allSatisfy(\.isYear) }
}
