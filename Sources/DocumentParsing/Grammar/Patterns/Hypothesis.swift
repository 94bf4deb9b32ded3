import Domain

/// The patterns that consecutive lines can form.
enum Pattern: Sendable {
    /// Name and amount on one line.
    case item
    /// An item with its quantity on the line below, or above.
    case quantityBelow, quantityAbove
    /// A name with its amount on the next line, with or without a quantity.
    case splitItem
    /// Name, quantity and amount on one line each.
    case threeRows
    /// A table of weights: name, head of the table, row.
    case weightTable
    /// A name with a quantity; the amount was not read.
    case lostAmount
    case subtotal
    case count
    /// Words, ruled lines, headings, article numbers.
    case text
    /// Lines with figures that no pattern explains.
    case unexplained
}

/// One way to read the lines `start..<end`, with its cost; see `Costs`.
struct Hypothesis: Sendable {
    var pattern: Pattern
    var start: Int
    var end: Int
    /// The cost of this reading without the cost of its amount.
    var cost: Int
    /// Possible values of the amount, one entry per value. Empty if the lines have no amount.
    var amounts: [AmountReading] = []
    /// Indices of the lines with the name, the amount and the quantity.
    var nameLine: Int?
    var priceLine: Int?
    var quantityLine: Int?
    var price: PriceCell?
    var quantity: QuantityPhrase?
    /// Whether the line contains a quantity that was not understood.
    var hasUnreadQuantity = false
    /// The line as this hypothesis divides it into quantity and amount.
    var line: ReadLine?

    var isItem: Bool { price != nil }

    /// Returns the hypothesis with a quantity. Adds quantity × unit price to its amounts, lowers the cost of amounts
    /// that equal the product, and raises the cost of all others.
    func with(_ quantity: QuantityPhrase, at index: Int) -> Hypothesis {
        var copy = self
        copy.quantity = quantity
        copy.quantityLine = index
        guard let product = quantity.product, product != 0 else {
            // A weight without a unit price is not evidence.
            return copy
        }
        func holds(_ value: Int64) -> Bool { quantity.makes(value) }
        let isNegative = amounts.first.map { $0.value < 0 } ?? false
        let read = amounts.first?.value
        // One misread digit or comma of the quantity explains the amount that was read.
        let isMisread = read.map { QuantityRepair.repaired(quantity, total: $0, isDeposit: false) != nil } ?? false
        if !copy.amounts.contains(where: { holds($0.value) }) {
            let value = isNegative ? -Int64(product.magnitude) : Int64(product.magnitude)
            copy.amounts.append(AmountReading(value: value, cost: Costs.product - Costs.productHolds, source: .product))
        }
        copy.amounts = copy.amounts.map { reading in
            var reading = reading
            reading.cost += holds(reading.value) ? Costs.productHolds : Costs.productFails
            if reading.value == read, isMisread { reading.cost += Costs.misreadQuantity }
            return reading
        }
        return copy
    }
}
