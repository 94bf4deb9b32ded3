/// A category for an expense, with the reason for the suggestion.
package struct CategorySuggestion: Hashable, Sendable {
    package enum Category: Hashable, Sendable {
        /// A category of the household.
        case own(CategoryID)
        /// A key of `CategoryTemplate`.
        case builtIn(String)
    }

    package enum Reason: Hashable, Sendable {
        /// The household chose the category for the same text before.
        case chosenBefore(String)
        /// A rule of the household, described by its condition.
        case rule(String)
        /// A payee of the lexicon.
        case payee(String)
        /// A word of the text.
        case word(String)
        /// Most of the receipt's amount is in this category.
        case lines
    }

    package let category: Category
    /// The usual spelling of the payee; nil if unknown.
    package let payee: String?
    package let reason: Reason

    package init(category: Category, payee: String? = nil, reason: Reason) {
        self.category = category
        self.payee = payee
        self.reason = reason
    }
}
