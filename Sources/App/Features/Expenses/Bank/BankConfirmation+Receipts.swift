import Domain
import Postgres

/// The amounts that bookings state for receipts in other currencies than the household's.
extension BankConfirmation {
    /// Stores the amounts of bookings in the household's currency as the stated amounts of their receipts. Keeps an
    /// amount that a receipt already has.
    ///
    /// - Parameter bookings: receipts, each with the amount of its booking.
    /// - Returns: the receipts that got an amount, and the first days of their months.
    static func stateAmounts(
        of bookings: [(receipt: ReceiptID, amount: Amount)], _ changes: HouseholdTransaction
    ) async throws -> (receipts: Set<ReceiptID>, months: Set<LocalDate>) {
        guard !bookings.isEmpty else { return ([], []) }
        let household = changes.household
        let receipts = bookings.map { $0.receipt }
        let amounts = bookings.map { $0.amount }
        let stated = try await changes.query(
            """
            INSERT INTO expense AS e (household_id, id, receipt_id, person_id, stated_minor, stated_currency)
            SELECT \(household), t.id, r.id, \(changes.person), t.amount, t.currency
            FROM unnest(\(receipts.map { _ in ExpenseID.new() })::uuid[], \(receipts)::uuid[],
                \(amounts.map { abs($0.minorUnits) })::bigint[], \(amounts.map(\.currency.code))::text[])
                AS t (id, receipt_id, amount, currency)
            JOIN household h ON h.id = \(household) AND h.currency = t.currency
            JOIN receipt r ON r.household_id = \(household) AND r.id = t.receipt_id AND r.currency <> h.currency
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET stated_minor = excluded.stated_minor, stated_currency = excluded.stated_currency,
                revision = e.revision + 1, updated_at = now()
            WHERE e.stated_minor IS NULL
            RETURNING e.id, e.receipt_id, \(month)
            """
        ).decode((ExpenseID, ReceiptID, LocalDate).self)
        changes.changed(.expense, stated.map(\.0))
        return (Set(stated.map(\.1)), Set(stated.map(\.2)))
    }

    /// Removes the amounts that bookings stored for receipts, unless they were changed since.
    ///
    /// - Parameter bookings: a condition on the booking `b`.
    /// - Returns: the first days of the months of the receipts.
    static func removeAmounts(
        of bookings: SQL, _ changes: HouseholdTransaction
    ) async throws -> Set<LocalDate> {
        let household = changes.household
        let removed = try await changes.query(
            """
            UPDATE expense e SET stated_minor = NULL, stated_currency = NULL, revision = e.revision + 1,
                updated_at = now()
            FROM bank_booking b
            WHERE b.household_id = \(household) AND \(bookings) AND b.has_stated
                AND e.household_id = \(household) AND e.receipt_id = b.receipt_id
                AND e.stated_minor = abs(b.amount_minor) AND e.stated_currency = b.currency
            RETURNING e.id, \(month)
            """
        ).decode((ExpenseID, LocalDate?).self)
        changes.changed(.expense, removed.map(\.0))
        return Set(removed.compactMap(\.1))
    }

    /// The first day of the month of the receipt of expense `e`.
    private static let month: SQL = """
        (SELECT date_trunc('month', r.purchase_day)::date FROM receipt r
            WHERE r.household_id = e.household_id AND r.id = e.receipt_id)
        """
}
