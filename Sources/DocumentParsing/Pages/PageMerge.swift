import Recognition

/// Merges overlapping pages: each row occurs once, in its better reading.
struct PageMerge {
    private(set) var rows: [PageRow] = []
    private let pages: [[PageRow]]
    private let heights: [Int]
    /// Identifiers of the elements of `rows`, and the identifier of each row of each page.
    private var identifiers: [Int] = []
    private var identifierAt: [[Int?]]
    private var nextIdentifier = 0

    /// Minimum confidence of a row that only one of the overlapping pages shows.
    private static let sureConfidence = 70

    /// - Parameter heights: the heights of the pages' pictures, in pixels.
    init(_ pages: [[PageRow]], heights: [Int]) {
        self.pages = pages
        self.heights = heights
        identifierAt = pages.map { [Int?](repeating: nil, count: $0.count) }
    }

    /// Adds a page that overlaps no earlier page, without the rows `skipped`.
    mutating func append(_ page: Int, skipping skipped: Range<Int> = 0..<0) {
        for (index, row) in pages[page].enumerated() where !skipped.contains(index) {
            insert(row, page, index, at: rows.count)
        }
    }

    /// Adds a page that overlaps an earlier one.
    mutating func append(_ lower: Int, over upper: Int, _ overlap: Overlap) {
        guard let first = overlap.pairs.first, let last = overlap.pairs.last else { return append(lower) }
        let partner = Dictionary(overlap.pairs.map { ($0.lower, $0.upper) }, uniquingKeysWith: { first, _ in first })
        let paired = Set(overlap.pairs.map(\.upper))
        let map = PlaceMap(pages[upper], pages[lower], overlap.pairs)
        var taken: Set<Int> = []
        var cursor = position(upper, first.upper) ?? rows.count
        for (index, row) in pages[lower].enumerated() {
            if let above = partner[index] {
                guard let at = position(upper, above) else { continue }
                merge(row, lower, index, at: at)
                cursor = at + 1
                continue
            }
            let same = map.upperRow(at: row)
            if let same, !paired.contains(same), taken.insert(same).inserted, let at = position(upper, same) {
                // Both pages show a row here but read it differently.
                merge(row, lower, index, at: at)
                cursor = max(cursor, at + 1)
            } else if index > last.lower, same == nil {
                cursor = max(cursor, end(of: upper))
                insert(row, lower, index, at: cursor)
                cursor += 1
            } else if same == nil, isSure(row) {
                insert(row, lower, index, at: cursor)
                cursor += 1
            }
        }
        drop(upper, from: first.upper, sparing: paired.union(taken), map)
    }

    /// Removes unpaired rows of the upper page at places that the lower page shows. A row that was read with certainty
    /// stays if the lower page has no row there.
    private mutating func drop(_ upper: Int, from first: Int, sparing kept: Set<Int>, _ map: PlaceMap) {
        for index in pages[upper].indices where index > first && !kept.contains(index) {
            let row = pages[upper][index]
            guard map.shows(row) else { continue }
            if map.lowerRow(at: row) == nil, isSure(row) { continue }
            guard let at = position(upper, index), rows[at].page == upper, rows[at].twin == nil else { continue }
            rows.remove(at: at)
            identifiers.remove(at: at)
        }
    }

    /// Whether a row that only one page shows was read with certainty.
    private func isSure(_ row: PageRow) -> Bool {
        row.weight > 0 && row.confidence >= Self.sureConfidence && !isCutOff(row)
    }

    private mutating func insert(_ row: PageRow, _ page: Int, _ index: Int, at position: Int) {
        rows.insert(row, at: position)
        identifiers.insert(nextIdentifier, at: position)
        identifierAt[page][index] = nextIdentifier
        nextIdentifier += 1
    }

    /// The position of row `index` of a page in `rows`; nil if the row was dropped.
    private func position(_ page: Int, _ index: Int) -> Int? {
        identifierAt[page][index].flatMap { identifiers.firstIndex(of: $0) }
    }

    /// The position after the last row of a page.
    private func end(of page: Int) -> Int {
        (pages[page].indices.last { position(page, $0) != nil }.flatMap { position(page, $0) } ?? rows.count - 1) + 1
    }

    /// Merges row `index` of a page with the row of another page at `position`. The better reading is kept.
    private mutating func merge(_ row: PageRow, _ page: Int, _ index: Int, at position: Int) {
        identifierAt[page][index] = identifiers[position]
        let known = rows[position]
        let isBetter = quality(row, beside: known) > quality(known, beside: row)
        var (kept, other) = isBetter ? (row, known) : (known, row)
        kept.twin = known.twin ?? other.place
        kept.addAlternatives(of: other)
        rows[position] = kept
    }

