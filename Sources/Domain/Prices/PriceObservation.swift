/// Where a price is known from; the raw value is the stored one.
package enum PriceSource: String, Sendable, CaseIterable, Codable {
    /// Read off a picture or a document, and confirmed.
    case receipt
    /// Typed in by a person.
    case manual
    /// Taken over from a table.
    case `import`
}

/// What one product cost in one store on one day.
package struct PriceObservation: Hashable, Sendable {
    /// Of one chain; what other chains sell is another product.
    package let product: ProductID
    /// Prices differ from shop to shop of one chain too.
    package let store: StoreID
    /// The store's.
    package let chain: ChainID
    /// The day of the purchase, or the one a person named.
    package let day: LocalDate
    /// Before discounts, per unit of `quantity`: per piece, or per kg for weighed goods.
    package let regular: UnitPrice
    /// After the discounts bound to the item; equal to `regular` without any.
    package let paid: UnitPrice
    /// What was bought: weighs the price where several are added up.
    package let quantity: Quantity
    /// `regular` per kg, l, m, piece or wash load; nothing when the package size is unknown and the good is no piece.
    package let regularBase: UnitPrice?
    /// `paid` per kg, l, m, piece or wash load; nothing where `regularBase` is nothing.
    package let paidBase: UnitPrice?
    /// Who says so.
    package let source: PriceSource
    /// The receipt's line; nothing for prices that came another way.
    package let line: ReceiptLineID?

    /// Which of two tells what is asked today: the later one; of one day's the dearer one, since what was marked down by
    /// hand beside it is no price of the shelf.
    package func isNewer(than other: PriceObservation) -> Bool {
        (day, regular.thousandthsOfMinor) > (other.day, other.regular.thousandthsOfMinor)
    }

    /// Less than the regular price was paid.
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

/// A line of a confirmed receipt as far as prices go.
package struct ConfirmedLine: Sendable {
    /// The stored line's.
    package let id: ReceiptLineID
    /// Items alone tell prices; discounts change theirs.
    package let kind: LineKind
    /// Nothing while the line is bound to none: it then tells no price.
    package let product: ProductID?
    /// Pieces, or what was weighed.
    package let quantity: Quantity
    /// As printed; used when it explains the total to ± 1 minor unit, else total / quantity.
    package let unitPrice: UnitPrice?
    /// As printed, negative for discounts.
    package let total: Money
    /// The item that a discount reduces.
    package let belongsTo: ReceiptLineID?

    package init(
        id: ReceiptLineID, kind: LineKind, product: ProductID?, quantity: Quantity, unitPrice: UnitPrice?,
        total: Money, belongsTo: ReceiptLineID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.product = product
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.total = total
        self.belongsTo = belongsTo
    }
}

extension PriceObservation {
    /// The prices that a confirmed receipt tells: one for each item that is bound to a product.
    ///
    /// Discounts count for the item they are bound to; deposits, coupons and rounding never enter. Lines that were
    /// cancelled, given away or cannot be divided tell no price and are left out.
    /// - Parameter sizes: the package sizes of each product with their days.
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
            let explained = try? printed.amount(for: line.quantity) - line.total, explained.minorUnits.magnitude <= 1
        {
            regular = printed
        }
        let paidTotal = try line.total + Money.sum(of: discounts, currency: line.total.currency)
        // Discounts beyond the item are those of other goods too: they tell nothing of this one.
        let isReduced = !discounts.isEmpty && paidTotal.minorUnits >= 0
        let paid = isReduced ? try UnitPrice(paidTotal, for: line.quantity) : regular
        return PriceObservation(
            product: product, store: place.store, chain: place.chain, day: day, regular: regular, paid: paid,
            quantity: line.quantity, regularBase: try regular.basePrice(package: size),
            paidBase: try paid.basePrice(package: size), source: source, line: line.id)
    }
}

extension UnitPrice {
    /// The price per base unit: of a piece by what its package holds, of anything else by its own unit.
    ///
    /// Without a package size a piece is its own base.
    ///
    /// - Throws: `divisionByZero` for a size of zero, `outOfRange` when the result does not fit.
    package func basePrice(package size: Quantity?) throws(NumberError) -> UnitPrice {
        guard unit == .piece, let size else {
            return try scaled(by: unit.perBase, over: 1, per: unit.base)
        }
        return try scaled(by: 1_000 * size.unit.perBase, over: size.thousandths, per: size.unit.base)
    }

    private func scaled(
        by factor: Int64, over divisor: Int64, per unit: MeasureUnit
    ) throws(NumberError) -> UnitPrice {
        let value = try roundedQuotient(Int128(thousandthsOfMinor) * Int128(factor), Int128(divisor))
        return UnitPrice(thousandthsOfMinor: value, currency: currency, per: unit)
    }
}
