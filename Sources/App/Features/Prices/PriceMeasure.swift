import Domain

/// By what prices of one product are shown, compared and ranked.
enum PriceMeasure {
    /// What one costs.
    case price
    /// What a litre, a kilogram or a piece of it costs: the packages are of several sizes, or it is sold by weight too.
    case basePrice

    /// By base price where all have one of the same unit, and there is more than one size among them.
    init(_ prices: some Sequence<StoredPrice>) {
        var first: StoredPrice?
        var hasOtherSizes = false
        self = .price
        for price in prices {
            guard let first else {
                first = price
                continue
            }
            guard let base = first.base, let other = price.base, base.isComparable(to: other) else { return }
            hasOtherSizes =
                hasOtherSizes || !first.regular.isComparable(to: price.regular)
                || UnitPrice.areOfOtherPackages((first.regular, base), (price.regular, other))
        }
        if hasOtherSizes { self = .basePrice }
    }

    func regular(_ price: StoredPrice) -> UnitPrice {
        self == .basePrice ? price.base ?? price.regular : price.regular
    }

    func paid(_ price: StoredPrice) -> UnitPrice { self == .basePrice ? price.paidBase ?? price.paid : price.paid }

    func text(_ price: UnitPrice, _ language: Language) -> String {
        self == .basePrice ? price.shownAsBase(language) : price.shown(language)
    }
}
