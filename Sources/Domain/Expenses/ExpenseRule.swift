/// A rule of a household: expenses that meet its condition get its category, labels and split.
package struct ExpenseRule: Hashable, Sendable {
    /// Words that the text or the payee must contain, folded; empty for any text.
    package let contains: String
    /// The limits of the amount in minor units of the household's currency; nil for none.
    package let minimumAmount: Int64?
    package let maximumAmount: Int64?

    package init(contains: String, minimumAmount: Int64? = nil, maximumAmount: Int64? = nil) {
        self.contains = FoldedText.fold(contains)
        self.minimumAmount = minimumAmount
        self.maximumAmount = maximumAmount
    }

    /// Whether the rule has no condition.
    package var isEmpty: Bool { contains.allSatisfy(\.isWhitespace) && minimumAmount == nil && maximumAmount == nil }

    /// - Parameter amount: in the household's currency; nil without an exchange rate. Nil is never within limits.
    package func matches(what: String, payee: String, amount: Int64?) -> Bool {
        guard !isEmpty else { return false }
        if minimumAmount != nil || maximumAmount != nil {
            guard let amount, amount >= minimumAmount ?? .min, amount <= maximumAmount ?? .max else { return false }
        }
        let words = contains.split(separator: " ")
        guard !words.isEmpty else { return true }
        let text = FoldedText.fold("\(payee) \(what)")
        return words.allSatisfy { text.contains($0) }
    }
}
