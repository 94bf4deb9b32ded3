import CTesseract
import Recognition

/// A line cut out for an engine: levelled, with wide blanks narrowed.
///
/// Tesseract's network fails at the wide blanks between name, price and VAT letter. On clear scans it read `1,99 C` as
/// `1,8.6`; with narrow blanks it reads `1,99 C`.
struct LineStrip {
    let picture: Raster
    /// The column of the page for each column of the strip before scaling, without the border.
    private let columns: [Int]
    /// Whether there is ink in each of these columns.
    private let hasInk: [Bool]
    private let line: PrintedLine
    /// The height of the line's ink, in pixels.
    private let height: Int
    /// The factor by which `picture` is larger than the area that was cut out.
    private let factor: Float
    /// The blank pixels on each side before scaling.
    private let border: Int

    /// - Parameters:
    ///   - pass: Gives the width to which blanks are narrowed and the size of the strip.
    ///   - grey: The cleaned page.
    ///   - ink: The letters of the page; 0 means ink.
    ///   - others: The pieces of the lines above and below, whose pixels are excluded.
    init?(
        _ line: PrintedLine, pass: LinePass, grey: PixelRows, ink: PixelRows, capital: Int, others: [PixelBox] = []
    ) {
        let height = max(line.height, capital * 2 / 3)
        let half = height / 2 + capital / 4
        let left = max(0, line.left - capital / 4)
        let right = min(grey.width, line.right + capital / 4)
        guard right - left >= 4 else { return nil }
        let middles = (left..<right).map { line.doubleMiddle(at: $0) / 2 }
        let ownRows = Self.ownRows(
            of: line, from: left, middles: middles, height: height, half: half, capital: capital, others: others)
        let hasInk = (left..<right).map { x in
            let middle = middles[x - left]
            let rows = ownRows[x - left]
            let (top, bottom) = (
                max(rows.lowerBound, middle - height / 2),
                min(rows.upperBound, grey.height, middle + height / 2 + 1) - 1
            )
            return top <= bottom && (top...bottom).contains { ink[x, $0] == 0 }
        }
        let columns = Self.narrowed(hasInk, from: left, widest: height * pass.maximumBlank / 10)
        let border = pass.border
        let size = (width: columns.count + 2 * border, height: 2 * half + 2 * border)
        let picture = Raster(width: size.width, height: size.height) { rows, stride in
            for index in 0..<(stride * size.height) { rows[index] = 240 }
            for (column, x) in columns.enumerated() {
                let top = middles[x - left] - half
                for row in 0..<(2 * half) where ownRows[x - left].contains(top + row) && top + row < grey.height {
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
        self.hasInk = columns.map { hasInk[$0 - left] }
        self.border = border
        self.line = line
        self.height = height
    }

    /// The rows of each column without the ink of the lines above and below. Otherwise, if lines are close, the edges
    /// of their letters would be read as points, commas and accents.
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
        // Ink between these rows belongs to the line itself.
        var core = middles.map { (top: $0 - height * 2 / 5, bottom: $0 + height * 2 / 5) }
        for piece in line.pieces {
            for index in columns(piece, room: 0) {
                core[index] = (min(core[index].top, piece.y - 1), max(core[index].bottom, piece.maxY + 1))
            }
        }
        for other in others {
            for index in columns(other, room: 1) {
                // Lines are never this close: the piece is part of a broken letter of this line.
                guard abs(other.doubleMidY - 2 * middles[index]) * 5 >= 8 * capital else { continue }
                let (top, bottom) = (rows[index].lowerBound, rows[index].upperBound)
                if other.doubleMidY < 2 * middles[index] {
                    let start = min(other.maxY + 1, core[index].top)
                    if start > top { rows[index] = min(start, bottom)..<bottom }
                } else {
                    let end = max(other.y - 1, core[index].bottom)
                    if end < bottom { rows[index] = top..<max(end, top) }
                }
            }
        }
        return rows
    }

    /// The columns that remain after blanks wider than `widest` are cut to that width, half of it at either side.
    private static func narrowed(_ hasInk: [Bool], from left: Int, widest: Int) -> [Int] {
        var columns: [Int] = []
        var column = 0
        while column < hasInk.count {
            guard !hasInk[column] else {
                columns.append(left + column)
                column += 1
                continue
            }
            let end = hasInk[column...].firstIndex(of: true) ?? hasInk.count
            let keptWidth = min(end - column, widest)
            columns += (column..<(column + keptWidth / 2)).map { left + $0 }
            columns += ((end - (keptWidth - keptWidth / 2))..<end).map { left + $0 }
            column = end
        }
        return columns
    }

    /// The word with its box moved from `picture` to the page. The box has the height of the line's ink, and the width
    /// from the engine.
    func placed(_ word: RecognizedWord) -> RecognizedWord {
        var placed = word
        placed.box = box(index(of: word.box.x), index(of: word.box.maxX) - 1)
        return placed
    }

    /// The box on the page for a range of columns of `picture`, widened or narrowed to the edge of the ink.
    ///
    /// - Parameter reach: The maximum number of columns of `picture` by which the box is widened.
    func box(from first: Int, to last: Int, reach: Int) -> PixelBox {
        var (left, right) = (index(of: first), index(of: last))
        let reach = Int(Float(reach) / factor)
        let (least, most) = (max(0, left - reach), min(columns.count - 1, right + reach))
        while left > least, hasInk[left] || hasInk[left - 1] { left -= 1 }
        while right < most, hasInk[right] || hasInk[right + 1] { right += 1 }
        while left < right, !hasInk[left] { left += 1 }
        while right > left, !hasInk[right] { right -= 1 }
        return box(left, right)
    }

    /// Whether there is a blank at least as wide as a character between two columns of `picture`.
    func hasWideBlank(from first: Int, to last: Int) -> Bool {
        var start: Int?
        for position in stride(from: index(of: first), through: index(of: last), by: 1) {
            if hasInk[position] {
                start = nil
            } else if let start {
                if columns[position] - start > height * 2 / 3 { return true }
            } else {
                start = columns[position]
            }
        }
        return false
    }

    /// The index in `columns` of a column of `picture`.
    private func index(of column: Int) -> Int {
        max(0, min(columns.count - 1, Int(Float(column) / factor) - border))
    }

    /// The box on the page for a range of indices in `columns`.
    private func box(_ left: Int, _ right: Int) -> PixelBox {
        let (first, last) = (
            columns[min(columns.count - 1, max(0, left))], columns[min(columns.count - 1, max(0, right))]
        )
        let top = line.doubleMiddle(at: (first + last) / 2) / 2 - height / 2
        return PixelBox(x: first, y: max(0, top), width: max(1, last + 1 - first), height: height)
    }
}
