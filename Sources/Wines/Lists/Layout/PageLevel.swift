import Recognition

/// The slopes of the lines of a photographed page, which is curved: so that a price far to the right is found beside its name, all
/// words are moved as if the lines were level.
struct PageLevel {
    /// In order of the heights: the middle of a line in pixels, and how many thousandths it falls.
    private var slopes: [(y: Int, slope: Int)] = []
    private let middle: Int

    /// Lines above and below that say how a line falls.
    private static let neighbours = 4
    /// Slopes below this are not worth a correction, in thousandths.
    private static let least = 6
    /// Steeper lines are no lines.
    private static let most = 80

    init(_ lines: [[RecognizedWord]], width: Int) {
        middle = width / 2
        let fits = lines.compactMap(Self.fit).sorted { $0.y < $1.y }
        for index in fits.indices {
            let near = fits[max(0, index - Self.neighbours)...min(fits.count - 1, index + Self.neighbours)]
            let weight = near.reduce(0) { $0 + $1.weight }
            let slope = weight == 0 ? 0 : near.reduce(0) { $0 + $1.product } * 1000 / weight
            slopes.append((fits[index].y, max(-Self.most, min(Self.most, slope))))
        }
        if slopes.allSatisfy({ abs($0.slope) < Self.least }) { slopes = [] }
    }

    func levelled(_ words: [RecognizedWord]) -> [RecognizedWord] {
        slopes.isEmpty
            ? words
            : words.map { word in
                var word = word
                word.box.y -= fall(word.box)
                return word
            }
    }

    /// The entry with its boxes where they are on the page.
    func restored(_ entry: WineListEntry) -> WineListEntry {
        guard !slopes.isEmpty else { return entry }
        var entry = entry
        entry.box.y = max(0, entry.box.y + fall(entry.box))
        entry.textBox.y = max(0, entry.textBox.y + fall(entry.textBox))
        return entry
    }

    /// How much lower than in the middle of the page a line is at a box.
    private func fall(_ box: PixelBox) -> Int {
        let y = box.doubleMidY / 2
        var (low, high) = (0, slopes.count - 1)
        while low < high {
            let half = (low + high) / 2
            if slopes[half].y < y { low = half + 1 } else { high = half }
        }
        return slopes[low].slope * (box.x + box.width / 2 - middle) / 1000
    }

    /// Sums for a least-squares line through the feet of a line's words; nil where these are too close together.
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

    /// Whether the lowest ink of a word is on the baseline: letters without descenders, figures.
    private static func endsOnBaseline(_ word: RecognizedWord) -> Bool {
        word.confidence >= 60 && word.text.count > 1
            && word.text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic && !"gjpqyçQJ".unicodeScalars.contains($0) || ("0"..."9").contains($0)
            }
    }
}
