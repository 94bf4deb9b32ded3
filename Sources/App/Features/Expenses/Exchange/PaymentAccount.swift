import Domain
import Postgres

/// The account from which an entry was paid.
enum PaymentAccount: Sendable, Equatable {
    /// The name in a bank's file, or the name that the member typed for the file. Empty if neither is known, or if only
    /// the receipt states a payment by card.
    case bank(String)
    case cash

    /// Returns the known accounts. Bookings of other members' files are excluded, because their accounts are private.
    /// A receipt without a booking is paid as it states. Change means that it was paid in cash.
    static func of(_ entries: [Entry], _ member: Member, _ database: Database) async throws -> [ExpenseID:
        PaymentAccount]
    {
        guard !entries.isEmpty else { return [:] }
        let household = member.household
        let ids = entries.map(\.id)
        let receipts: [ReceiptID] = entries.filter(\.isReceipt).map { $0.id.relabelled() }
        func booking(_ column: SQL) -> SQL {
            """
            SELECT \(column), CASE WHEN \(KnownBookings.isNamed) THEN b.account ELSE '' END FROM bank_booking b
            JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
            WHERE b.household_id = \(household) AND \(column) = ANY(\(ids)) AND i.person_id = \(member.person)
            """
        }
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT x.id, x.payment = 'card' FROM (
                    SELECT r.id, CASE WHEN r.evidence ->> 'payment' IN ('card', 'cash') THEN r.evidence ->> 'payment'
                        WHEN jsonb_typeof(r.evidence -> 'change') = 'number' AND r.evidence -> 'change' > '0'::jsonb
                        THEN 'cash' END AS payment
                    FROM receipt r WHERE r.household_id = \(household) AND r.id = ANY(\(receipts))) x
                WHERE x.payment IS NOT NULL
                """,
                "\(booking("b.expense_id")) UNION \(booking("b.receipt_id")) ORDER BY 1, 2",
            ])
        var accounts: [ExpenseID: PaymentAccount] = [:]
        for (id, isCard) in try rows[0].decode((ExpenseID, Bool).self) { accounts[id] = isCard ? .bank("") : .cash }
        // An empty name sorts before the name of another booking, which replaces it.
        for (id, account) in try rows[1].decode((ExpenseID, String).self) { accounts[id] = .bank(account) }
        return accounts
    }
}
