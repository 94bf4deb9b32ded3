import Domain
import Recognition

/// A line item during parsing. Amounts are in minor units.
struct DraftItem: Sendable {
    var name: String
    var namePlace: Place
    var articleNumber: String?
    /// Indices of the lines that belong to this item.
    var lines: [Int]
    var price: PriceCell
    var pricePlace: Place
    var kind: LineKind = .item
    /// Whether the kind is uncertain: its key word was not read exactly, or the print is ambiguous.
    var isKindDoubtful = false
    var quantity: DraftQuantity?
    /// The amount after repair.
    var value: Int64?
    var repair: Repair?
    /// Whether evidence other than the sum confirms the repaired value.
    var isRepairConfirmed = false
    /// The tax class, such as `A`; nil if none was read.
    var vat: String?
    /// Whether the line cancels an earlier line.
    var isVoid = false
    /// Whether `isVoid` holds and the cancelled line was found, with a matching amount.
    var isVoidSettled = false
    /// Whether the line has a weight or count that could not be read.
    var hasUnreadQuantity = false
    /// The amount that the search chose so that all items add up to the total.
    var searched: AmountReading?
    /// Whether an almost equally likely reading of the whole receipt has a different amount here.
    var isSearchDoubtful = false
}

extension DraftItem {
    /// Whether the amount was read without guessing, and with a sufficient confidence.
    var isReadClearly: Bool { price.isExact && pricePlace.confidence >= Confidence.clear }

    /// Adapts the kind to an amount whose sign was changed.
    mutating func settleKind(isSignLost: Bool) {
        guard let value else { return }
        if value > 0 {
            switch kind {
            case .discount, .coupon: kind = .item
            case .depositReturn:
                // The word says deposit return, but the sum requires a positive amount.
                kind = .deposit
                isKindDoubtful = true
            default: break
            }
        } else if isSignLost, kind == .deposit {
            kind = .depositReturn
        } else if value < 0, kind == .item, !isVoid {
            kind = .discount
            isKindDoubtful = true
        }
    }

    /// Replaces the amount, and records the printed one.
    mutating func replaceAmount(by value: Int64, _ reason: Repair.Reason) {
        self.value = value
        repair = Repair(printed: price.printed, value: AmountText.german(value), reason: reason)
    }
}

extension [DraftItem] {
    /// The sum of the amounts; nil if one of them was not read.
    var sum: Int64? { reduce(Int64?(0)) { sum, item in sum.flatMap { known in item.value.map { known + $0 } } } }
}

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

/// The place of a value on a page, and how certain its print was read.
struct Place: Sendable, Equatable {
    var page: Int
    /// In pixels of the reading picture; nil for a value that is not printed.
    var box: PixelBox?
    /// 0…100.
    var confidence: Int

    /// A value that was read at this place.
    func reading<Value: Sendable>(of value: Value, isDoubtful: Bool = false, repair: Repair? = nil) -> Reading<Value> {
        Reading(value: value, confidence: confidence, page: page, box: box, isDoubtful: isDoubtful, repair: repair)
    }
}

/// The sections of a receipt, as indices into its lines.
struct Sections: Sendable {
    var head: Range<Int>
    var body: Range<Int>
    /// Nil if no total was found.
    var total: Int?
    var tail: Range<Int>
}
