import Recognition

/// A word of a list, or a part of one, and what it may be.
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
        /// Between prices.
        case separator
        /// Dots or a line from a name to its price.
        case leader
    }

    var text: String
    var box: PixelBox
    /// 0…100.
    var confidence: Int
    var kind: Kind

    /// Has two letters next to each other.
    var isWordy: Bool {
        guard kind == .word else { return false }
        var letters = 0
        for scalar in text.unicodeScalars {
            letters = scalar.properties.isAlphabetic ? letters + 1 : 0
            if letters == 2 { return true }
        }
        return false
    }

    var isPrice: Bool { if case .price = kind { true } else { false } }

    /// What may belong to prices: everything but words and vintages.
    var isPricing: Bool {
        switch kind {
        case .word, .year: false
        default: true
        }
    }
}
