import Domain

/// What a person can change about an expense without paper.
struct ExpenseValues: Equatable, Sendable {
    var kind: ExpenseKind
    var what: String
    /// At least 0; the kind gives the sign.
    var amount: Amount
    /// In the household's currency, as a card slip states it.
    var stated: Amount?
    var day: LocalDate
    var payee: String
    var category: CategoryID?
    var paidBy: PersonID?
    var labels: [String]
    var note: String
    var isPersonal: Bool

    /// The key by which sums of a payee are kept: of the lexicon's name, the payee or the text.
    var payeeKey: String {
        let text = ExpenseText(what: payee.isEmpty ? what : payee)
        let key = PayeeLexicon.shared.suggestion(for: text)?.payee.map { ExpenseText.key($0) } ?? ""
        return key.isEmpty ? ExpenseText.key(text.what) : key
    }
}
