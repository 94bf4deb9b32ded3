import Recognition

extension PageReader {
    /// The shop's name where it stands above the lines in letters that are too large for one of them; none where the
    /// engine is not sure of it, as with drawn logos.
    func headings(of page: PrintedPage) -> [RecognizedLine] {
        let picture = page.reading.picture
        let capital = Int(Float(page.capital) / page.factor)
        // They stand before the goods: what else is large is a sum or a drawing.
        let sixth = page.lines.dropFirst(5).first.map { Int(Float($0.doubleMiddle(at: $0.left) / 2) / page.factor) }
        let end = max(1, min(sixth ?? picture.height / 2, picture.height / 3))
        let top = picture.cropped(to: PixelBox(x: 0, y: 0, width: picture.width, height: end))
        // What is larger still is drawn.
        let large = top.letters(joined: 4, largest: capital * 10)?.headings(above: capital * 3) ?? []
        return large.compactMap { box in
            let margin = box.height / 4
            let place = picture.visible(
                PixelBox(
                    x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin
                ))
            let factor = ReadingPicture.wantedCapital / Float(box.height)
            let strip = picture.cropped(to: place).scaled(by: factor)
            let words = engine.words(on: strip, layout: .line).filter { $0.confidence >= 60 }
            let letters = words.reduce(0) { $0 + $1.text.unicodeScalars.count(where: \.properties.isAlphabetic) }
            guard letters >= 2, certainty(of: words) >= 75 else { return nil }
            return RecognizedLine(
                words: words.map { word in
                    var placed = word.scaled(by: 1 / factor, inside: picture)
                    placed.box.x = min(picture.width - placed.box.width, placed.box.x + place.x)
                    placed.box.y = min(picture.height - placed.box.height, placed.box.y + place.y)
                    return placed
                })
        }
    }
}

extension Raster {
    /// Where words stand in letters higher than `height`, on a black-and-white picture; at most two.
    func headings(above height: Int) -> [PixelBox] {
        var rows: [PixelBox] = []
        let large = pieces().filter { $0.height > height && $0.width * 12 >= $0.height }
        for piece in large.sorted(by: { $0.x < $1.x }) {
            let row = rows.firstIndex { row in
                let shared = min(row.maxY, piece.maxY) - max(row.y, piece.y)
                return shared * 2 > min(row.height, piece.height)
                    && piece.x - row.maxX < 2 * max(row.height, piece.height)
            }
            if let row { rows[row] = rows[row].union(piece) } else { rows.append(piece) }
        }
        // A word is wider than high.
        return Array(rows.filter { $0.width > $0.height }.sorted { $0.y < $1.y }.prefix(2))
    }
}
