import Domain
import Postgres

/// The editable values of an expense without a receipt.
struct ExpenseValues: Equatable, Sendable {
    var kind: ExpenseKind
    var what: String
    /// Not negative. The kind determines whether the amount is added or subtracted.
    var amount: Amount
    /// For an expense in another currency: the amount in the household's currency, for example from a card payment
    /// slip.
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

extension ExpenseValues: RowDecodable {
    /// Reads kind, description, amount and currency, stated amount and currency, day, payee, category, payer, labels,
    /// note and whether the expense is personal.
    init(from row: inout RowReader) throws(PostgresError) {
        kind = try row.next()
        what = try row.next()
        let minorUnits: Int64 = try row.next()
        let code: String = try row.next()
        amount = Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur)
        let statedMinor: Int64? = try row.next()
        let statedCode: String? = try row.next()
        stated = statedMinor.flatMap { minorUnits in
            statedCode.flatMap { CurrencyCode($0) }.map { Amount(minorUnits: minorUnits, currency: $0) }
        }
        day = try row.next()
        payee = try row.next()
        category = try row.next()
        paidBy = try row.next()
        labels = try row.next()
        note = try row.next()
        isPersonal = try row.next()
    }
}
