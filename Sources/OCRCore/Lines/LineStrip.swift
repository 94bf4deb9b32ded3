import CTesseract
import Recognition

/// One line cut out for the engine: level, and its wide gaps narrowed.
///
/// The engine's network loses its place in the wide blanks between name, price and VAT letter: on scans that are
/// perfectly clear to the eye it read "1,8.6" for "1,99 C", and reads it right as soon as the blanks are narrow.
struct LineStrip {
    let picture: Raster
    /// Where each column of `picture` stood, less the border.
    private let columns: [Int]
    private let line: PrintedLine
    /// The height of its ink.
    private let height: Int
    /// By how much `picture` is larger than what was cut out.
    private let factor: Float
    private static let border = 8

    /// - Parameters:
    ///   - pass: How wide blanks stay and how large the strip is made.
    ///   - grey: Rows of the cleaned picture, `stride` bytes each.
    ///   - ink: The same of the letters, 0 where there is ink.
    ///   - others: The pieces of other lines; what reaches into the strip of those above and below is left out.
    init?(
        _ line: PrintedLine, pass: LinePass, grey: PixelRows, ink: PixelRows, capital: Int, others: [PixelBox] = []
    ) {
        let height = max(line.height, capital * 2 / 3)
        let half = height / 2 + capital / 4
        let left = max(0, line.left - capital / 4)
        let right = min(grey.width, line.right + capital / 4)
        guard right - left >= 4 else { return nil }
        let middles = (left..<right).map { line.doubleMiddle(at: $0) / 2 }
        let own = Self.ownRows(
            of: line, from: left, middles: middles, height: height, half: half, capital: capital, others: others)
        let inked = (left..<right).map { x in
            let middle = middles[x - left]
            let rows = own[x - left]
            let (top, bottom) = (
                max(rows.lowerBound, middle - height / 2),
                min(rows.upperBound, grey.height, middle + height / 2 + 1) - 1
            )
            return top <= bottom && (top...bottom).contains { ink[x, $0] == 0 }
        }
        let columns = Self.narrowed(inked, from: left, widest: height * pass.widestBlank / 10)
        let border = Self.border
        let size = (width: columns.count + 2 * border, height: 2 * half + 2 * border)
        let picture = Raster(width: size.width, height: size.height) { rows, stride in
            for at in 0..<(stride * size.height) { rows[at] = 240 }
            for (column, x) in columns.enumerated() {
                let top = middles[x - left] - half
                for row in 0..<(2 * half) where own[x - left].contains(top + row) && top + row < grey.height {
                    rows[(row + border) * stride + column + border] = grey[x, top + row]
                }
            }
            return true
        }
        guard let picture else { return nil }
        factor = Float(pass.capital) / ReadingPicture.wantedCapital
        let scaled = picture.scaled(by: factor)
        self.picture = pass.isBlackAndWhite ? scaled.blackAndWhite() ?? scaled : scaled
        self.columns = columns
        self.line = line
        self.height = height
    }

    /// The rows of each column that show nothing of the lines above and below: of close print their edges would be read as
    /// points, commas and marks on letters.
    private static func ownRows(
        of line: PrintedLine, from left: Int, middles: [Int], height: Int, half: Int, capital: Int,
        others: [PixelBox]
    ) -> [Range<Int>] {
        var rows = middles.map { max(0, $0 - half)..<max(0, $0 + half) }
        guard !others.isEmpty else { return rows }
        func columns(_ piece: PixelBox, room: Int) -> Range<Int> {
            let start = min(rows.count, max(0, piece.x - room - left))
            return start..<max(start, min(rows.count, piece.maxX + room - left))
        }
        // Whatever lies within these is of the line itself.
        var core = middles.map { (top: $0 - height * 2 / 5, bottom: $0 + height * 2 / 5) }
        for piece in line.pieces {
            for at in columns(piece, room: 0) {
                core[at] = (min(core[at].top, piece.y - 1), max(core[at].bottom, piece.maxY + 1))
            }
        }
        for other in others {
            for at in columns(other, room: 1) {
                // Closer than lines are printed: a part of this line's own letters, whose strokes broke.
                guard abs(other.doubleMidY - 2 * middles[at]) * 5 >= 8 * capital else { continue }
                let (top, bottom) = (rows[at].lowerBound, rows[at].upperBound)
                if other.doubleMidY < 2 * middles[at] {
                    let start = min(other.maxY + 1, core[at].top)
                    if start > top { rows[at] = min(start, bottom)..<bottom }
                } else {
                    let end = max(other.y - 1, core[at].bottom)
                    if end < bottom { rows[at] = top..<max(end, top) }
                }
            }
        }
        return rows
    }

    /// The columns that stay when blanks wider than `widest` keep only that much, half of it at either side.
    private static func narrowed(_ inked: [Bool], from left: Int, widest: Int) -> [Int] {
        var columns: [Int] = []
        var at = 0
        while at < inked.count {
            guard !inked[at] else {
                columns.append(left + at)
                at += 1
                continue
            }
            let end = inked[at...].firstIndex(of: true) ?? inked.count
            let kept = min(end - at, widest)
            columns += (at..<(at + kept / 2)).map { left + $0 }
            columns += ((end - (kept - kept / 2))..<end).map { left + $0 }
            at = end
        }
        return columns
    }

    /// A word of this strip with its box in the whole picture: as high as the line's ink, as wide as the engine says.
    func placed(_ word: RecognizedWord) -> RecognizedWord {
        var placed = word
        let left = Int(Float(word.box.x) / factor) - Self.border
        let right = Int(Float(word.box.maxX) / factor) - Self.border
        let first = columns[max(0, min(columns.count - 1, left))]
        let last = columns[max(0, min(columns.count - 1, right - 1))]
        let top = line.doubleMiddle(at: (first + last) / 2) / 2 - height / 2
        placed.box = PixelBox(x: first, y: max(0, top), width: max(1, last + 1 - first), height: height)
        return placed
    }
}

/// A copy of a grey picture's bytes, row by row.
struct PixelRows {
    let width: Int
    let height: Int
    private let stride: Int
    private let bytes: [UInt8]

    init?(_ picture: Raster) {
        width = picture.width
        height = picture.height
        let rows = picture.height
        let copied = picture.withBytes { pixels, stride in
            (stride, Array(UnsafeBufferPointer(start: pixels, count: stride * rows)))
        }
        guard let copied else { return nil }
        (stride, bytes) = copied
    }

    private init(width: Int, height: Int, stride: Int, bytes: [UInt8]) {
        (self.width, self.height, self.stride, self.bytes) = (width, height, stride, bytes)
    }

    func upsideDown() -> PixelRows {
        var turned: [UInt8] = []
        turned.reserveCapacity(width * height)
        for y in (0..<height).reversed() { turned += bytes[(y * stride)..<(y * stride + width)].reversed() }
        return PixelRows(width: width, height: height, stride: width, bytes: turned)
    }

    subscript(x: Int, y: Int) -> UInt8 { bytes[y * stride + x] }
}
