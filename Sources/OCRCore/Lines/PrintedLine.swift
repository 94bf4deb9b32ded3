import CTesseract
import Recognition

/// One printed line as a row of pieces of ink, before it is read.
struct PrintedLine {
    /// Words or parts of words, from left to right.
    var pieces: [PixelBox]

    /// Twice the vertical middle at `x`, interpolated between the pieces left and right of it, so that it follows curl and
    /// tilt.
    func doubleMiddle(at x: Int) -> Int {
        guard let next = pieces.firstIndex(where: { $0.x + $0.width / 2 >= x }) else {
            return pieces.last?.doubleMidY ?? 0
        }
        guard next > 0 else { return pieces[0].doubleMidY }
        let (before, after) = (pieces[next - 1], pieces[next])
        let start = before.x + before.width / 2
        let span = max(1, after.x + after.width / 2 - start)
        return before.doubleMidY + (after.doubleMidY - before.doubleMidY) * (x - start) / span
    }

    /// The width of its words in pixels. Bar codes and pictures are higher than letters; a row of dashes, which on bent paper
    /// is as high as letters, is one piece and counts as one word.
    func wordWidth(capital: Int) -> Int {
        let longestWord = 8 * capital
        return pieces.filter { $0.height * 2 > capital && $0.height < capital * 2 }
            .reduce(0) { $0 + min(longestWord, $1.width) }
    }

    /// The same line after a picture of this size was turned upside down.
    func upsideDown(width: Int, height: Int) -> PrintedLine {
        PrintedLine(
            pieces: pieces.reversed().map {
                PixelBox(x: width - $0.maxX, y: height - $0.maxY, width: $0.width, height: $0.height)
            })
    }

    var left: Int { pieces.first?.x ?? 0 }
    var right: Int { pieces.map(\.maxX).max() ?? 0 }
    /// The usual height of its ink.
    var height: Int {
        // The upper part of the heights: words without ascenders are lower than the line.
        let heights = pieces.map(\.height).sorted()
        return heights.isEmpty ? 0 : heights[heights.count * 3 / 4]
    }
}

extension Raster {
    /// The printed lines of a picture of letters, from top to bottom.
    ///
    /// - Parameters:
    ///   - capital: Height of capitals in pixels.
    ///   - drop: By how many pixels a line is lower at x and y than in the middle of the page: amounts are far from their
    ///     names, and on bent paper the amount of the next line may be as near.
    func printedLines(capital: Int, drop: (_ x: Int, _ y: Int) -> Double = { _, _ in 0 }) -> [PrintedLine] {
        // Joins the letters of words, not the words of lines.
        guard let words = Raster(pixCloseSafeBrick(nil, pix, Int32(capital * 7 / 10 | 1), 1)) else { return [] }
        let pieces = words.pieces().filter {
            $0.height * 20 >= capital * 9 && $0.height <= capital * 3 && $0.width * 4 >= capital
                && $0.width >= $0.height / 4
        }
        var lines: [PrintedLine] = []
        /// Twice the middle of each line's last piece, corrected for the bend of the page.
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
        return lines.sorted {
            $0.doubleMiddle(at: ($0.left + $0.right) / 2) < $1.doubleMiddle(at: ($1.left + $1.right) / 2)
        }
    }
}
