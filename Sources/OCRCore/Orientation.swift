import Recognition

extension PageReader {
    /// The receipt upright: a strip of a few lines is read in the likeliest direction, and in the others only as long
    /// as it makes no sense. EXIF is no more than the first guess: cameras held over a table get it wrong.
    func upright(_ decoded: Raster) -> ReadingPicture {
        let picture = decoded.fitted(to: ReadingPicture.longSide)
        guard let letters = picture.fitted(to: 1_200).letters() else {
            return ReadingPicture(picture, quarters: 0, letters: picture)
        }
        let likely = letters.hasUprightLines() ? 1 : 0
        var best: (picture: ReadingPicture, certainty: Int)?
        for quarters in [likely, 1 - likely] {
            let ahead = ReadingPicture(picture, quarters: quarters, letters: letters)
            let strip = ahead.strip()
            let forward = sense(of: strip)
            if forward > best?.certainty ?? -1 { best = (ahead, forward) }
            if forward >= 75 { break }
            let backward = sense(of: strip.upsideDown())
            if backward > best?.certainty ?? -1 { best = (ahead.upsideDown(), backward) }
            if max(forward, backward) >= 65 { break }
        }
        return best?.picture ?? ReadingPicture(picture, quarters: 0, letters: letters)
    }

    /// Mean confidence of what is read, weighted by length; 0 when there is next to nothing.
    private func sense(of strip: ReadingPicture) -> Int {
        let words = readLines(of: strip, limit: 6, passes: [LinePass.all[0]]).flatMap(\.words)
        return words.reduce(0) { $0 + $1.text.count } < 12 ? 0 : certainty(of: words)
    }
}

extension ReadingPicture {
    /// Some lines with the most letters; bar codes and pictures have few pieces of a letter's size.
    fileprivate func strip() -> ReadingPicture {
        let unit = max(8, Int(capital ?? 24))
        var weights = [Int](repeating: 0, count: picture.height / unit + 1)
        for box in picture.letters()?.pieces() ?? []
        where box.height * 2 > unit && box.height < unit * 2 && box.width * 4 > box.height {
            weights[min(weights.count - 1, (box.y + box.height / 2) / unit)] += 1
        }
        let rows = min(12, weights.count)
        var best = (start: 0, sum: -1)
        for start in 0...(weights.count - rows) {
            let sum = weights[start..<(start + rows)].reduce(0, +)
            if sum > best.sum { best = (start, sum) }
        }
        return band(PixelBox(x: 0, y: best.start * unit, width: picture.width, height: rows * unit))
    }
}
