import Domain

/// The patterns that consecutive lines can form.
enum Pattern: String, Sendable {
    /// Name and amount on one line.
    case item
    /// An item with its quantity on the line below, or above.
    case quantityBelow, quantityAbove
    /// A name whose amount is on the next line, with or without its quantity.
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
}
