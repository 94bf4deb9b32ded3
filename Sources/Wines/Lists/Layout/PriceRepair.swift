import Recognition

/// Corrects misread prices with the help of the other prices of their columns.
struct PriceRepair {
    /// The usual left edge of the price columns; nil without price columns.
    private let left: Int?
    /// The indices of the tracks with enough prices to be columns, from left to right.
    private let regularTracks: [Int]
    /// The usual height of the letters, in pixels.
    private let height: Int
    private let places: TrackPlaces

    init(_ rows: [ListRow], tracks: PriceTracks, height: Int) {
        left = tracks.left
        self.height = height
        let isRegular = tracks.isRegular
        regularTracks = tracks.tracks.indices.filter { isRegular[$0] }
        places = TrackPlaces(rows)
    }

    /// Corrects the rows with which the repair was created.
    func repair(_ rows: inout [ListRow]) {
        guard !regularTracks.isEmpty else { return }
        for index in rows.indices {
            moveLoneNumbers(&rows[index])
            moveMisreadPrices(&rows[index], index)
            dropStrays(&rows[index])
        }
        for track in regularTracks { restoreCommas(&rows, track) }
        for (left, right) in zip(regularTracks, regularTracks.dropFirst()) { splitJoined(&rows, left, right) }
    }

    /// Moves the numbers of a row without text into its text if they are left of the price columns. They are often the
    /// vintage on an entry's second line.
    private func moveLoneNumbers(_ row: inout ListRow) {
        guard row.text.isEmpty, let left, row.box.maxX < left - height, row.hasOnlyDigits else { return }
        row.text = row.cells.map {
            ListToken(
                text: $0.price.map { String($0.amount / 100) } ?? "–", box: $0.box, confidence: $0.confidence,
                kind: .word)
        }
        row.cells = []
    }

    /// Moves misread prices from the end of the text into cells.
    private func moveMisreadPrices(_ row: inout ListRow, _ index: Int) {
        while let last = row.text.last, last.kind == .word || last.isPrice,
            let track = track(of: last.box, near: index), !row.cells.contains(where: { $0.track == track }),
            let price = PrintedPrice.misread(last.text)
        {
            row.text.removeLast()
            // A misread currency may be a separate word.
            if let sign = row.text.last, sign.kind == .word, sign.text.hasSuffix("HF") || sign.text == "E",
                sign.text.count <= 4,
                last.box.x - sign.box.maxX < 2 * height
            {
                row.text.removeLast()
            }
            let cell = ListRow.Cell(box: last.box, price: price, confidence: last.confidence * 7 / 10, track: track)
            row.cells.insert(cell, at: 0)
        }
    }

    /// Drops numbers beside the price columns: they are misread parts of the dots between a name and its price.
    private func dropStrays(_ row: inout ListRow) {
        guard row.cells.contains(where: { $0.price != nil && regularTracks.contains($0.track ?? -1) }) else { return }
        row.cells.removeAll {
            !regularTracks.contains($0.track ?? -1) && $0.price?.hasOnlyDigits == true && $0.size == nil
                && $0.serving == nil
                && $0.price?.currency == nil && !$0.isBesideSlash
        }
    }

    /// Restores lost decimal separators: `450` in a column of prices with two decimals is 4,50.
    private func restoreCommas(_ rows: inout [ListRow], _ track: Int) {
        let prices = rows.flatMap { $0.cells.filter { $0.track == track }.compactMap(\.price) }
        guard prices.count(where: { $0.hasDecimals }) * 10 >= prices.count * 6 else { return }
        for row in rows.indices {
            for cell in rows[row].cells.indices where rows[row].cells[cell].track == track {
                guard let price = rows[row].cells[cell].price, !price.hasDecimals, price.amount >= 10_000 else {
                    continue
                }
                rows[row].cells[cell].price?.amount = price.amount / 100
                rows[row].cells[cell].confidence = rows[row].cells[cell].confidence * 7 / 10
            }
        }
    }

    /// Splits prices that were read as one: `714` across two columns is 7 and 14. Exactly one split must have about the
    /// usual ratio of the two columns' prices.
    private func splitJoined(_ rows: inout [ListRow], _ left: Int, _ right: Int) {
        let ratios = rows.compactMap { row -> Int? in
            let low = row.cells.first { $0.track == left }?.price?.amount
            let high = row.cells.first { $0.track == right }?.price?.amount
            return low.flatMap { low in high.map { $0 * 100 / max(1, low) } }
        }.sorted()
        guard ratios.count >= 2 else { return }
        let usual = ratios[ratios.count / 2]
        for row in rows.indices {
            guard
                let cell = rows[row].cells.firstIndex(where: {
                    $0.track == right && $0.price?.hasOnlyDigits == true
                }),
                !rows[row].cells.contains(where: { $0.track == left }), let price = rows[row].cells[cell].price,
                let start = places.box(of: left, near: row),
                rows[row].cells[cell].box.x <= start.x + start.width / 2
            else { continue }
            let digits = String(price.amount / 100)
            let splits = (1..<digits.count).compactMap { count -> (low: Int, high: Int)? in
                guard let low = Int(digits.prefix(count)), let high = Int(digits.dropFirst(count)), low > 0,
                    digits.dropFirst(count).first != "0", abs(high * 100 / low - usual) * 4 <= usual
                else { return nil }
                return (low * 100, high * 100)
            }
            guard let split = splits.first, splits.count == 1 else { continue }
            var (first, second) = (rows[row].cells[cell], rows[row].cells[cell])
            first.price?.amount = split.low
            second.price?.amount = split.high
            (first.track, first.confidence, second.confidence) = (left, 60, 60)
            rows[row].cells.replaceSubrange(cell...cell, with: [first, second])
        }
    }

    /// The regular track whose price in the nearest row is aligned with the box; nil if there is none.
    private func track(of box: PixelBox, near row: Int) -> Int? {
        let distances = regularTracks.compactMap { track -> (Int, Int)? in
            places.box(of: track, near: row).map { (track, PriceTracks.distance($0, box)) }
        }
        return distances.min { $0.1 < $1.1 }.flatMap { $0.1 <= height ? $0.0 : nil }
    }
}

extension ListRow {
    /// Whether all prices of the row are digits without currency and decimals.
    fileprivate var hasOnlyDigits: Bool { cells.allSatisfy { $0.price?.hasOnlyDigits ?? true } }
}
