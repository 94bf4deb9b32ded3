import Recognition

/// Connected ink: one printed character, or several that touch.
struct Glyph: Equatable {
    var box: PixelBox
    /// Whether the glyph is a zero with a slash or a dot inside. Engines read it as 8, 9 or @, but its shape is
    /// unambiguous: the two holes beside a slash overlap in height. The holes of an 8 do not.
    var isMarkedZero: Bool

    /// Whether the glyph is a comma or a point that blur has enlarged: it begins more than half a capital below the top
    /// of the highest glyph.
    fileprivate func isLow(among others: [Glyph], capital: Int) -> Bool {
        let top = others.lazy.map(\.box.y).min() ?? 0
        return box.height * 4 < capital * 3 && (box.y - top) * 2 > capital
    }
}

extension PixelRows {
    /// The characters within an area of a picture of ink (0 means ink), from left to right, without points, commas and
    /// dashes.
    ///
    /// - Parameters:
    ///   - capital: the height of capital letters in pixels.
    ///   - isThickened: whether to thicken the ink by one pixel on every side, for thin print with broken strokes.
    func glyphs(in area: PixelBox, capital: Int, isThickened: Bool = false) -> [Glyph] {
        let (left, top) = (max(0, area.x), max(0, area.y))
        let (right, bottom) = (min(width, area.maxX), min(height, area.maxY))
        guard left < right, top < bottom else { return [] }
        func isInk(_ x: Int, _ y: Int) -> Bool { self[left + x, top + y] == 0 }
        let (width, height) = (right - left, bottom - top)
        var parts = PixelParts(width: width, height: height) { x, y in
            isInk(x, y)
                || isThickened
                    && (x > 0 && isInk(x - 1, y) || x + 1 < width && isInk(x + 1, y) || y > 0 && isInk(x, y - 1)
                        || y + 1 < height && isInk(x, y + 1))
        }
        let characters = parts.removeParts(connectivity: .eight).filter { $0.box.height * 2 >= capital }
        return characters.sorted { $0.box.x < $1.box.x }.map { part in
            let box = PixelBox(
                x: left + part.box.x, y: top + part.box.y, width: part.box.width, height: part.box.height)
            return Glyph(box: box, isMarkedZero: isMarkedZero(box, part.pixels, left, top, capital))
        }
    }

    private func isMarkedZero(_ box: PixelBox, _ pixels: [Int], _ left: Int, _ top: Int, _ capital: Int) -> Bool {
        guard box.height * 10 >= capital * 7, box.height * 2 <= capital * 3, box.width * 3 >= capital,
            box.width * 10 <= capital * 13
        else { return false }
        // A margin of two pixels, so that the outside stays connected if the ink is thickened.
        let (width, height) = (box.width + 4, box.height + 4)
        var ownPixels = [Bool](repeating: false, count: width * height)
        let stride = PixelParts.stride
        for pixel in pixels {
            ownPixels[(pixel / stride + top - box.y + 2) * width + pixel % stride + left - box.x + 2] = true
        }
        func findHoles(in ink: [Bool]) -> [PixelParts.Part] {
            var paperParts = PixelParts(width: width, height: height) { !ink[$1 * width + $0] }
            return paperParts.removeParts(connectivity: .four).filter {
                $0.box.x > 0 && $0.box.y > 0 && $0.pixels.count * 60 >= capital * capital
            }
        }
        let holes = findHoles(in: ownPixels)
        if holes.count < 2, areSeparatedBySlash(findHoles(in: ownPixels.thickened(width: width)), height: box.height) {
            return true
        }
        if holes.count == 2 {
            if areSeparatedBySlash(holes, height: box.height) { return true }
            let (upper, lower) = holes[0].middleY < holes[1].middleY ? (holes[0], holes[1]) : (holes[1], holes[0])
            let (small, large) = (
                min(upper.pixels.count, lower.pixels.count), max(upper.pixels.count, lower.pixels.count)
            )
            guard large * 2 <= small * 5 else { return false }
            let (sharedHeight, shiftX) = (upper.box.maxY - lower.box.y, lower.middleX - upper.middleX)
            // The holes of an 8 are separated by a horizontal stroke, so they do not overlap in height.
            return sharedHeight > 0 && shiftX * 10 >= box.width
                || sharedHeight * 5 >= box.height * 2 && abs(shiftX) * 5 >= box.width && box.width <= capital
        }
        guard holes.count == 1, holes[0].pixels.count * 4 >= box.width * box.height else { return false }
        let dotPixels = holes[0].pixels.count { self[box.x + $0 % stride - 2, box.y + $0 / stride - 2] == 0 }
        return dotPixels * 20 >= holes[0].pixels.count
    }
}