    /// The quality of a reading of a row that another page shows too.
    private func quality(_ row: PageRow, beside other: PageRow) -> Int {
        // `2 Stk x 0,49`, but not `d Stk x.0,49`.
        let hasQuantity = QuantityScanner.phrase(in: row.words.text.unicodeScalars) != nil
        return row.confidence + (row.amount != nil && other.amount == nil ? 25 : 0) + (hasQuantity ? 30 : 0)
            - (isCutOff(row) ? 30 : 0) - (row.skeleton.count * 10 < other.skeleton.count * 8 ? 20 : 0)
    }

    /// Whether the row touches the upper or lower edge of its picture.
    private func isCutOff(_ row: PageRow) -> Bool {
        let room = row.box.height / 6
        return !row.isText && (row.box.y <= room || row.box.maxY >= heights[row.page] - room)
    }
}

extension PageRow {
    /// Adds the differing words of another reading of the row as alternatives.
    fileprivate mutating func addAlternatives(of other: PageRow) {
        func add(_ text: String, to index: Int) {
            guard words[index].text != text, !words[index].alternatives.contains(text) else { return }
            words[index].alternatives.append(text)
        }
        if words.count == other.words.count {
            for index in words.indices { add(other.words[index].text, to: index) }
        } else if let own = words.lastIndex(where: \.hasAmount), let word = other.words.last(where: \.hasAmount) {
            add(word.text, to: own)
        }
    }
}

extension RecognizedWord {
    fileprivate var hasAmount: Bool { FigureScanner.figures(in: text).contains { $0.amount != nil } }
}

/// Maps vertical positions between two overlapping pages, based on the rows that both show.
private struct PlaceMap {
    /// One of the two pages.
    private struct MergedPage {
        let rows: [PageRow]
        /// See `OverlapFinder.pitch`.
        let pitch: Int
        /// The index of the row of this page in a pair.
        let index: KeyPath<Overlap.Pair, Int>

        init(_ rows: [PageRow], _ index: KeyPath<Overlap.Pair, Int>) {
            (self.rows, self.index, pitch) = (rows, index, max(1, OverlapFinder.pitch(rows)))
        }

        /// Twice the y of the middle of a row that both pages show, in pixels.
        func middle(_ pair: Overlap.Pair) -> Int { rows[pair[keyPath: index]].box.doubleMidY }

        /// The row with the doubled middle nearest to `place`; nil if it is more than half a pitch away.
        func row(at place: Int) -> Int? {
            rows.indices.min { abs(rows[$0].box.doubleMidY - place) < abs(rows[$1].box.doubleMidY - place) }
                .flatMap { abs(rows[$0].box.doubleMidY - place) * 2 <= pitch ? $0 : nil }
        }
    }

    private let upper: MergedPage
    private let lower: MergedPage
    private let pairs: [Overlap.Pair]

    init(_ upper: [PageRow], _ lower: [PageRow], _ pairs: [Overlap.Pair]) {
        self.upper = MergedPage(upper, \.upper)
        self.lower = MergedPage(lower, \.lower)
        self.pairs = pairs
    }

    /// The row of the upper page at the height of `row` of the lower page, within half a line.
    func upperRow(at row: PageRow) -> Int? { place(of: row, from: lower, to: upper).flatMap(upper.row) }

    /// The row of the lower page at the height of `row` of the upper page, within half a line.
    func lowerRow(at row: PageRow) -> Int? { place(of: row, from: upper, to: lower).flatMap(lower.row) }

    /// Whether the rows of the lower page extend below the height of `row`.
    func shows(_ row: PageRow) -> Bool {
        guard let place = place(of: row, from: upper, to: lower), let last = lower.rows.last else { return false }
        return place < last.box.doubleMidY - lower.pitch / 2
    }

    /// Twice the y on the other page that corresponds to the middle of a row of one page, in pixels.
    private func place(of row: PageRow, from own: MergedPage, to other: MergedPage) -> Int? {
        let middle = row.box.doubleMidY
        let nearest = pairs.min { abs(own.middle($0) - middle) < abs(own.middle($1) - middle) }
        return nearest.map { other.middle($0) + (middle - own.middle($0)) * other.pitch / own.pitch }
    }
}
