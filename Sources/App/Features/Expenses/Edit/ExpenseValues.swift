import Domain

/// The editable values of an expense without a receipt.
struct ExpenseValues: Equatable, Sendable {
    var kind: ExpenseKind
    var what: String
    /// Not negative; the sign follows from the kind.
    var amount: Amount
    /// The amount in the household's currency, for example from a card slip.
    var stated: Amount?
    var day: LocalDate
    var payee: String
    var category: CategoryID?
    var paidBy: PersonID?
    var labels: [String]
    var note: String
    var isPersonal: Bool

    /// The key under which sums of a payee are stored: the name from the lexicon, the payee, or the text.
    var payeeKey: String {
        let text = ExpenseText(what: payee.isEmpty ? what : payee)
        let key = PayeeLexicon.shared.suggestion(for: text)?.payee.map { ExpenseText.key($0) } ?? ""
        return key.isEmpty ? ExpenseText.key(text.what) : key
    }
}
