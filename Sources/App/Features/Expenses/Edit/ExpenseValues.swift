import Domain

/// The editable values of an expense without a receipt.
struct ExpenseValues: Equatable, Sendable {
    var kind: ExpenseKind
    var what: String
    /// Not negative. The kind determines whether the amount is added or subtracted.
    var amount: Amount
    /// The amount in the household's currency, for example from a card payment slip, for an expense in another
    /// currency.
    var stated: Amount?
    var day: LocalDate
    var payee: String
    var category: CategoryID?
    var paidBy: PersonID?
    var labels: [String]
    var note: String
    var isPersonal: Bool

    /// The key of the payee in the stored sums: the payee's known name, or the typed payee, or the description.
    var payeeKey: String {
        let text = ExpenseText(what: payee.isEmpty ? what : payee)
        let key = PayeeLexicon.shared.suggestion(for: text)?.payee.map { ExpenseText.key($0) } ?? ""
        return key.isEmpty ? ExpenseText.key(text.what) : key
    }
}
