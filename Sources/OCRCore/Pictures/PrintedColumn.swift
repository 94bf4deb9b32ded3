import CTesseract
import Recognition

extension Raster {
    /// The ink of the size of letters, as a black-and-white picture: pixels darker than the paper around them, without
    /// specks, bars, photos and shadows. Nil if the picture is too small for print.
    ///
    /// - Parameters:
    ///   - joined: The maximum number of letters in a piece, because bold letters touch each other.
    ///   - largest: The height of the largest letters in pixels, if known.
    ///   - contrast: The factor of Sauvola's threshold, 0…1. With a higher factor, ink must be darker.
    func letters(joined: Int32 = 1, largest: Int? = nil, contrast: Float = Raster.usualContrast) -> Raster? {
        let radius = max(6, min(24, min(width, height) / 40))
        // Short receipts have letters that are large for the size of the picture.
        let limit = Int32(largest ?? max(64, longSide / 16))
        guard width > 3 * radius, height > 3 * radius, let ink = sauvola(halfWindow: radius, factor: contrast) else {
            return nil
        }
        let bounded = Raster(
            pixSelectBySize(ink.pix, limit * joined, limit, 8, Int32(L_SELECT_IF_BOTH), Int32(L_SELECT_IF_LTE), nil))
        guard let bounded else { return nil }
        return Raster(pixSelectBySize(bounded.pix, 1, 4, 8, Int32(L_SELECT_IF_BOTH), Int32(L_SELECT_IF_GTE), nil))
    }

    /// The contrast for ordinary print, whose ink is half as bright as the paper: the threshold is halfway between
    /// them.
    static var usualContrast: Float { 0.25 }

    /// The boxes of connected ink of a black-and-white picture, at most 20,000.
    func pieces() -> [PixelBox] {
        var boxes = pixConnCompBB(pix, 8)
        defer { boxaDestroy(&boxes) }
        guard let boxes else { return [] }
        return (0..<min(20_000, boxaGetCount(boxes))).map { index in
            var x: Int32 = 0
            var y: Int32 = 0
            var width: Int32 = 0
            var height: Int32 = 0
            boxaGetBoxGeometry(boxes, index, &x, &y, &width, &height)
            return PixelBox(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
        }
    }

    /// The box around the largest body of text of a picture of letters.
    func printedColumn() -> PixelBox {
        let wholeBox = PixelBox(x: 0, y: 0, width: width, height: height)
        let unit = Int32(longSide / 90 | 1)
        // Joins letters into blocks. Blocks thinner than a line are noise.
        guard let joined = Raster(pixCloseSafeBrick(nil, pix, unit * 4, unit * 3)),
            let blocks = Raster(pixOpenBrick(nil, joined.pix, unit, unit / 2 | 1))
        else { return wholeBox }
        let parts = blocks.pieces().map { (box: $0, ink: ink(in: $0)) }
        guard let main = parts.max(by: { $0.ink < $1.ink }) else { return wholeBox }
        // Blocks above, below or close beside the column belong to it: the top and the end of a receipt, and single
        // prices. The prices of a short receipt may be far from the names.
        let reach = longSide / 6
        let far = longSide * 2 / 5
        var column = main.box
        var remainingBoxes = parts.filter { $0.ink * 200 > main.ink }.map(\.box)
        while let next = remainingBoxes.firstIndex(where: {
            $0.isBeside(column, within: reach) || $0.isNarrowBeside(column, within: far)
        }) {
            column = column.union(remainingBoxes.remove(at: next))
        }
        return endsBeside(column, within: far).map(column.union) ?? column
    }

    /// The box around short numbers far to the right of a column, which are too few to form a block. In most rows, they
    /// end at the same x. Returns nil for fewer than six numbers.
    private func endsBeside(_ column: PixelBox, within reach: Int) -> PixelBox? {
        let beside = pieces().filter {
            $0.x >= column.maxX && $0.x - column.maxX < reach && $0.height >= 4 && $0.y >= column.y
                && $0.maxY <= column.maxY
        }.sorted { $0.y < $1.y }
        // The boxes of each row, from the top.
        var rows: [PixelBox] = []
        for piece in beside {
            if let last = rows.last, piece.y * 2 < last.y + last.maxY {
                rows[rows.count - 1] = last.union(piece)
            } else {
                rows.append(piece)
            }
        }
        let slack = 3 + column.height / 150
        let best =
            rows.map { row in rows.filter { abs($0.maxX - row.maxX) <= slack } }.max { $0.count < $1.count } ?? []
        guard best.count >= 6, best.count * 10 >= rows.count * 6, let first = best.first else { return nil }
        return best.reduce(first) { $0.union($1) }
    }

    /// The number of black pixels in a box.
    private func ink(in box: PixelBox) -> Int {
        var area = boxCreate(Int32(box.x), Int32(box.y), Int32(box.width), Int32(box.height))
        defer { boxDestroy(&area) }
        var count: Int32 = 0
        pixCountPixelsInRect(pix, area, &count, nil)
        return Int(count)
    }

    /// Whether most lines seem to be vertical, so that the picture must be turned by a quarter.
    ///
    /// The letters of a word are closer together than lines, so the nearest neighbour of a letter shows the direction
    /// (the docstrum of L. O'Gorman, 1993). Projection profiles alone would be misled by the straight edges of columns.
    func hasVerticalLines() -> Bool {
        let letterPieces = pieces().filter { max($0.width, $0.height) >= 5 && max($0.width, $0.height) <= 60 }
        // Every letter may be a neighbour, but only every `step`-th letter votes.
        let step = max(1, letterPieces.count / 800)
        var horizontal = 0
        var vertical = 0
        for index in Swift.stride(from: 0, to: letterPieces.count, by: step) {
            let letter = letterPieces[index]
            // The gaps to the nearest letter in the same row and in the same column.
            var rowGap = Int.max
            var columnGap = Int.max
            for other in letterPieces where other != letter {
                let overlapX = min(letter.maxX, other.maxX) - max(letter.x, other.x)
                let overlapY = min(letter.maxY, other.maxY) - max(letter.y, other.y)
                if overlapY * 2 > letter.height, overlapX <= 0 {
                    rowGap = min(rowGap, -overlapX)
                } else if overlapX * 2 > letter.width, overlapY <= 0 {
                    columnGap = min(columnGap, -overlapY)
                }
            }
            if rowGap < columnGap { horizontal += 1 }
            if columnGap < rowGap { vertical += 1 }
        }
        return vertical > horizontal
    }
}

extension PixelBox {
    /// Whether the box continues `column` sideways, upwards or downwards, with a gap of at most `reach`.
    fileprivate func isBeside(_ column: PixelBox, within reach: Int) -> Bool {
        let apartX = max(0, max(x - column.maxX, column.x - maxX))
        let apartY = max(0, max(y - column.maxY, column.y - maxY))
        return apartX < reach && apartY < reach && (apartX == 0 || apartY == 0)
    }

    /// Whether the box is a narrower column beside `column`, within its rows, with a gap of at most `reach`.
    fileprivate func isNarrowBeside(_ column: PixelBox, within reach: Int) -> Bool {
        let apartX = max(0, max(x - column.maxX, column.x - maxX))
        let sharedHeight = min(maxY, column.maxY) - max(y, column.y)
        return apartX < reach && width <= column.width && sharedHeight * 10 >= height * 8
    }
}
