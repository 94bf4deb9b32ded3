import Recognition

/// The sizes and servings that the heads of the price columns state.
struct ColumnHeads {
    struct Head: Hashable {
        /// In millilitres.
        var size: Int?
        var serving: WineListPrice.Serving?

        /// Returns this head, with missing properties from another row of heads.
        func filled(from other: Head) -> Head { Head(size: size ?? other.size, serving: serving ?? other.serving) }

        /// The serving that the head states or that is usual for its size.
        var usualServing: WineListPrice.Serving? { serving ?? size.map { PrintedSize.serving(of: $0) } }

        /// Whether both heads are one head of a price column: `Magnum` and `1,5 l`, but not `Glas` and `0,75 l`.
        func agrees(with other: Head) -> Bool {
            guard let size = size ?? other.size, let serving = serving ?? other.serving else { return false }
            return PrintedSize.serving(of: size) == serving
        }
    }

    /// The heads of each row that has some, by track.
    private var heads: [(row: Int, byTrack: [Int: Head])] = []
    /// The heads of each row that has some, from left to right: every word, and with sizes and servings joined.
    private var ordered: [(row: Int, single: [Head], joined: [Head])] = []
    /// Rows of heads that apply only to wines by the glass: `Vins au verre (15 cl)` above one column of prices.
    private var glassOnlyRows: Set<Int> = []
    /// Rows of heads beside a heading with a serving: `Halbe Flaschen 0,375 l`.
    private var servingRows: Set<Int> = []
    /// The most frequent head of each track.
    private var usualHeads: [Int: Head] = [:]
    /// The number of rows with the usual head, by track.
    private var usualHeadCounts: [Int: Int] = [:]

    /// The usual heads of all columns with enough prices, from left to right. Empty if a column has no head.
    private(set) var complete: [Head] = []

    /// - Parameter inherited: The heads of an earlier column of the list. They apply if this column has no heads and
    ///   the same number of price columns, at least two. A single price column may have other sizes on each page.
    init(_ rows: [ListRow], tracks: PriceTracks, height: Int, inherited: [Head] = []) {
        let places = TrackPlaces(rows)
        let areSingle = rows.allSatisfy { row in row.cells.count { $0.price != nil } < 2 }
        for (index, row) in rows.enumerated() where !row.heads.isEmpty {
            let byTrack = Self.assign(
                row.heads, tracks: tracks, near: index, places, height: height, areSingle: areSingle)
            let (single, joined) = (Self.cells(row.heads, joined: false), Self.cells(row.heads, joined: true))
            ordered.append((index, single.map(\.head), joined.map(\.head)))
            guard !byTrack.isEmpty else { continue }
            if let last = heads.last, last.row == index - 1 {
                heads[heads.count - 1] = (index, last.byTrack.merging(byTrack) { $0.filled(from: $1) })
            } else {
                heads.append((index, byTrack))
            }
        }
        for head in heads.indices {
            if !areSingle { heads[head].byTrack = Self.withoutDuplicates(heads[head].byTrack) }
            let (row, byTrack) = heads[head]
            if byTrack.count == 1, rows[row].namesGlass { glassOnlyRows.insert(row) }
            if ListSection.read(rows[row].text.joinedText).section.serving != nil { servingRows.insert(row) }
        }
        for track in tracks.tracks.indices {
            var headCounts: [Head: Int] = [:]
            for head in heads where !glassOnlyRows.contains(head.row) {
                if let known = head.byTrack[track] { headCounts[known, default: 0] += 1 }
            }
            usualHeadCounts[track] = headCounts.values.max()
            usualHeads[track] = headCounts.max { ($0.value, $0.key.size ?? 0) < ($1.value, $1.key.size ?? 0) }?.key
        }
        let regular = zip(tracks.tracks.indices, tracks.isRegular).filter(\.1).map(\.0)
        if heads.isEmpty, regular.count > 1, regular.count == inherited.count, Self.agree(inherited, regular, rows) {
            for (track, head) in zip(regular, inherited) { usualHeads[track] = head }
        }
        let all = regular.compactMap { usualHeads[$0] }
        complete = all.count == regular.count ? all : []
    }

    /// Whether a column has prices of bottles.
    var haveBottles: Bool {
        usualHeads.values.contains { $0.serving == .bottle || (700...1000).contains($0.size ?? 0) }
    }

    /// Whether the prices of neighbouring columns have about the same ratio as the sizes of their heads. The heads of
    /// another kind of drinks do not fit: `0,3 l` and `0,5 l` above 6 and 28.
    private static func agree(_ heads: [Head], _ tracks: [Int], _ rows: [ListRow]) -> Bool {
        for index in heads.indices.dropLast() {
            guard let small = heads[index].size, let large = heads[index + 1].size else { continue }
            let ratios = rows.compactMap { row -> Int? in
                let low = row.cells.first { $0.track == tracks[index] }?.price?.amount
                let high = row.cells.first { $0.track == tracks[index + 1] }?.price?.amount
                return low.flatMap { low in high.map { $0 * 100 / max(1, low) } }
            }.sorted()
            guard !ratios.isEmpty else { continue }
            let (ratio, sizes) = (ratios[ratios.count / 2], large * 100 / max(1, small))
            if ratio * 3 < sizes || ratio * 2 > sizes * 3 { return false }
        }
        return true
    }

