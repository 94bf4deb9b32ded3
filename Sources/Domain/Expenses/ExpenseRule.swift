/// A rule of a household: expenses that meet its condition get its category, labels and split.
package struct ExpenseRule: Hashable, Sendable {
    /// Words that the text or the payee must contain, folded; empty for any text.
    package let contains: String
    /// The limits of the amount in minor units of the household's currency; nil for none.
    package let least: Int64?
    package let most: Int64?

    package init(contains: String, least: Int64? = nil, most: Int64? = nil) {
        self.contains = FoldedText.fold(contains)
        self.least = least
        self.most = most
    }

    /// Whether the rule has no condition.
    package var isEmpty: Bool { contains.allSatisfy(\.isWhitespace) && least == nil && most == nil }

    /// - Parameter amount: in the household's currency; nil without an exchange rate. Nil is never within limits.
    package func matches(what: String, payee: String, amount: Int64?) -> Bool {
        guard !isEmpty else { return false }
        if least != nil || most != nil {
            guard let amount, amount >= least ?? .min, amount <= most ?? .max else { return false }
        }
        let words = contains.split(separator: " ")
        guard !words.isEmpty else { return true }
        let text = FoldedText.fold("\(payee) \(what)")
        return words.allSatisfy { text.contains($0) }
    }
}
