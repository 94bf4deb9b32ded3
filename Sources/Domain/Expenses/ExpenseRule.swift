/// A household's own rule: if an expense looks like this, it gets that category, these labels and that split.
package struct ExpenseRule: Hashable, Sendable {
    /// Words that the text or the payee contain, folded; empty for any.
    package let contains: String
    /// In minor units of the household's currency; nil for no limit.
    package let least: Int64?
    package let most: Int64?

    package init(contains: String, least: Int64? = nil, most: Int64? = nil) {
        self.contains = FoldedText.fold(contains)
        self.least = least
        self.most = most
    }

    /// Whether it has a condition at all.
    package var isEmpty: Bool { contains.allSatisfy(\.isWhitespace) && least == nil && most == nil }

    /// - Parameter amount: in the household's currency; nil without a rate, which no limit matches.
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