    /// The head that applies to a price: the last one above it, or the usual one of the track.
    ///
    /// - Parameter heading: The row of the last heading with a serving above the price, such as `Magnums`. Heads above it
    ///   apply only if they have the same serving.
    func head(row: Int, track: Int, section: ListSection, below heading: Int?) -> Head? {
        let last = heads.last { $0.row < row && (section.isByGlass || !glassOnlyRows.contains($0.row)) }
        guard let head = nearestHead(track, last, isByGlass: section.isByGlass) else { return nil }
        // The heads of `Halbe Flaschen 0,375 l` end with its section.
        if let last, servingRows.contains(last.row), section.serving == nil { return nil }
        let isAboveHeading = last.map { $0.row < heading ?? -1 } ?? true
        if let serving = section.serving, isAboveHeading, head.usualServing != serving { return nil }
        return head
    }

    /// The heads of the last row with heads above a row, from left to right; nil if their number is not `count`. Prices
    /// directly after names are not below their heads: `Riesling, Prager 4,50 | 8,50`.
    func inOrder(above row: Int, count: Int) -> [Head]? {
        guard count > 1, let last = ordered.last(where: { $0.row < row }) else { return nil }
        return [last.single, last.joined].first { $0.count == count }
    }

    /// The head of a track in the last row with heads, or the usual one of the track.
    private func nearestHead(
        _ track: Int, _ lastHeads: (row: Int, byTrack: [Int: Head])?, isByGlass: Bool
    ) -> Head? {
        guard let above = lastHeads?.byTrack, let own = above[track] else {
            // If the only head is `Bottiglie` below wines by the glass, it does not apply to them.
            let isBelow =
                isByGlass && lastHeads == nil && usualHeads.count == 1 && usualHeads[track]?.serving == .bottle
            return isBelow ? nil : usualHeads[track]
        }
        // An unusual head is regarded as misread under two conditions: another column has its usual head in the
        // same row, and the usual head of this column was read in at least three rows.
        let otherHeads = above.filter { $0.key != track }
        let isMisread = otherHeads.contains { usualHeads[$0.key] == $0.value } && (usualHeadCounts[track] ?? 0) >= 3
        return isMisread ? usualHeads[track] : own
    }

    /// Removes heads that two columns share: at least one of them is misread.
    private static func withoutDuplicates(_ heads: [Int: Head]) -> [Int: Head] {
        heads.filter { head in !heads.contains { $0.key != head.key && $0.value == head.value } }
    }

    /// The sizes and servings of a row as heads. With `joined`, a size and a serving side by side are one head; otherwise
    /// only if they agree.
    private static func cells(_ tokens: [ListToken], joined: Bool) -> [(box: PixelBox, head: Head)] {
        var cells: [(box: PixelBox, head: Head)] = []
        for token in tokens {
            let head: Head
            switch token.kind {
            case .size(let size): head = Head(size: size)
            case .serving(let serving): head = Head(serving: serving)
            default: continue
            }
            if let last = cells.last, token.box.x - last.box.maxX < token.box.height * 3 / 2,
                joined || last.head.agrees(with: head),
                (last.head.size == nil) != (head.size == nil), (last.head.serving == nil) != (head.serving == nil)
            {
                cells[cells.count - 1] = (last.box.union(token.box), last.head.filled(from: head))
            } else {
                cells.append((token.box, head))
            }
        }
        return cells
    }

    /// The heads of a row by the price column above which they are printed.
    ///
    /// - Parameter areSingle: Whether no row has two prices, so that all tracks are one column.
    private static func assign(
        _ tokens: [ListToken], tracks: PriceTracks, near row: Int, _ places: TrackPlaces, height: Int, areSingle: Bool
    ) -> [Int: Head] {
        let isRegular = tracks.isRegular
        let regular = tracks.tracks.indices.filter { isRegular[$0] }
        // Neighbouring words may be one head (`Glas 0,1 l`) or the heads of two columns.
        let single = cells(tokens, joined: false)
        let cells = single.count == regular.count ? single : cells(tokens, joined: true)
        func nearest(_ cell: (box: PixelBox, head: Head)) -> Int? {
            let nearest = regular.map { track in
                (track, PriceTracks.distance(places.box(of: track, near: row) ?? tracks.tracks[track].box, cell.box))
            }.min { $0.1 < $1.1 }
            return nearest.flatMap { $0.1 <= 2 * height ? $0.0 : nil }
        }
        // A word left of the columns is a part of a heading: `Wines by the Glass   5oz   8oz   Bottle`.
        let above = single.filter { nearest($0) != nil }
        if regular.count > 1, above.count == regular.count, Set(above.compactMap(nearest)).count == above.count {
            return Dictionary(uniqueKeysWithValues: zip(above.compactMap(nearest), above.map(\.head)))
        }
        if cells.count == regular.count, cells.count > 1 || !areSingle {
            return Dictionary(uniqueKeysWithValues: zip(regular, cells.map(\.head)))
        }
        var assigned: [Int: Head] = [:]
        for cell in cells { if let track = nearest(cell) { assigned[track] = cell.head } }
        // With one column of prices, the head may be anywhere: `Offene Weine 0,2 l`.
        if assigned.isEmpty, cells.count == 1, areSingle || regular.count == 1 {
            for track in areSingle ? Array(tracks.tracks.indices) : regular { assigned[track] = cells[0].head }
        }
        return assigned
    }
}
