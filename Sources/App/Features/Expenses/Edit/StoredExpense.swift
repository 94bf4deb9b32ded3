import Domain
import Postgres

/// A stored expense without a receipt.
struct StoredExpense: RowDecodable, Sendable {
    let id: ExpenseID
    let values: ExpenseValues
    let payeeKey: String
    /// The person who entered the expense.
    let person: PersonID?
    let source: String
    /// The method of the split; empty for no split.
    let split: String
    let revision: Int64
    let isDiscarded: Bool
    /// The amount in minor units of the household's currency; nil if no exchange rate is known.
    let home: Int64?
    /// The name of the payer, who can be a former member.
    let payerName: String?

    var kind: ExpenseKind { values.kind }
    var what: String { values.what }
    var amount: Amount { values.amount }
    var stated: Amount? { values.stated }
    var day: LocalDate { values.day }
    var payee: String { values.payee }
    var category: CategoryID? { values.category }
    var paidBy: PersonID? { values.paidBy }
    var labels: [String] { values.labels }
    var note: String { values.note }
    var isPersonal: Bool { values.isPersonal }

    /// Selects expenses, including deleted ones, but not the personal expenses of other members.
    static func query(_ ids: [ExpenseID], _ member: Member) -> SQL {
        """
        SELECT e.id, e.kind, e.what, e.amount_minor, e.currency, e.stated_minor, e.stated_currency, e.day, e.payee,
            e.category_id, e.paid_by, e.labels, e.note, e.is_personal, e.payee_key, e.person_id, e.source, e.split,
            e.revision, e.discarded_at IS NOT NULL, \(HomeAmount.of("e")),
            (SELECT p.name FROM person p WHERE p.id = e.paid_by)
        FROM expense e JOIN household h ON h.id = \(member.household)
        WHERE e.household_id = \(member.household) AND e.id = ANY(\(ids)) AND e.receipt_id IS NULL
            AND \(ExpenseVisibility.condition(member))
        ORDER BY e.day DESC, e.id DESC
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        values = try ExpenseValues(from: &row)
        payeeKey = try row.next()
        person = try row.next()
        source = try row.next()
        split = try row.next()
        revision = try row.next()
        isDiscarded = try row.next()
        home = try row.next()
        payerName = try row.next()
    }
}
