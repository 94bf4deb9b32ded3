import Recognition

/// A row of words of one page, with the data to compare it with rows of other pages.
struct PageRow: Sendable {
    let page: Int
    /// From left to right, not empty.
    var words: [RecognizedWord]
    /// Whether the words are from the text layer of a PDF.
    let isText: Bool
    /// The box around all words.
    let box: PixelBox
    /// Letters and digits in order, with similar characters unified; see `Skeleton`.
    let skeleton: ArraySlice<UInt8>
    /// The set of these characters; see `Skeleton.characterSet`.
    private let characterSet: UInt64
    /// The last amount of the row, in minor units.
    let amount: Int64?
    /// The place of the same row on another page.
    var twin: PagePlace?

    /// Maximum compared length of a row, in characters.
    private static let maximumLength = 60

    init(page: Int, words: [RecognizedWord], isText: Bool) {
        self.page = page
        self.words = words
        self.isText = isText
        box = words.box
        var characters: [UInt8] = []
        var text: [Unicode.Scalar] = []
        for word in words where characters.count < Self.maximumLength {
            // Currency signs are often lost.
            characters += Skeleton.of(word.text.unicodeScalars.prefix(Self.maximumLength).filter { $0 != "€" })
            text += word.text.unicodeScalars.prefix(Self.maximumLength) + [" "]
        }
        skeleton = characters.prefix(Self.maximumLength)
        characterSet = Skeleton.characterSet(of: skeleton)
        amount = FigureScanner.figures(in: text).last { $0.amount != nil }?.amount
    }

    var place: PagePlace { PagePlace(page: page, box: box) }

    /// The mean confidence, 0…100, weighted by the length of the words.
    var confidence: Int {
        let characters = words.reduce(0) { $0 + $1.text.unicodeScalars.count }
        return words.reduce(0) { $0 + $1.confidence * $1.text.unicodeScalars.count } / max(1, characters)
    }

    /// The weight of a match of this row, 0…130: 0 for ruled lines and dirt, most for a name with a price.
    var weight: Int {
        switch skeleton.count {
        case ..<4: 0
        case 4...7: 50
        case 8...15: 100
        default: 130
        }
    }

    /// The likeness of two rows, 0…100: less for each misread character, and 20 less for different amounts.
    func likeness(to other: PageRow) -> Int {
        let length = max(skeleton.count, other.skeleton.count)
        guard length > 0, min(skeleton.count, other.skeleton.count) * 3 >= length * 2 else { return 0 }
        let limit = length * 35 / 100
        // An edit step changes at most two bits: it adds one character and removes another.
        guard (characterSet ^ other.characterSet).nonzeroBitCount <= 2 * limit else { return 0 }
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
