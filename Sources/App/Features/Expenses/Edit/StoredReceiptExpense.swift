import Domain
import Postgres

/// A confirmed receipt, with the values of its expense that a person can change.
struct StoredReceiptExpense: RowDecodable, Sendable {
    let store: String
    let amount: Amount
    /// The category of lines that have none, and of the difference between the total and the lines; nil for none.
    let category: CategoryID?
    /// The chosen payer or, without one, the person who uploaded the receipt.
    let paidBy: PersonID?
    /// The name of the payer, who can be a former member.
    let payerName: String?
    let labels: [String]
    /// The revision of the receipt's row in `expense`; 0 without a row.
    let revision: Int64

    /// Returns no row for a receipt that is not confirmed or that the member may not see.
    static func query(_ receipt: ReceiptID, _ member: Member) -> SQL {
        """
        SELECT coalesce(s.name, r.printed_store ->> 'name', ''), coalesce(\(RollUps.total), 0)::bigint, r.currency,
            e.category_id, coalesce(e.paid_by, r.person_id),
            (SELECT p.name FROM person p WHERE p.id = coalesce(e.paid_by, r.person_id)),
            coalesce(e.labels, '{}'), coalesce(e.revision, 0)
        FROM receipt r
        LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
        WHERE r.household_id = \(member.household) AND r.id = \(receipt) AND r.stage = \(Stage.confirmed.sql)
            AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member))
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        store = try row.next()
        let minorUnits: Int64 = try row.next()
        let code: String = try row.next()
        amount = Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur)
        category = try row.next()
        paidBy = try row.next()
        payerName = try row.next()
        labels = try row.next()
        revision = try row.next()
    }
}
