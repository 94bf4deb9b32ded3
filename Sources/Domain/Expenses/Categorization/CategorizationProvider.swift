/// Suggests a category for an expense.
package protocol CategorizationProvider: Sendable {
    /// Nil when it knows nothing about the expense.
    func suggestion(for expense: ExpenseText) -> CategorySuggestion?
}

/// What is known about an expense before it has a category.
package struct ExpenseText: Sendable {
    /// What was typed or printed: `Billa Wocheneinkauf`.
    package let what: String
    package let payee: String
    /// The categories that the lines of its receipt suggest, keys of `CategoryTemplate`, each with what it costs.
    package let lines: [(category: String, amount: Int64)]
    /// In the household's currency, without sign; nil when it is not known.
    package let amount: Int64?
    /// `what` and `payee`, folded, as words.
    let words: [String]

    package init(
        what: String, payee: String = "", lines: [(category: String, amount: Int64)] = [], amount: Int64? = nil
    ) {
        self.what = what
        self.payee = payee
        self.lines = lines
        self.amount = amount
        words = FoldedWords.words("\(payee) \(what)")
    }

    /// The key by which texts are the same: folded words without figures, so that `Miete 11/2026` is `Miete 12/2026`.
    package static func key(_ text: some StringProtocol) -> String {
        let words = FoldedWords.words(text).filter { $0.utf8.contains { !(48...57).contains($0) } }
        var key = ""
        for word in words where key.utf8.count + word.utf8.count < 80 { key += (key.isEmpty ? "" : " ") + word }
        return key
    }
}

/// Folded words of a text: letters and digits.
enum FoldedWords {
    static func words(_ text: some StringProtocol) -> [String] {
        FoldedText.fold(text).split { !($0.isLetter || $0.isNumber) }.prefix(24).map(String.init)
    }
}
