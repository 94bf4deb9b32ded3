import Recognition

/// A row of words of one page, with what it is compared by when another page may show it too.
struct PageRow: Sendable {
    let page: Int
    /// From left to right, not empty.
    var words: [RecognizedWord]
    let isText: Bool
    /// Around all words.
    let box: PixelBox
    /// Letters and digits in their order, look-alikes made one; see `Skeleton`.
    let skeleton: ArraySlice<UInt8>
    /// Which of them occur, see `Skeleton.signs`.
    private let signs: UInt64
    /// The amount it ends with, in minor units.
    let amount: Int64?
    /// Where another page shows the same row.
    var twin: PagePlace?

    /// Longest row that is compared, in signs.
    private static let longest = 60

    init(page: Int, words: [RecognizedWord], isText: Bool) {
        self.page = page
        self.words = words
        self.isText = isText
        box = words.dropFirst().reduce(words.first?.box ?? PixelBox(x: 0, y: 0, width: 0, height: 0)) {
            $0.union($1.box)
        }
        var signs: [UInt8] = []
        var text: [Unicode.Scalar] = []
        for word in words where signs.count < Self.longest {
            // The sign of the currency is often lost.
            signs += Skeleton.of(word.text.unicodeScalars.prefix(Self.longest).filter { $0 != "€" })
            text += word.text.unicodeScalars.prefix(Self.longest) + [" "]
        }
        skeleton = signs.prefix(Self.longest)
        self.signs = Skeleton.signs(of: skeleton)
        amount = FigureScanner.figures(in: text).last { $0.amount != nil }?.amount
    }

    var place: PagePlace { PagePlace(page: page, box: box) }

    /// The engine's certainty, 0…100, each word as much as it has signs.
    var confidence: Int {
        let signs = words.reduce(0) { $0 + $1.text.unicodeScalars.count }
        return words.reduce(0) { $0 + $1.confidence * $1.text.unicodeScalars.count } / max(1, signs)
    }

    /// How much it says that a row like this stands on both pages, 0…130: nothing for rules and dirt, much for a name
    /// with a price.
    var weight: Int {
        switch skeleton.count {
        case ..<4: 0
        case 4...7: 50
        case 8...15: 100
        default: 130
        }
    }

    /// How alike two rows are, 0…100; poor print takes little away, another amount much.
    func likeness(to other: PageRow) -> Int {
        let length = max(skeleton.count, other.skeleton.count)
        guard length > 0, min(skeleton.count, other.skeleton.count) * 3 >= length * 2 else { return 0 }
        let limit = length * 35 / 100
        // A step brings at most one sign and takes another away.
        guard (signs ^ other.signs).nonzeroBitCount <= 2 * limit else { return 0 }
        let steps = Skeleton.distance(skeleton, other.skeleton, limit: limit)
        guard steps <= limit else { return 0 }
        let isOther = amount != nil && other.amount != nil && amount != other.amount
        return max(0, 100 - 100 * steps / length - (isOther ? 20 : 0))
    }
}

/// A place on one of several pages, in pixels of its reading picture.
struct PagePlace: Sendable, Equatable {
    let page: Int
    let box: PixelBox
}
