import Domain
import Templates

/// The model of the partial `parts/change`: the absolute percentage, the direction, and the date of the earlier price.
struct Change: PageModel {
    /// In tenths of a percent.
    let permille: Int
    let language: Language
    /// The date of the earlier price; nil when the page shows it elsewhere.
    var since: String?

    static let fields = Fields<Self> { f in
        f.text("percent") { change in
            let figure = PriceChange.formatted(permille: abs(change.permille), change.language)
            return String(figure.filter { $0.isNumber || $0 == "," || $0 == "." })
        }
        f.flag("isRise") { $0.permille > 0 }
        f.flag("isFall") { $0.permille < 0 }
        f.flag("isSame") { $0.permille == 0 }
        f.flag("hasSince") { $0.since != nil }
        f.text("since") { $0.since ?? "" }
    }

    /// The change of a product's price. Uses base prices when the package changed. Nil if the prices are not
    /// comparable.
    ///
    /// - Parameter since: the date of the earlier price, unless the page shows it elsewhere.
    init?(
        from earlier: StoredPrice, to later: StoredPrice, of product: ProductID, _ language: Language,
        since: String? = nil
    ) {
        guard
            let change = PriceChange(
                from: earlier.observation(of: product), to: later.observation(of: product))
        else { return nil }
        self.init(change, language)
        self.since = since
    }

    init(_ change: PriceChange, _ language: Language) {
        permille = change.shownPermille
        self.language = language
    }

    init(permille: Int, language: Language, since: String? = nil) {
        self.permille = permille
        self.language = language
        self.since = since
    }
}
