import Domain
import Recognition

/// A line item while it is being understood. Amounts are minor units.
struct DraftItem: Sendable {
    var name: String
    var namePlace: Place
    var articleNumber: String?
    /// Indices into the read lines that this item explains.
    var lines: [Int]
    var price: PriceCell
    var pricePlace: Place
    var kind: LineKind = .item
    /// The key word that decides the kind was not read letter by letter, or the print leaves it open.
    var isKindDoubtful = false
    var quantity: DraftQuantity?
    /// The amount after repair.
    var value: Int64?
    var repair: Repair?
    /// Something else than the sum says that the repaired value is right.
    var isRepairConfirmed = false
    var vat: String?
    var isVoid = false
    /// What it takes back stands above it, to the cent.
    var isVoidSettled = false
    /// Figures of a weight or a count stand there that were not read.
    var lacksWeight = false
    /// The amount that the search chose, which makes the sum with those of the other items.
    var searched: AmountReading?
    /// Another reading of the whole receipt, hardly less likely, has another amount here.
    var isSearchDoubtful = false
}

struct DraftQuantity: Sendable {
    enum Origin: Sendable { case inline, ownLine }
    var phrase: QuantityPhrase
    var place: Place
    var unitPricePlace: Place?
    /// The line it stands on, when that is its own.
    var linePlace: Place?
    /// The whole phrase, when it stands beside the name.
    var phrasePlace: Place?
    var origin: Origin
    /// Two items could own it.
    var isAmbiguous = false
    /// The unit price was computed from the total, not read.
    var isDerived = false
    /// Read a second time with the same result.
    var isConfirmed = false
    /// Why it differs from the print.
    var repair: Repair?
    /// The phrase as it was read first, when it was repaired.
    var read: QuantityPhrase?

    /// Whole pieces cost whole cents: of `2 x 3,991` before 7,98 the last digit is a speck where the others alone give
    /// the amount.
    mutating func dropSpeck(amount: Int64) {
        guard phrase.unit == .piece, phrase.quantity.isMultiple(of: 1_000), let price = phrase.unitPrice,
            case let whole = price / 1_000 * 1_000, whole != price, whole != 0,
            QuantityPhrase.product(quantity: phrase.quantity, unitPrice: whole)?.magnitude == amount.magnitude
        else { return }
        phrase.unitPrice = whole
    }
}

struct Place: Sendable, Equatable {
    var page: Int
    var box: PixelBox?
    var confidence: Int
}

/// The parts of a receipt, as indices into its lines.
struct Sections: Sendable {
    var head: Range<Int>
    var body: Range<Int>
    /// The line of the total.
    var total: Int?
    var tail: Range<Int>
    /// Another line of a total follows below that differs: the first may have been no more than a subtotal.
    var hasLaterTotal = false
}
