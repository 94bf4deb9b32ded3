import Domain
import Postgres

/// The account from which an entry was paid.
enum PaymentAccount: Sendable, Equatable {
    /// The name in a bank's file, or the name that the member typed for the file.
    case bank(String)
    case cash

    /// Returns the known accounts. Bookings of other members' files are excluded, because their accounts are private. A
    /// receipt that lists returned change was paid in cash.
    static func of(_ entries: [Entry], _ member: Member, _ database: Database) async throws -> [ExpenseID:
        PaymentAccount]
    {
        guard !entries.isEmpty else { return [:] }
        let household = member.household
        let ids = entries.map(\.id)
        let receipts: [ReceiptID] = entries.filter(\.isReceipt).map { $0.id.relabelled() }
        func booking(_ column: SQL) -> SQL {
            """
            SELECT \(column), b.account FROM bank_booking b
            JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
            WHERE b.household_id = \(household) AND \(column) = ANY(\(ids)) AND i.person_id = \(member.person)
                AND \(KnownBookings.isNamed)
            """
        }
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT r.id FROM receipt r WHERE r.household_id = \(household) AND r.id = ANY(\(receipts))
                    AND jsonb_typeof(r.evidence -> 'change') = 'number' AND r.evidence -> 'change' > '0'::jsonb
                """,
                "\(booking("b.expense_id")) UNION \(booking("b.receipt_id")) ORDER BY 1, 2",
            ])
        var accounts: [ExpenseID: PaymentAccount] = [:]
        for id in try rows[0].decode(ExpenseID.self) { accounts[id] = .cash }
        for (id, account) in try rows[1].decode((ExpenseID, String).self) { accounts[id] = .bank(account) }
        return accounts
    }
}
