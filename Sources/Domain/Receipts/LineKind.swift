/// What a line of a receipt is; the raw value is the stored one and that of `allesteurer read --json`.
package enum LineKind: String, Sendable, CaseIterable, Codable {
    /// Goods or a service, negative where it is taken back.
    case item
    /// Paid for a bottle or a crate; no part of a price.
    case deposit
    /// Handed back for empties; negative.
    case depositReturn = "deposit_return"
    /// Bound to the item it reduces where the receipt prints it so.
    case discount
    /// On the whole basket; never enters a price.
    case coupon
    /// Of the whole receipt to what coins there are, as in Switzerland.
    case rounding

    /// Whether such lines write prices.
    package var isPriced: Bool { self == .item }

    /// Whether such lines take something off the sum; positive only where a till takes that back.
    package var isTakenOff: Bool { self == .discount || self == .coupon || self == .depositReturn }

    /// `Artikel`, `Pfand` … as shown.
    package func label(_ language: Language) -> String {
        switch (self, language) {
        case (.item, .german): "Artikel"
        case (.item, .english): "Item"
        case (.deposit, .german): "Pfand"
        case (.deposit, .english): "Deposit"
        case (.depositReturn, .german): "Pfandrückgabe"
        case (.depositReturn, .english): "Deposit return"
        case (.discount, .german): "Rabatt"
        case (.discount, .english): "Discount"
        case (.coupon, .german): "Gutschein"
        case (.coupon, .english): "Coupon"
        case (.rounding, .german): "Rundung"
        case (.rounding, .english): "Rounding"
        }
    }
}
