import Recognition

/// The columns of prices. A photographed column leans, so each price is compared with the one above it.
struct PriceTracks {
    struct Track {
        /// The box of the last price so far, which is the lowest on the page.
        var last: PixelBox
        var count = 1
        /// The box around all prices of the track.
        var box: PixelBox
        /// The left edges of the prices.
        var lefts: [Int]
    }

    private(set) var tracks: [Track] = []
    /// The usual height of the letters, in pixels, by which distances between prices are judged.
    private let tolerance: Int

    /// Sets the track of every cell of the rows, numbered from the left.
    init(_ rows: inout [ListRow], height: Int) {
        tolerance = height
        var assignments: [(row: Int, cell: Int, track: Int)] = []
        for row in rows.indices {
            let cells = rows[row].cells.indices.filter { rows[row].cells[$0].price != nil }
            for (cell, track) in zip(cells, assign(cells.map { rows[row].cells[$0].box })) {
                assignments.append((row, cell, track))
            }
        }
        let order = tracks.indices.sorted {
            tracks[$0].box.x + tracks[$0].box.maxX < tracks[$1].box.x + tracks[$1].box.maxX
        }
        var ranks = [Int](repeating: 0, count: tracks.count)
        for (rank, track) in order.enumerated() { ranks[track] = rank }
        for assignment in assignments { rows[assignment.row].cells[assignment.cell].track = ranks[assignment.track] }
        tracks = order.map { tracks[$0] }
    }

    /// Assigns the prices of one row to different tracks, from left to right, with the least sum of distances.
    private mutating func assign(_ boxes: [PixelBox]) -> [Int] {
        let order = tracks.indices.sorted { tracks[$0].last.maxX < tracks[$1].last.maxX }
        // The cost of a price that gets a new track.
        let newCost = 2 * tolerance
        // For the first m cells and n tracks: the least sum, and whether cell m is assigned to track n.
        var sums = [[Int]](repeating: [Int](repeating: 0, count: order.count + 1), count: boxes.count + 1)
        var takes = [[Bool]](repeating: [Bool](repeating: false, count: order.count + 1), count: boxes.count + 1)
        for cell in boxes.indices {
            sums[cell + 1][0] = sums[cell][0] + newCost
            for position in order.indices {
                let distance = Self.distance(tracks[order[position]].last, boxes[cell])
                let (without, with) = (
                    min(sums[cell + 1][position], sums[cell][position + 1] + newCost),
                    distance * 2 <= tolerance * 3 ? sums[cell][position] + distance : Int.max
                )
                takes[cell + 1][position + 1] = with <= without
                sums[cell + 1][position + 1] = min(with, without)
            }
        }
        var assigned = [Int?](repeating: nil, count: boxes.count)
        var (cell, position) = (boxes.count, order.count)
        while cell > 0 {
            if position > 0, takes[cell][position] {
                assigned[cell - 1] = order[position - 1]
                (cell, position) = (cell - 1, position - 1)
            } else if position > 0, sums[cell][position] == sums[cell][position - 1] {
                position -= 1
            } else {
                cell -= 1
            }
        }
        return zip(boxes, assigned).map { box, track in enter(box, track) }
    }

    /// Adds a price to a track, or to a new one if `track` is nil. Returns the index of the track.
    private mutating func enter(_ box: PixelBox, _ track: Int?) -> Int {
        guard let track else {
            tracks.append(Track(last: box, box: box, lefts: [box.x]))
            return tracks.count - 1
        }
        tracks[track].last = box
        tracks[track].count += 1
        tracks[track].lefts.append(box.x)
        tracks[track].box = tracks[track].box.union(box)
        return track
    }

    /// The horizontal distance of two prices in pixels. It is the distance between their right edges or between their
    /// middles, whichever is smaller, because columns are aligned right or centred.
    static func distance(_ first: PixelBox, _ second: PixelBox) -> Int {
        min(abs(first.maxX - second.maxX), abs(first.x + first.maxX - second.x - second.maxX) / 2)
    }

    /// Whether each track has enough prices to be a column.
    var isRegular: [Bool] {
        let most = tracks.map(\.count).max() ?? 0
        return tracks.map { $0.count >= max(2, most / 8) }
    }

    /// The usual left edge of the prices of the leftmost regular track.
    var left: Int? {
        zip(tracks, isRegular).filter(\.1).map { track, _ in track.lefts.sorted()[track.lefts.count / 4] }.min()
    }
}
