/// The price of one product in one store on one day.
package struct PriceObservation: Hashable, Sendable {
    package let product: ProductID
    package let store: StoreID
    package let chain: ChainID
    package let day: LocalDate
    /// The price before discounts, per unit of `quantity`: per piece, or per kg for weighed items.
    package let regular: UnitPrice
    /// The price after the discounts that belong to the item; equal to `regular` if there are none.
    package let paid: UnitPrice
    /// The weight of this price in averages.
    package let quantity: Quantity
    /// `regular` and `paid` per kg, l, m, piece or wash load; nil for a stored price that has none.
    package let regularBase: UnitPrice?
    package let paidBase: UnitPrice?
    package let source: PriceSource
    /// Nil for prices that are not from a receipt.
    package let line: ReceiptLineID?

    /// Whether this observation replaces another one: it is of a later day, or it is of the same day and has the higher
    /// price. The lower price of a day may be a manual markdown.
    package func isNewer(than other: PriceObservation) -> Bool {
        (day, regular.thousandthsOfMinor) > (other.day, other.regular.thousandthsOfMinor)
    }

    package var isOffer: Bool { paid.thousandthsOfMinor < regular.thousandthsOfMinor }

    package init(
        product: ProductID, store: StoreID, chain: ChainID, day: LocalDate, regular: UnitPrice, paid: UnitPrice,
        quantity: Quantity, regularBase: UnitPrice?, paidBase: UnitPrice?, source: PriceSource,
        line: ReceiptLineID? = nil
    ) {
        self.product = product
        self.store = store
        self.chain = chain
        self.day = day
        self.regular = regular
        self.paid = paid
        self.quantity = quantity
        self.regularBase = regularBase
        self.paidBase = paidBase
        self.source = source
        self.line = line
    }
}

extension PriceObservation {
    /// The prices of a confirmed receipt, one for each item that is matched to a product.
    ///
    /// Discounts reduce the item that they belong to. Deposits, coupons and rounding are ignored. Items without a
    /// positive total and quantity give no price.
    /// - Parameter sizes: the package sizes of each product.
    package static func observations(
        in lines: [ConfirmedLine], store: StoreID, chain: ChainID, day: LocalDate,
        sizes: [ProductID: [PackageSizePeriod]], source: PriceSource = .receipt
    ) -> [PriceObservation] {
        var discounts: [ReceiptLineID: [Money]] = [:]
        for line in lines where line.kind == .discount {
            if let item = line.belongsTo { discounts[item, default: []].append(line.total) }
        }
        return lines.compactMap { line in
            guard line.kind.isPriced, let product = line.product, line.total.minorUnits > 0,
                line.quantity.thousandths > 0
            else { return nil }
            return try? observation(
                line, of: product, reducedBy: discounts[line.id] ?? [], size: sizes[product]?.size(on: day),
                place: (store, chain), day: day, source: source)
        }
    }

    private static func observation(
        _ line: ConfirmedLine, of product: ProductID, reducedBy discounts: [Money], size: Quantity?,
        place: (store: StoreID, chain: ChainID), day: LocalDate, source: PriceSource
    ) throws(NumberError) -> PriceObservation {
        let computed = try UnitPrice(line.total, for: line.quantity)
        var regular = computed
        if let printed = line.unitPrice, printed.unit == line.quantity.unit, printed.currency == line.total.currency,
            let difference = try? printed.amount(for: line.quantity) - line.total, difference.minorUnits.magnitude <= 1
        {
            regular = printed
        }
        let paidTotal = try line.total + Money.sum(of: discounts, currency: line.total.currency)
        // Discounts larger than the item belong to other items as well, so they are ignored.
        let isReduced = !discounts.isEmpty && paidTotal.minorUnits >= 0
        let paid = isReduced ? try UnitPrice(paidTotal, for: line.quantity) : regular
        return PriceObservation(
            product: product, store: place.store, chain: place.chain, day: day, regular: regular, paid: paid,
            quantity: line.quantity, regularBase: try regular.basePrice(package: size),
            paidBase: try paid.basePrice(package: size), source: source, line: line.id)
    }
}
