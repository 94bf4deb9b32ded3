import Recognition

/// The boxes of the prices of each price column.
struct TrackPlaces {
    /// The row and the box of each price, by track, from the top.
    private var places: [Int: [(row: Int, box: PixelBox)]] = [:]

    init(_ rows: [ListRow]) {
        for (index, row) in rows.enumerated() {
            for cell in row.cells { if let track = cell.track { places[track, default: []].append((index, cell.box)) } }
        }
    }

    /// The box of a track's price in the row that is nearest to `row`; in the upper row if two rows are equally near.
    /// Nil if the track has no price.
    func box(of track: Int, near row: Int) -> PixelBox? {
        guard let places = places[track] else { return nil }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].row < row { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return places.first?.box }
        let above = places[low - 1]
        guard low < places.count, places[low].row - row < row - above.row else { return above.box }
        return places[low].box
    }
}
