/// Suggests the category that has more than half of a receipt's amount.
package struct LineCues: CategorizationProvider {
    package init() {}

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        let sums = Dictionary(expense.lines.map { ($0.category, $0.amount) }, uniquingKeysWith: +)
        let total = sums.values.reduce(0, +)
        guard let most = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value * 2 > total else {
            return nil
        }
        return CategorySuggestion(category: .builtIn(most.key), reason: .lines)
    }
}
