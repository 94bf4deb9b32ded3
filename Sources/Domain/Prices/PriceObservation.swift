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

    /// Whether this observation replaces another one: its day is later, or the day is the same and its price is higher.
    /// The lower price of a day may be a manual markdown.
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
    /// Discounts reduce the item that they belong to. Lines with the same product in the same package size at the same
    /// regular price get the same paid price, because a discount such as `1 + 1 free` is printed below one line only.
    /// Deposits, coupons and rounding are ignored. Items without a positive total and quantity give no price.
    /// - Parameter sizes: the package sizes of each product.
    package static func observations(
        in lines: [ConfirmedLine], store: StoreID, chain: ChainID, day: LocalDate,
        sizes: [ProductID: [PackageSizePeriod]], source: PriceSource = .receipt
    ) -> [PriceObservation] {
        var discounts: [ReceiptLineID: [Money]] = [:]
        for line in lines where line.kind == .discount {
            if let item = line.belongsTo { discounts[item, default: []].append(line.total) }
        }
        let items = lines.compactMap { line -> (line: ConfirmedLine, purchase: Purchase)? in
            guard line.kind.isPriced, let product = line.product, line.total.minorUnits > 0,
                line.quantity.thousandths > 0, let regular = try? regularPrice(line)
            else { return nil }
            let size = line.size ?? sizes[product]?.size(on: day)
            return (line, Purchase(product: product, regular: regular, size: size))
        }
        var sums: [Purchase: PaidSum] = [:]
        for (line, purchase) in items { sums[purchase, default: PaidSum()].add(line, discounts[line.id] ?? []) }
        return items.compactMap { line, purchase in
            try? observation(
                line, purchase, paid: sums[purchase]?.price(purchase.regular) ?? purchase.regular,
                place: (store, chain), day: day, source: source)
        }
    }

    /// The lines of a receipt with one product in one package size at one regular price.
    private struct Purchase: Hashable {
        let product: ProductID
        let regular: UnitPrice
        let size: Quantity?
    }

    /// The cost of all lines of a purchase.
    private struct PaidSum {
        /// In minor units, after discounts.
        private var total = Int128(0)
        /// In thousandths of the unit.
        private var quantity = Int128(0)
        private var isReduced = false

        mutating func add(_ line: ConfirmedLine, _ discounts: [Money]) {
            total += Int128(line.total.minorUnits)
            quantity += Int128(line.quantity.thousandths)
            for discount in discounts { total += Int128(discount.minorUnits) }
            isReduced = isReduced || !discounts.isEmpty
        }

        /// The price paid for one unit. Ignores discounts that are larger than the items, because they belong to other
        /// items as well.
        func price(_ regular: UnitPrice) throws(NumberError) -> UnitPrice {
            guard isReduced, total >= 0 else { return regular }
            return UnitPrice(
                thousandthsOfMinor: try roundedQuotient(total * 1_000_000, quantity), currency: regular.currency,
                per: regular.unit)
        }
    }

    /// The printed unit price if it agrees with the total, else total / quantity.
    private static func regularPrice(_ line: ConfirmedLine) throws(NumberError) -> UnitPrice {
        let computed = try UnitPrice(line.total, for: line.quantity)
        guard let printed = line.unitPrice, printed.unit == line.quantity.unit,
            printed.currency == line.total.currency,
            let difference = try? printed.amount(for: line.quantity) - line.total, difference.minorUnits.magnitude <= 1
        else { return computed }
        return printed
    }

    private static func observation(
        _ line: ConfirmedLine, _ purchase: Purchase, paid: UnitPrice,
        place: (store: StoreID, chain: ChainID), day: LocalDate, source: PriceSource
    ) throws(NumberError) -> PriceObservation {
        PriceObservation(
            product: purchase.product, store: place.store, chain: place.chain, day: day, regular: purchase.regular,
            paid: paid, quantity: line.quantity, regularBase: try purchase.regular.basePrice(package: purchase.size),
            paidBase: try paid.basePrice(package: purchase.size), source: source, line: line.id)
    }
}
