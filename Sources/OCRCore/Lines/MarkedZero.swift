import Recognition

/// One printed character or what touches it, as connected ink.
struct Glyph: Equatable {
    var box: PixelBox
    /// A zero with a slash or a dot inside. Engines read it as 8, 9 or @, but its shape leaves no doubt: the two holes
    /// beside a slash lie side by side for a part of their height, those of an 8 above each other.
    var isMarkedZero: Bool

    /// A comma or a point that blur made large: it begins below the middle of the highest.
    fileprivate func isLow(among others: [Glyph], capital: Int) -> Bool {
        let top = others.lazy.map(\.box.y).min() ?? 0
        return box.height * 4 < capital * 3 && (box.y - top) * 2 > capital
    }
}

extension PixelRows {
    /// The characters inside an area of a picture of ink (0 where there is ink), from left to right; points, commas and
    /// dashes are left out.
    func glyphs(in area: PixelBox, capital: Int) -> [Glyph] {
        let (left, top) = (max(0, area.x), max(0, area.y))
        let (right, bottom) = (min(width, area.maxX), min(height, area.maxY))
        guard left < right, top < bottom else { return [] }
        var parts = PixelParts(width: right - left, height: bottom - top) { self[left + $0, top + $1] == 0 }
        return parts.take(reach: .eight).filter { $0.box.height * 2 >= capital }.sorted { $0.box.x < $1.box.x }.map {
            part in
            let box = PixelBox(
                x: left + part.box.x, y: top + part.box.y, width: part.box.width, height: part.box.height)
            return Glyph(box: box, isMarkedZero: isMarkedZero(box, part.pixels, left, top, capital))
        }
    }

    private func isMarkedZero(_ box: PixelBox, _ pixels: [Int], _ left: Int, _ top: Int, _ capital: Int) -> Bool {
        guard box.height * 10 >= capital * 7, box.height * 2 <= capital * 3, box.width * 3 >= capital,
            box.width * 10 <= capital * 13
        else { return false }
        // One pixel around it belongs to the outside.
        let (width, height) = (box.width + 2, box.height + 2)
        var own = [Bool](repeating: false, count: width * height)
        let stride = PixelParts.stride
        for pixel in pixels {
            own[(pixel / stride + top - box.y + 1) * width + pixel % stride + left - box.x + 1] = true
        }
        var rest = PixelParts(width: width, height: height) { !own[$1 * width + $0] }
        let holes = rest.take(reach: .four).filter {
            $0.box.x > 0 && $0.box.y > 0 && $0.pixels.count * 60 >= capital * capital
        }
        if holes.count == 2 {
            let (upper, lower) = holes[0].middleY < holes[1].middleY ? (holes[0], holes[1]) : (holes[1], holes[0])
            let (small, large) = (
                min(upper.pixels.count, lower.pixels.count), max(upper.pixels.count, lower.pixels.count)
            )
            guard large * 2 <= small * 5 else { return false }
            let (shared, aside) = (upper.box.maxY - lower.box.y, lower.middleX - upper.middleX)
            // Between those of an 8 lies a stroke. Beside an upright stroke they lie at one height.
            return shared > 0 && aside * 10 >= box.width
                || shared * 5 >= box.height * 2 && abs(aside) * 5 >= box.width && box.width <= capital
        }
        guard holes.count == 1, holes[0].pixels.count * 4 >= box.width * box.height else { return false }
        let dot = holes[0].pixels.count { self[box.x + $0 % stride - 1, box.y + $0 / stride - 1] == 0 }
        return dot * 20 >= holes[0].pixels.count
    }
}

extension RecognizedWord {
    /// What engines make of a zero with a mark inside.
    private static let doubtful = Set("8@®©ØøOQ96BD12357".unicodeScalars)
    /// Print that is lower than half a capital.
    private static let low = Set(",.-–—:;'’‘\"“”„*+=~_«»°·•".unicodeScalars)

    /// The word with zeros where its glyphs are marked zeros; as it is when glyphs and characters do not go together.
    func withMarkedZeros(ink: PixelRows, capital: Int) -> RecognizedWord {
        var scalars = Array(text.unicodeScalars)
        guard scalars.contains(where: Self.doubtful.contains) else { return self }
        let margin = capital / 5
        let glyphs = ink.glyphs(
            in: PixelBox(
                x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin),
            capital: capital)
        let places = scalars.indices.filter { !Self.low.contains(scalars[$0]) }
        let high = glyphs.count == places.count ? glyphs : glyphs.filter { !$0.isLow(among: glyphs, capital: capital) }
        guard places.count == high.count else { return self }
        for (place, glyph) in zip(places, high) where glyph.isMarkedZero && Self.doubtful.contains(scalars[place]) {
            scalars[place] = "0"
        }
        var word = self
        word.text = String(String.UnicodeScalarView(scalars))
        return word
    }
}
