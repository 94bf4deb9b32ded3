import CTesseract
import Recognition

/// One printed line as pieces of ink that stand beside each other, before it is read.
struct PrintedLine {
    /// Words or parts of words, from left to right.
    var pieces: [PixelBox]

    /// Twice the vertical middle at `x`, between the pieces that stand left and right of it: curl and tilt are followed.
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

    /// Pixels across that its words take. What stands in bar codes and pictures is higher than letters; a row of dashes,
    /// which is as high as letters where it bows with the paper, is one piece without end.
    func wordWidth(capital: Int) -> Int {
        let longestWord = 8 * capital
        return pieces.filter { $0.height * 2 > capital && $0.height < capital * 2 }
            .reduce(0) { $0 + min(longestWord, $1.width) }
    }

    /// The same line of a picture of this size once that stands on its head.
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
    ///   - drop: How many pixels lower than in the page's middle its line stands at x and y: amounts stand far from
    ///     their names, and on paper that bows the next line's may be as near.
    func printedLines(capital: Int, drop: (_ x: Int, _ y: Int) -> Double = { _, _ in 0 }) -> [PrintedLine] {
        // Letters of a word join; words of a line need not.
        guard let words = Raster(pixCloseSafeBrick(nil, pix, Int32(capital * 7 / 10 | 1), 1)) else { return [] }
        let pieces = words.pieces().filter {
            $0.height * 20 >= capital * 9 && $0.height <= capital * 3 && $0.width * 4 >= capital
                && $0.width >= $0.height / 4
        }
        var lines: [PrintedLine] = []
        // The end of every line, so that the search does not walk through all pieces.
        /// Twice the middle of each line's last piece once the page were level.
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
