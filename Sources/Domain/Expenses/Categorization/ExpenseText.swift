/// The properties of an expense from which its category is suggested.
package struct ExpenseText: Sendable {
    /// The description, as typed or printed: `Billa Wocheneinkauf`.
    package let what: String
    package let payee: String
    /// The categories that the lines of its receipt suggest (keys of `CategoryTemplate`), each with its amount
    /// in minor units.
    package let lines: [(category: String, amount: Int64)]
    /// The amount in minor units of the household's currency, without sign; nil if unknown.
    package let amount: Int64?
    /// The folded words of `what` and `payee`.
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

    /// The key by which texts are compared: folded words without figures, so that `Miete 11/2026` equals
    /// `Miete 12/2026`.
    package static func key(_ text: some StringProtocol) -> String {
        let words = FoldedWords.words(text).filter { $0.utf8.contains { !$0.isDigit } }
        var key = ""
        for word in words where key.utf8.count + word.utf8.count < 80 { key += (key.isEmpty ? "" : " ") + word }
        return key
    }
}
