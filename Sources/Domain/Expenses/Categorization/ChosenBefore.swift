/// The category that the household chose before for the same text or the same payee.
package struct ChosenBefore: CategorizationProvider {
    package struct Choice: Sendable {
        /// `ExpenseText.key` of the text or of the payee.
        package let key: String
        package let category: CategoryID
        package let payee: String
        /// The text as it was typed, shown as the reason.
        package let text: String

        package init(key: String, category: CategoryID, payee: String, text: String) {
            self.key = key
            self.category = category
            self.payee = payee
            self.text = text
        }
    }

    private let choices: [String: Choice]

    /// - Parameter choices: if a key occurs several times, the first choice counts, so the newest should come first.
    package init(_ choices: [Choice]) {
        self.choices = Dictionary(choices.filter { !$0.key.isEmpty }.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Looks up the longest prefix of the words that has a choice: for `Billa Wien 1020`, `Billa Wien`, then `Billa`.
    package func suggestion(for expense: ExpenseText) -> CategorySuggestion? {
        for text in [expense.payee, expense.what] where !text.isEmpty {
            var words = ExpenseText.key(text).split(separator: " ")
            while !words.isEmpty {
                if let choice = choices[words.joined(separator: " ")] {
                    return CategorySuggestion(
                        category: .own(choice.category), payee: choice.payee.isEmpty ? nil : choice.payee,
                        reason: .chosenBefore(choice.text))
                }
                words.removeLast()
            }
        }
        return nil
    }
}
