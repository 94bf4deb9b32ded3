/// Returns the first suggestion of several providers.
package struct CategorizationChain: CategorizationProvider {
    private let providers: [any CategorizationProvider]

    package init(_ providers: [any CategorizationProvider]) { self.providers = providers }

    /// The default order: earlier choices of the household, its rules, a known payee at the beginning of the payee,
    /// words, a known payee anywhere in the text, lines of the receipt.
    package init(chosen: ChosenBefore, rules: OwnRules = OwnRules([])) {
        self.init([chosen, rules, LeadingPayee(), KeywordLexicon.shared, PayeeLexicon.shared, LineCues()])
    }

    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        for provider in providers {
            if let found = provider.suggestion(for: expense) { return found }
        }
        return nil
    }
}
