import Recognition

extension PageReader {
    /// The lines, preceded by the name of the store if it is printed above them in letters too large to be found as a
    /// line. Names of low confidence, such as drawn logos, are omitted.
    ///
    /// - Parameter lines: The lines in pixels of the reading picture. They contain at most one or two letters of the
    ///   name of the store.
    func withHeadings(_ lines: [RecognizedLine], of page: PrintedPage) -> [RecognizedLine] {
        let picture = page.reading.picture
        let capital = Int(Float(page.capital) / page.factor)
        // Searches only above the items, because large print elsewhere is a total or a drawing.
        let sixthLineY = page.lines.dropFirst(5).first.map {
            Int(Float($0.doubleMiddle(at: $0.left) / 2) / page.factor)
        }
        let end = max(1, min(sixthLineY ?? picture.height / 2, picture.height / 3))
        let top = picture.cropped(to: PixelBox(x: 0, y: 0, width: picture.width, height: end))
        // Larger shapes are drawings.
        let headingBoxes = top.letters(joined: 4, largest: capital * 10)?.headings(above: capital * 2) ?? []
        let certainWords = lines.flatMap(\.words).filter { $0.confidence >= Self.minimumConfidence }
        var (headings, rest) = ([RecognizedLine](), lines)
        for box in headingBoxes {
            let coveredWidth = certainWords.reduce(0) { $0 + (box.hasMiddle(of: $1.box) ? $1.box.width : 0) }
            guard coveredWidth * 10 < box.width * 8 else { continue }
            let margin = box.height / 4
            let place = picture.visible(
                PixelBox(
                    x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin
                ))
            let factor = ReadingPicture.wantedCapital / Float(box.height)
            let strip = picture.cropped(to: place).scaled(by: factor)
            let words = engine.words(on: strip, layout: .line).filter { $0.confidence >= Self.minimumConfidence }
            let letters = words.reduce(0) { $0 + $1.text.unicodeScalars.count(where: \.properties.isAlphabetic) }
            guard letters >= 2, certainty(of: words) >= 75 else { continue }
            for index in rest.indices { rest[index].words.removeAll { box.hasMiddle(of: $0.box) } }
            headings.append(
                RecognizedLine(
                    words: words.map { word in
                        var placed = word.scaled(by: 1 / factor, inside: picture)
                        placed.box.x = min(picture.width - placed.box.width, placed.box.x + place.x)
                        placed.box.y = min(picture.height - placed.box.height, placed.box.y + place.y)
                        return placed
                    }))
        }
        return headings + rest.filter { !$0.words.isEmpty }
    }
}

extension PageReader {
    /// The minimum confidence of words that count as read.
    fileprivate static let minimumConfidence = 60
}

extension PixelBox {
    fileprivate func hasMiddle(of other: PixelBox) -> Bool {
        (x..<maxX).contains(other.x + other.width / 2) && (y..<maxY).contains(other.y + other.height / 2)
    }
}

extension Raster {
    /// The boxes of words in letters higher than `height` on a black-and-white picture; at most two.
    func headings(above height: Int) -> [PixelBox] {
        var rows: [PixelBox] = []
        let large = pieces().filter { $0.height > height && $0.width * 12 >= $0.height }
        for piece in large.sorted(by: { $0.x < $1.x }) {
            let row = rows.firstIndex { row in
                let sharedHeight = min(row.maxY, piece.maxY) - max(row.y, piece.y)
                return sharedHeight * 2 > min(row.height, piece.height)
                    && piece.x - row.maxX < 2 * max(row.height, piece.height)
            }
            if let row { rows[row] = rows[row].union(piece) } else { rows.append(piece) }
        }
        // Words are wider than high.
        return Array(rows.filter { $0.width > $0.height }.sorted { $0.y < $1.y }.prefix(2))
    }
}
