import Domain

/// What a few lines in a row may be.
enum Pattern: String, Sendable {
    /// Name and amount on one line.
    case item
    /// Its quantity on the line below, or above.
    case quantityBelow, quantityAbove
    /// A name whose amount is on the next line, with or without its quantity.
    case splitItem
    /// Name, quantity, amount: a line each.
    case threeRows
    /// A table of weights: name, head of the table, row.
    case weightTable
    /// A name and its quantity, whose amount was not read.
    case lostAmount
    case subtotal
    case count
    /// Words, rules, headings, numbers of articles.
    case text
    /// Something with figures that no pattern explains.
    case unexplained
}

/// One way to read the lines `start..<end`, with its cost; see `Costs`.
struct Hypothesis: Sendable {
    var pattern: Pattern
    var start: Int
    var end: Int
    /// Without that of the amount.
    var cost: Int
    /// What it adds to the sum: one entry a value. A hypothesis without an amount adds nothing.
    var amounts: [AmountReading] = []
    /// Line of the name, of the amount and of the quantity.
    var nameLine: Int?
    var priceLine: Int?
    var quantityLine: Int?
    var price: PriceCell?
    /// The quantity, where one belongs to it.
    var quantity: QuantityPhrase?
    /// Its line has something that belongs to a quantity and was not read.
    var lacksQuantity = false
    /// A variant of its line: with another division into quantity and amount.
    var line: ReadLine?

    var isItem: Bool { price != nil }
}
