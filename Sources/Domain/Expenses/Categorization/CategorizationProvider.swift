/// Suggests a category for an expense.
package protocol CategorizationProvider: Sendable {
    /// Returns nil if the provider has no suggestion.
    func suggestion(for expense: ExpenseText) -> CategorySuggestion?
}
