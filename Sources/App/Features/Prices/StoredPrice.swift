import Domain
import Postgres

/// A price as stored in `price`, `store_price` or `product_price`.
struct StoredPrice: Sendable {
    let store: StoreID
    let chain: String
    let day: LocalDate
    let regular: UnitPrice
    let paid: UnitPrice
    let isOffer: Bool
    /// The regular price per base unit; nil when the package size is unknown.
    let base: UnitPrice?
    let receipt: ReceiptID?

    /// The columns that `ifAny` reads, of price `p` and its store `s`.
    static let columns: SQL = """
        p.store_id, s.chain, p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit, p.base_thousandths,
        p.base_unit, p.currency, p.receipt_id
        """

    /// Decodes the columns; nil when an outer join found no price.
    static func ifAny(from row: inout RowReader) throws(PostgresError) -> StoredPrice? {
        let store: StoreID? = try row.next()
        let chain: String? = try row.next()
        let day: LocalDate? = try row.next()
        let regular: Int64? = try row.next()
        let paid: Int64? = try row.next()
        let isOffer: Bool? = try row.next()
        let unit = StoredUnit(rawValue: try row.next() ?? "")
        let base: Int64? = try row.next()
        let baseUnit = StoredUnit(rawValue: try row.next() ?? "")
        let currency = Currency(rawValue: try row.next() ?? "")
        let receipt: ReceiptID? = try row.next()
        guard let store, let chain, let day, let regular, let paid, let isOffer, let unit, let currency else {
            return nil
        }
        func price(_ thousandths: Int64, _ unit: StoredUnit) -> UnitPrice {
            UnitPrice(thousandthsOfMinor: thousandths, currency: currency, per: unit.unit)
        }
        return StoredPrice(
            store: store, chain: chain, day: day, regular: price(regular, unit), paid: price(paid, unit),
            isOffer: isOffer, base: base.flatMap { base in baseUnit.map { price(base, $0) } }, receipt: receipt)
    }

    /// The paid price per base unit: the regular base price, multiplied by the paid price and divided by the regular
    /// price.
    var paidBase: UnitPrice? {
        guard let base, regular.thousandthsOfMinor > 0 else { return base }
        let divisor = Int128(regular.thousandthsOfMinor)
        let share = (2 * Int128(base.thousandthsOfMinor) * Int128(paid.thousandthsOfMinor) + divisor) / (2 * divisor)
        guard let thousandths = Int64(exactly: share) else { return base }
        return UnitPrice(thousandthsOfMinor: thousandths, currency: base.currency, per: base.unit)
    }

    /// The content of one piece, computed from price and base price; nil for weighed products.
    var packageSize: Quantity? {
        guard regular.unit == .piece, let base, base.unit != .piece, base.thousandthsOfMinor > 0 else { return nil }
        let divisor = Int128(base.thousandthsOfMinor)
        let amount = (2_000 * Int128(regular.thousandthsOfMinor) + divisor) / (2 * divisor)
        return Int64(exactly: amount).map { Quantity(thousandths: $0, unit: base.unit) }
    }

    /// The price as the domain compares it, for a quantity of one unit.
    func observation(of product: ProductID) -> PriceObservation {
        PriceObservation(
            product: product, store: store, chain: ChainID(naming: chain), day: day, regular: regular, paid: paid,
            quantity: Quantity(thousandths: 1_000, unit: regular.unit), regularBase: base, paidBase: paidBase,
            source: .receipt)
    }
}

extension StoredPrice {
    /// Whether the base price equals the price, as for products sold by weight.
    var repeatsBase: Bool { base.map { $0.unit == regular.unit && $0 == regular } ?? true }

    /// A text such as `13,16 €/kg`; nil when it equals the price.
    func shownBase(_ language: Language) -> String? {
        repeatsBase ? nil : base?.shownAsBase(language)
    }
}
