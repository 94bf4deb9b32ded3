/// Asks several providers; the first one that knows the expense decides.
package struct CategorizationChain: CategorizationProvider {
    private let providers: [any CategorizationProvider]

    package init(_ providers: [any CategorizationProvider]) { self.providers = providers }

    /// What the household chose before, then its rules, then payees, then words, then the lines of the receipt.
    package init(chosen: ChosenBefore, rules: OwnRules = OwnRules([])) {
        self.init([chosen, rules, PayeeLexicon.shared, KeywordLexicon.shared, LineCues()])
    }

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        for provider in providers {
            if let found = provider.suggestion(for: expense) { return found }
        }
        return nil
    }
}
