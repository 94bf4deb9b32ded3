/// The rules of a household, in the order in which they apply. The first rule that matches applies.
package struct OwnRules: CategorizationProvider {
    package struct Entry: Sendable {
        package let rule: ExpenseRule
        /// Nil for a rule that sets only labels or the split.
        package let category: CategoryID?
        /// The condition of the rule, shown as the reason.
        package let text: String

        package init(rule: ExpenseRule, category: CategoryID?, text: String) {
            self.rule = rule
            self.category = category
            self.text = text
        }
    }

    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// The index of the first rule that matches; nil if none does.
    package func index(what: String, payee: String, amount: Int64?) -> Int? {
        entries.firstIndex { $0.rule.matches(what: what, payee: payee, amount: amount) }
    }

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        guard let index = index(what: expense.what, payee: expense.payee, amount: expense.amount) else { return nil }
        return entries[index].category.map {
            CategorySuggestion(category: .own($0), reason: .rule(entries[index].text))
        }
    }
}
