import CTesseract
import Recognition

extension Raster {
    /// Returns the letter-sized ink outside the lines, including pale ink, as a black-and-white picture. Requires a
    /// cleaned greyscale picture.
    func inkOutside(_ lines: [PrintedLine], capital: Int) -> Raster? {
        guard let ink = letters(joined: 20, largest: 3 * capital, contrast: 0.1),
            let rest = Raster(pixCopy(nil, ink.pix))
        else { return nil }
        for line in lines {
            var last: PixelBox?
            for piece in line.pieces {
                rest.clear(piece, marginX: capital / 4, marginY: capital / 3)
                // The blanks within a line are not searched.
                if let last, piece.x > last.maxX, piece.x - last.maxX < 2 * capital {
                    let blank = PixelBox(x: last.maxX, y: last.y, width: piece.x - last.maxX, height: last.height)
                    rest.clear(blank, marginX: 0, marginY: capital / 3)
                }
                last = piece
            }
        }
        // Drops points, commas and specks.
        return Raster(
            pixSelectBySize(
                rest.pix, Int32(max(1, capital / 8)), Int32(capital * 9 / 20), 8, Int32(L_SELECT_IF_BOTH),
                Int32(L_SELECT_IF_GTE), nil))
    }

    /// Makes a box and its margin white.
    private func clear(_ box: PixelBox, marginX: Int, marginY: Int) {
        var place = boxCreate(
            Int32(max(0, box.x - marginX)), Int32(max(0, box.y - marginY)), Int32(box.width + 2 * marginX),
            Int32(box.height + 2 * marginY))
        pixClearInRect(pix, place)
        boxDestroy(&place)
    }
}

extension PrintedLine {
    var markedDoubtful: PrintedLine {
        var line = self
        line.isDoubtful = true
        return line
    }

    /// Whether the line is at least as wide as an amount, within the body of the other lines, and not a part of one of
    /// them.
    func mayBeText(among lines: [PrintedLine], capital: Int) -> Bool {
        let wideLines = lines.filter { $0.wordWidth(capital: capital) >= 3 * capital }
        guard wordWidth(capital: capital) * 2 >= 5 * capital, height <= 2 * capital,
            let left = wideLines.map(\.left).min(), let right = wideLines.map(\.right).max(),
            let top = wideLines.map(\.doubleMidY).min(), let bottom = wideLines.map(\.doubleMidY).max()
        else { return false }
        let room = 2 * capital
        guard !isCovered(by: lines.flatMap(\.pieces)), self.left >= left - room, self.right <= right + room,
            doubleMidY >= top - 4 * room, doubleMidY <= bottom + 4 * room
        else { return false }
        return !lines.contains { other in
            let sharedWidth = min(self.right, other.right) - max(self.left, other.left)
            guard sharedWidth > 0 else { return false }
            let at = (max(self.left, other.left) + min(self.right, other.right)) / 2
            let coveredWidth = other.pieces.reduce(0) { sum, piece in
                sum + max(0, min(self.right, piece.maxX) - max(self.left, piece.x))
            }
            return abs(other.doubleMiddle(at: at) - doubleMiddle(at: at)) * 4 < 5 * capital
                && coveredWidth * 2 > self.right - self.left
        }
    }

    /// Whether words of other lines cover more than half of the area of the pieces. The rest is then a crease or a
    /// stroke across these words.
    func isCovered(by words: [PixelBox]) -> Bool {
        var (area, sharedArea) = (0, 0)
        for piece in pieces {
            area += piece.width * piece.height
            for other in words {
                let width = min(piece.maxX, other.maxX) - max(piece.x, other.x)
                let height = min(piece.maxY, other.maxY) - max(piece.y, other.y)
                if width > 0, height > 0 { sharedArea += width * height }
            }
        }
        return sharedArea * 2 > area
    }
}
