import Domain

/// The quantity of an item during parsing.
struct DraftQuantity: Sendable {
    /// Where it is printed: on the line of the name, or on a line of its own.
    enum Origin: Sendable { case inline, ownLine }
    var phrase: QuantityPhrase
    var place: Place
    var unitPricePlace: Place?
    /// The place of the whole line, if the quantity has its own line.
    var linePlace: Place?
    /// The place of the whole phrase, if it is on the line of the name.
    var phrasePlace: Place?
    var origin: Origin
    /// Whether the quantity may belong to another item, or the figures may mean something else.
    var isAmbiguous = false
    /// Whether the unit price was computed from the total, not read.
    var isDerived = false
    /// Whether a second reading gave the same result.
    var isConfirmed = false
    /// The repair, if the value differs from the print.
    var repair: Repair?
    /// The phrase before the repair; nil if it was not repaired.
    var read: QuantityPhrase?

    /// Removes a speck read as a third decimal of the price of a piece: `2 x 3,991` with the amount 7,98.
    mutating func dropSpeck(amount: Int64) {
        guard phrase.unit == .piece, phrase.quantity.isMultiple(of: 1_000), let price = phrase.unitPrice,
            case let whole = price / 1_000 * 1_000, whole != price, whole != 0,
            QuantityPhrase.product(quantity: phrase.quantity, unitPrice: whole)?.magnitude == amount.magnitude
        else { return }
        phrase.unitPrice = whole
    }
}
