import Recognition

/// A word of a list, or a part of a word, and its probable kind.
struct ListToken: Equatable {
    enum Kind: Equatable {
        case word
        case price(PrintedPrice)
        case year(WineVintage)
        /// In millilitres.
        case size(Int)
        case serving(WineListPrice.Serving)
        /// ISO 4217.
        case currency(String)
        /// A dash or `n/a` in the place of a price.
        case none
        /// A slash or another sign between prices.
        case separator
        /// Dots or a line from a name to its price.
        case leader
    }

    var text: String
    var box: PixelBox
    /// 0…100.
    var confidence: Int
    var kind: Kind

    /// Whether the text has two successive letters.
    var hasLetterPair: Bool {
        guard kind == .word else { return false }
        var letters = 0
        for scalar in text.unicodeScalars {
            letters = scalar.properties.isAlphabetic ? letters + 1 : 0
            if letters == 2 { return true }
        }
        return false
    }

    var isPrice: Bool { if case .price = kind { true } else { false } }

    /// In millilitres; nil for tokens of other kinds.
    var size: Int? { if case .size(let size) = kind { size } else { nil } }

    var isYear: Bool { if case .year = kind { true } else { false } }

    var isMagnum: Bool { kind == .serving(.magnum) }

    /// Whether the token is a half bottle in two words, such as `1/2 Fl.`. A single word such as `Demi` may be a name.
    var isHalfBottle: Bool { kind == .serving(.half) && text.contains { " ½/".contains($0) } }

    var isCurrency: Bool { if case .currency = kind { true } else { false } }

    /// Whether the token states the size or the serving of a price.
    var statesSizeOrServing: Bool {
        switch kind {
        case .size, .serving: true
        default: false
        }
    }

    /// Whether the token may belong to prices: it is neither a word nor a vintage.
    var mayBelongToPrice: Bool {
        switch kind {
        case .word, .year: false
        default: true
        }
    }
}

extension [ListToken] {
    /// The texts of the tokens, separated by blanks.
    var joinedText: String { map(\.text).joined(separator: " ") }
}
