import Recognition

/// The column of the amounts read so far. It shows where to search for the amounts of the other lines.
struct AmountColumn {
    /// An amount that was read.
    private struct Entry {
        /// Twice the y of the middle of its line, in pixels.
        let doubleMidY: Int
        let box: PixelBox
        /// The drop of the line from the end of its first word to the amount, in half pixels.
        let drop: Int
    }

    /// The amounts from top to bottom.
    private var entries: [Entry] = []
    /// The height of capitals in pixels.
    private let capital: Int

    /// - Parameters:
    ///   - lines: The printed lines, from top to bottom.
    ///   - read: The words read from each of them, in the same pixels.
    init(_ lines: [PrintedLine], read: [RecognizedLine], capital: Int) {
        self.capital = capital
        for (line, words) in zip(lines, read) {
            guard let amount = words.lastAmount, let name = words.words.first, name.box.maxX < amount.box.x else {
                continue
            }
            let drop = line.doubleMiddle(at: amount.box.x + amount.box.width / 2) - line.doubleMiddle(at: name.box.maxX)
            entries.append(Entry(doubleMidY: line.doubleMidY, box: amount.box, drop: drop))
        }
    }

    /// The box in which a line without an amount could have one: in the column of the nearest amounts, level with the
    /// line. Nil above and below the column, and if the line reaches into the column.
    func place(of line: PrintedLine) -> PixelBox? {
        guard let above = entries.last(where: { $0.doubleMidY < line.doubleMidY }),
            let below = entries.first(where: { $0.doubleMidY > line.doubleMidY })
        else { return nil }
        let near = [above, below]
        let left = near.map(\.box.x).min() ?? 0
        let right = near.map(\.box.maxX).max() ?? 0
        guard line.right + capital / 2 < left, right - left < 12 * capital else { return nil }
        let drop = near.map(\.drop).reduce(0, +) / near.count
        let middle = (line.doubleMiddle(at: line.right) + drop) / 2
        return PixelBox(
            x: left - capital / 2, y: middle - capital * 2 / 3, width: right - left + capital, height: capital * 4 / 3)
    }
}

extension RecognizedLine {
    /// The last amount that the first engine read; if there is none, the last amount of the second engine.
    var lastAmount: PrintedAmount? { PrintedAmount.last(in: words) ?? PrintedAmount.last(in: secondEngineWords) }
}
