import Recognition

/// Levels the lines of a photographed page, which is often curved. Words are moved up or down, so that a price far to
/// the right is at the height of its name.
struct PageLevel {
    /// The lines from the top of the page. `y` is the mean y of the bottoms of a line's words, in pixels. `slope` is in
    /// thousandths, and positive if the line falls to the right.
    private var slopes: [(y: Int, slope: Int)] = []
    /// The x-coordinate of the middle of the page, in pixels.
    private let middle: Int

    /// The number of lines above and below whose slopes are averaged.
    private static let neighbours = 4
    /// If all slopes are smaller, the page counts as level. In thousandths.
    private static let minimumSlope = 6
    /// Steeper slopes are reduced to this one. In thousandths.
    private static let maximumSlope = 80

    init(_ lines: [[RecognizedWord]], width: Int) {
        middle = width / 2
        let fits = lines.compactMap(Self.fit).sorted { $0.y < $1.y }
        for index in fits.indices {
            let near = fits[max(0, index - Self.neighbours)...min(fits.count - 1, index + Self.neighbours)]
            let weight = near.reduce(0) { $0 + $1.weight }
            let slope = weight == 0 ? 0 : near.reduce(0) { $0 + $1.product } * 1000 / weight
            slopes.append((fits[index].y, max(-Self.maximumSlope, min(Self.maximumSlope, slope))))
        }
        if slopes.allSatisfy({ abs($0.slope) < Self.minimumSlope }) { slopes = [] }
    }

    /// Returns the words moved up or down so that their lines are level.
    func levelled(_ words: [RecognizedWord]) -> [RecognizedWord] {
        slopes.isEmpty
            ? words
            : words.map { word in
                var word = word
                word.box.y -= fall(word.box)
                return word
            }
    }

    /// Returns the entry with its boxes at their original positions.
    func withOriginalBoxes(_ entry: WineListEntry) -> WineListEntry {
        guard !slopes.isEmpty else { return entry }
        var entry = entry
        entry.box.y = max(0, entry.box.y + fall(entry.box))
        entry.textBox.y = max(0, entry.textBox.y + fall(entry.textBox))
        return entry
    }

    /// The number of pixels by which a line is lower at a box than in the middle of the page.
    private func fall(_ box: PixelBox) -> Int {
        let y = box.doubleMidY / 2
        var (low, high) = (0, slopes.count - 1)
        while low < high {
            let half = (low + high) / 2
            if slopes[half].y < y { low = half + 1 } else { high = half }
        }
        return slopes[low].slope * (box.x + box.width / 2 - middle) / 1000
    }

    /// The sums of a least-squares fit through the bottoms of a line's words, with x and y relative to their means:
    /// `product` is the sum of x·y, `weight` the sum of x², and `y` the mean y. Nil if the words are too close
    /// together.
    private static func fit(_ words: [RecognizedWord]) -> (y: Int, product: Int, weight: Int)? {
        let words = words.filter(endsOnBaseline)
        guard words.count >= 2, let first = words.first, let last = words.last,
            last.box.maxX - first.box.x > 6 * first.box.height
        else { return nil }
        let points = words.map { (x: $0.box.x + $0.box.width / 2, y: $0.box.maxY) }
        let (x, y) = (
            points.reduce(0) { $0 + $1.x } / points.count, points.reduce(0) { $0 + $1.y } / points.count
        )
        guard points.allSatisfy({ abs($0.y - y) <= 2 * first.box.height }) else { return nil }
        return (
            y, points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }, points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        )
    }

    /// Whether the bottom of a word is its baseline: it has only digits and letters without descenders.
    private static func endsOnBaseline(_ word: RecognizedWord) -> Bool {
        word.confidence >= 60 && word.text.count > 1
            && word.text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic && !"gjpqyçQJ".unicodeScalars.contains($0) || ("0"..."9").contains($0)
            }
    }
}
