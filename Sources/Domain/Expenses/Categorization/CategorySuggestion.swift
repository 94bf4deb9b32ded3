/// A category for an expense, and why it is suggested.
package struct CategorySuggestion: Hashable, Sendable {
    package enum Category: Hashable, Sendable {
        /// A category of the household.
        case own(CategoryID)
        /// A key of `CategoryTemplate`.
        case builtIn(String)
    }

    package enum Reason: Hashable, Sendable {
        /// What the household chose for the same text before.
        case chosenBefore(String)
        /// A rule of the household, by the words of its condition.
        case rule(String)
        /// A payee of the lexicon.
        case payee(String)
        /// A word of the text.
        case word(String)
        /// Most of the lines of its receipt.
        case lines
    }

    package let category: Category
    /// The usual spelling of the payee, when it is known.
    package let payee: String?
    package let reason: Reason

    package init(category: Category, payee: String? = nil, reason: Reason) {
        self.category = category
        self.payee = payee
        self.reason = reason
    }
}
