import Recognition

/// The columns in which prices are printed. A photographed column leans, so each price is compared with the one above.
struct PriceTracks {
    struct Track {
        var last: PixelBox
        var count = 1
        /// Around all of its prices.
        var box: PixelBox
        /// The left ends of its prices.
        var lefts: [Int]
    }

    private(set) var tracks: [Track] = []
    private let tolerance: Int

    /// Gives every cell of the rows its track, numbered from the left.
    init(_ rows: inout [ListRow], height: Int) {
        tolerance = height
        var places: [(row: Int, cell: Int, track: Int)] = []
        for row in rows.indices {
            var used: Set<Int> = []
            for cell in rows[row].cells.indices where rows[row].cells[cell].price != nil {
                let track = track(of: rows[row].cells[cell].box, besides: used)
                used.insert(track)
                places.append((row, cell, track))
            }
        }
        let order = tracks.indices.sorted {
            tracks[$0].box.x + tracks[$0].box.maxX < tracks[$1].box.x + tracks[$1].box.maxX
        }
        var ranks = [Int](repeating: 0, count: tracks.count)
        for (rank, track) in order.enumerated() { ranks[track] = rank }
        for place in places { rows[place.row].cells[place.cell].track = ranks[place.track] }
        tracks = order.map { tracks[$0] }
    }

    private mutating func track(of box: PixelBox, besides used: Set<Int>) -> Int {
        let nearest = tracks.indices.filter { !used.contains($0) }.map { ($0, Self.distance(tracks[$0].last, box)) }.min
        { $0.1 < $1.1 }
        if let nearest, nearest.1 <= tolerance {
            tracks[nearest.0].last = box
            tracks[nearest.0].count += 1
            tracks[nearest.0].lefts.append(box.x)
            tracks[nearest.0].box = tracks[nearest.0].box.union(box)
            return nearest.0
        }
        tracks.append(Track(last: box, box: box, lefts: [box.x]))
        return tracks.count - 1
    }

    /// Of the right ends or of the middles: prices are aligned at one of them.
    static func distance(_ first: PixelBox, _ second: PixelBox) -> Int {
        min(abs(first.maxX - second.maxX), abs(first.x + first.maxX - second.x - second.maxX) / 2)
    }

    /// Tracks that are more than chance.
    var isRegular: [Bool] {
        let most = tracks.map(\.count).max() ?? 0
        return tracks.map { $0.count >= max(2, most / 8) }
    }

    /// Where most prices of the leftmost regular track begin.
    var left: Int? {
        zip(tracks, isRegular).filter(\.1).map { track, _ in track.lefts.sorted()[track.lefts.count / 4] }.min()
    }
}