/// Whether a stroke that rises from left to right separates two holes. Then the lower edge of the upper hole and the
/// upper edge of the lower hole rise from left to right. In an 8, both edges are level. In a 6 or a 9 with a closed
/// arm, both edges fall.
private func areSeparatedBySlash(_ holes: [PixelParts.Part], height: Int) -> Bool {
    guard holes.count == 2 else { return false }
    let (upper, lower) = holes[0].middleY < holes[1].middleY ? (holes[0], holes[1]) : (holes[1], holes[0])
    guard let down = upper.lean(\.last), let up = lower.lean(\.first) else { return false }
    return down * 100 >= Double(9 * height) && up * 100 >= Double(9 * height)
}

/// The first and the last row of a part in one of its columns.
private struct Span {
    var first: Int
    var last: Int
}

extension PixelParts.Part {
    /// The mean first row or last row of the columns in the left half of the part, minus the same mean of the right
    /// half, in pixels. Positive if the left half is lower. Nil if a half has no column.
    ///
    /// - Parameter end: selects the first or the last row of a column.
    fileprivate func lean(_ end: KeyPath<Span, Int>) -> Double? {
        var columns: [Int: Span] = [:]
        for pixel in pixels {
            let (x, y) = (pixel % PixelParts.stride, pixel / PixelParts.stride)
            let span = columns[x] ?? Span(first: y, last: y)
            columns[x] = Span(first: min(span.first, y), last: max(span.last, y))
        }
        let middle = Double(box.x) + Double(box.width - 1) / 2
        let left = columns.filter { Double($0.key) < middle }.map(\.value)
        let right = columns.filter { Double($0.key) > middle }.map(\.value)
        guard !left.isEmpty, !right.isEmpty else { return nil }
        func mean(_ values: [Span]) -> Double {
            Double(values.reduce(0) { $0 + $1[keyPath: end] }) / Double(values.count)
        }
        return mean(left) - mean(right)
    }
}

extension [Bool] {
    /// The ink thickened by one pixel on each side, which closes gaps in round strokes.
    fileprivate func thickened(width: Int) -> [Bool] {
        indices.map { index in
            self[index] || (index > 0 && self[index - 1]) || (index + 1 < count && self[index + 1])
                || (index >= width && self[index - width]) || (index + width < count && self[index + width])
        }
    }
}

extension RecognizedWord {
    /// The characters that may be a misread zero with a mark inside.
    private static let doubtfulCharacters = Set("8@®©ØøOQ96BD12357".unicodeScalars)
    /// Characters lower than half a capital.
    private static let lowCharacters = Set(",.-–—:;'’‘\"“”„*+=~_«»°·•".unicodeScalars)

    /// The word with a zero for each glyph that is a marked zero. Unchanged if it has more or fewer glyphs than
    /// characters.
    func withMarkedZeros(ink: PixelRows, capital: Int) -> RecognizedWord {
        var scalars = Array(text.unicodeScalars)
        guard scalars.contains(where: Self.doubtfulCharacters.contains) else { return self }
        let margin = capital / 5
        let area = PixelBox(
            x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin)
        let places = scalars.indices.filter { !Self.lowCharacters.contains(scalars[$0]) }
        func found(isThickened: Bool) -> [Glyph]? {
            let glyphs = ink.glyphs(in: area, capital: capital, isThickened: isThickened)
            let high =
                glyphs.count == places.count ? glyphs : glyphs.filter { !$0.isLow(among: glyphs, capital: capital) }
            return high.count == places.count ? high : nil
        }
        guard let high = found(isThickened: false) ?? found(isThickened: true) else { return self }
        for (place, glyph) in zip(places, high)
        where glyph.isMarkedZero && Self.doubtfulCharacters.contains(scalars[place]) {
            scalars[place] = "0"
        }
        var word = self
        word.text = String(String.UnicodeScalarView(scalars))
        return word
    }
}
