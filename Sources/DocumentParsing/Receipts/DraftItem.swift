import Domain

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
    var vatClass: String?
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

    /// Adapts the kind after the sign of the amount was changed.
    mutating func settleKind(isSignLost: Bool) {
        guard let value else { return }
        if value > 0 {
            switch kind {
            case .discount, .coupon: kind = .item
            case .depositReturn:
                // The key word means a deposit return, but the sum requires a positive amount.
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
