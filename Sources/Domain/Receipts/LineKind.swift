/// The kind of a receipt line. The raw value is stored and printed by `allesteurer read --json`.
package enum LineKind: String, Sendable, CaseIterable, Codable {
    /// Goods or a service; negative for a return.
    case item
    /// A deposit on a bottle or crate; not part of a price.
    case deposit
    /// Money back for a bottle or crate; negative.
    case depositReturn = "deposit_return"
    /// A discount on one item. If the receipt does not show which item it reduces, the discount is on several items.
    case discount
    /// A reduction of the whole receipt; never part of a price.
    case coupon
    /// Rounding of the total to available coins, as in Switzerland.
    case rounding

    /// Whether prices are derived from lines of this kind.
    package var isPriced: Bool { self == .item }

    /// Whether lines of this kind reduce the total. Their amount is positive only if the till cancels a reduction.
    package var isReduction: Bool { self == .discount || self == .coupon || self == .depositReturn }

    /// `Artikel`, `Pfand` …
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
