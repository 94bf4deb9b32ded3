import Domain

/// Whether a product's prices are shown, compared and ranked by unit price or by base price.
enum PriceMeasure {
    /// The price of one piece or unit.
    case price
    /// The price per litre, kilogram or piece, for products that have several package sizes or are also sold by weight.
    case basePrice

    /// Chooses the base price if all prices have a base price per the same unit, and the package sizes or the units of
    /// sale differ.
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
                || UnitPrice.haveDifferentPackageSizes((first.regular, base), (price.regular, other))
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
