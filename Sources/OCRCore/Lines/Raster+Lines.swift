import CTesseract
import Recognition

extension Raster {
    /// The printed lines of a picture of letters, from top to bottom.
    ///
    /// - Parameters:
    ///   - capital: The height of capitals in pixels.
    ///   - drop: the number of pixels by which a line at x and y is lower than in the middle of the page. On bent
    ///     paper, the amount of the next line may be as near to a name as the amount of its own line.
    func printedLines(capital: Int, drop: (_ x: Int, _ y: Int) -> Double = { _, _ in 0 }) -> [PrintedLine] {
        // Joins the letters of a word, but not the words of a line.
        guard let words = Raster(pixCloseSafeBrick(nil, pix, Int32(capital * 7 / 10 | 1), 1)) else { return [] }
        let parts = words.pieces().joinedHalves(capital: capital).flatMap { separated($0, capital: capital) }
        let pieces = parts.filter { piece in
            piece.height * 20 >= capital * 9 && piece.height <= capital * 3 && piece.width * 4 >= capital
                && piece.width >= piece.height / 4
        }
        var lines: [PrintedLine] = []
        /// Twice the y of the middle of each line's last piece, corrected for the bend of the page.
        var levels: [Int] = []
        for piece in pieces.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
            var best: (index: Int, distance: Int)?
            let level = piece.doubleMidY - Int((2 * drop(piece.x + piece.width / 2, piece.doubleMidY / 2)).rounded())
            for (index, line) in lines.enumerated() {
                guard let last = line.pieces.last, last.maxX <= piece.x + capital / 2 else { continue }
                let distance = abs(levels[index] - level)
                guard distance < max(min(last.height, piece.height), capital * 3 / 4) else { continue }
                if distance < best?.distance ?? .max { best = (index, distance) }
            }
            if let best {
                lines[best.index].pieces.append(piece)
                levels[best.index] = level
            } else {
                lines.append(PrintedLine(pieces: [piece]))
                levels.append(level)
            }
        }
        return lines.sorted { $0.doubleMidY < $1.doubleMidY }
    }

    /// Splits a piece that is higher than a line, because letters of neighbouring lines touch. It is cut in the rows
    /// between the lines, which have little ink. A piece without such rows, for example a tall letter, stays whole.
    private func separated(_ piece: PixelBox, capital: Int) -> [PixelBox] {
        guard piece.height * 10 > capital * 18, piece.height <= capital * 12, piece.width >= 2 * capital,
            let grey = Raster(pixConvertTo8(cropped(to: piece).pix, 0)), let ink = PixelRows(grey)
        else { return [piece] }
        var parts: [PixelBox] = []
        var isCut = false
        // On bent paper, no row of pixels is blank over the whole width, so short parts are cut separately.
        for left in Swift.stride(from: 0, to: ink.width, by: 4 * capital) {
            let columns = left..<min(ink.width, left + 4 * capital)
            let profile = (0..<ink.height).map { row in columns.count { ink[$0, row] == 0 } }
            let rows = profile.lines(capital: capital)
            isCut = isCut || rows.count > 1
            parts += rows.map {
                PixelBox(x: piece.x + left, y: piece.y + $0.lowerBound, width: columns.count, height: $0.count)
            }
        }
        return isCut ? parts : [piece]
    }
}

/// The number of inked pixels in each row of a picture.
extension [Int] {
    /// The ranges of rows that are lines: they are separated by rows with little ink.
    fileprivate func lines(capital: Int) -> [Range<Int>] { lines(in: indices, capital: capital) }

    private func lines(in rows: Range<Int>, capital: Int) -> [Range<Int>] {
        guard let first = rows.first(where: { self[$0] > 0 }), let last = rows.last(where: { self[$0] > 0 }) else {
            return []
        }
        let inner = (first + capital / 2)..<Swift.max(first + capital / 2, last - capital / 2)
        guard (last - first) * 10 > capital * 18, let emptiest = inner.min(by: { self[$0] < self[$1] }) else {
            return [first..<(last + 1)]
        }
        let (above, below) = (self[first..<emptiest].max() ?? 0, self[emptiest...last].max() ?? 0)
        guard self[emptiest] * 4 <= Swift.min(above, below) else { return [first..<(last + 1)] }
        return lines(in: first..<emptiest, capital: capital) + lines(in: emptiest..<(last + 1), capital: capital)
    }
}
