import CTesseract
import Recognition

/// A printed line before it is read: a row of pieces of ink.
struct PrintedLine {
    /// Words or parts of words, from left to right.
    var pieces: [PixelBox]
    /// Whether the ink is paler or smaller than usual print. Such a line counts as text only if an engine reads it with
    /// certainty.
    var isDoubtful = false

    /// Twice the y of the line's middle at `x`, for curled and tilted lines. It is interpolated between the pieces to
    /// the left and right of `x`.
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

    /// The total width of the pieces that may be words, in pixels. Bar codes and pictures are higher than letters and
    /// do not count. A row of dashes, which on bent paper is as high as letters, is one piece and counts as one word.
    func wordWidth(capital: Int) -> Int {
        let longestWord = 8 * capital
        return pieces.filter { $0.height * 2 > capital && $0.height < capital * 2 }
            .reduce(0) { $0 + min(longestWord, $1.width) }
    }

    /// The part of the line between two columns. A word that extends beyond a column is omitted if only a small part of
    /// it is inside.
    func part(from left: Int, to right: Int) -> PrintedLine {
        PrintedLine(
            pieces: pieces.compactMap { piece in
                let (start, end) = (max(left, piece.x), min(right, piece.maxX))
                guard start < end, (end - start) * 2 >= piece.width || end - start >= piece.height else { return nil }
                return PixelBox(x: start, y: piece.y, width: end - start, height: piece.height)
            })
    }

    /// The same line after a picture of this size was turned upside down.
    func upsideDown(width: Int, height: Int) -> PrintedLine {
        PrintedLine(
            pieces: pieces.reversed().map {
                PixelBox(x: width - $0.maxX, y: height - $0.maxY, width: $0.width, height: $0.height)
            }, isDoubtful: isDoubtful)
    }

    /// Twice the y of the middle of the whole line.
    var doubleMidY: Int { doubleMiddle(at: (left + right) / 2) }
    var left: Int { pieces.first?.x ?? 0 }
    var right: Int { pieces.map(\.maxX).max() ?? 0 }
    /// The usual height of the ink, in pixels.
    var height: Int {
        // Takes one of the larger heights, because words without ascenders are lower than the line.
        let heights = pieces.map(\.height).sorted()
        return heights.isEmpty ? 0 : heights[heights.count * 3 / 4]
    }
}
