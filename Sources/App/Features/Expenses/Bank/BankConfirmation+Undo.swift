import Domain
import Postgres

extension BankConfirmation {
    /// Marks the expenses that an import created as deleted, except those that another import has linked with its own
    /// bookings. Removes the links to matched expenses, and the values that the import stored in them, unless these
    /// were changed since. The same file can then be imported again.
    ///
    /// - Parameter revision: the expected revision; nil for any.
    /// - Returns: false when the import was undone before or the file is not imported yet.
    /// - Throws: `Refusal.notFound`, `Conflict`.
    func undo(_ id: BankImportID, revision: Int64? = nil, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                """
                SELECT confirmed_at IS NOT NULL, revision FROM bank_import WHERE household_id = \(household) AND id = \(id)
                    AND person_id = \(member.person)
                """,
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
            guard let (isConfirmed, stored) = try rows[0].first((Bool, Int64).self) else {
                guard !rows[1].isEmpty else { throw Refusal.notFound }
                return false
            }
            guard isConfirmed else { return false }
            try Conflict.requireRevision(stored, shown: revision)
            let reassigned = try await Self.reassign(id, changes)
            let months = try await Self.removeAmounts(of: "b.import_id = \(id)", changes)
            let changedExpenses = try await changes.query(
                """
                UPDATE expense e SET revision = e.revision + 1, updated_at = now(),
                    discarded_at = CASE WHEN b.is_made AND NOT e.id = ANY(\(reassigned)) THEN now() END,
                    paid_on = CASE WHEN b.is_made OR e.paid_on IS DISTINCT FROM b.day THEN e.paid_on
                        ELSE b.other_day END,
                    stated_minor = CASE WHEN b.is_stated THEN NULL ELSE e.stated_minor END,
                    stated_currency = CASE WHEN b.is_stated THEN NULL ELSE e.stated_currency END
                FROM (SELECT b.expense_id, b.is_made, b.day,
                        -- The payment date that another file with the same booking states.
                        (SELECT max(o.day) FROM bank_booking o WHERE o.household_id = b.household_id
                            AND o.expense_id = b.expense_id AND o.import_id <> b.import_id) AS other_day,
                        b.has_stated AND s.stated_minor = abs(b.amount_minor) AND s.stated_currency = b.currency
                            AS is_stated
                    FROM bank_booking b JOIN expense s ON s.household_id = b.household_id AND s.id = b.expense_id
                    WHERE b.household_id = \(household) AND b.import_id = \(id)) b
                WHERE e.household_id = \(household) AND e.id = b.expense_id AND e.discarded_at IS NULL
                RETURNING e.id, e.day
                """
            ).decode((ExpenseID, LocalDate).self)
            changes.changed(.expense, changedExpenses.map(\.0))
            changes.deleted(.bankFile, id, lastRevision: stored)
            try await changes.query(
                batch: [
                    "DELETE FROM bank_import WHERE household_id = \(household) AND id = \(id)",
                    "INSERT INTO operation (household_id, id) VALUES (\(household), \(id)) ON CONFLICT DO NOTHING",
                ] + ExpenseSums.statements(days: Set(changedExpenses.map(\.1)), household)
                    + RollUps.spending(months.sorted(), household))
            return true
        }
    }

    /// Assigns the expenses that an import created to another import with a booking of the same expense, such as a file
    /// of the same account in another format. Otherwise, undoing the import would delete these expenses. Importing the
    /// other file again would not restore them, because its bookings are known.
    ///
    /// - Parameter id: the import that is undone.
    /// - Returns: the assigned expenses.
    private static func reassign(
        _ id: BankImportID, _ changes: HouseholdTransaction
    ) async throws -> [ExpenseID] {
        let household = changes.household
        let reassigned = try await changes.query(
            """
            UPDATE bank_booking o SET is_made = true FROM bank_booking b
            WHERE b.household_id = \(household) AND b.import_id = \(id) AND b.is_made AND o.household_id = \(household)
                AND o.id = (SELECT x.id FROM bank_booking x WHERE x.household_id = \(household)
                    AND x.expense_id = b.expense_id AND x.import_id <> \(id) ORDER BY x.day, x.id LIMIT 1)
            RETURNING o.expense_id, o.import_id
            """
        ).decode((ExpenseID, BankImportID).self)
        try await recordChange(of: reassigned.map(\.1), changes)
        return reassigned.map(\.0)
    }

    /// Records that bookings of imported files have changed.
    static func recordChange(of files: [BankImportID], _ changes: HouseholdTransaction) async throws {
        guard !files.isEmpty else { return }
        let changed = Set(files).sorted()
        try await changes.query(
            """
            UPDATE bank_import SET revision = revision + 1
            WHERE household_id = \(changes.household) AND id = ANY(\(changed))
            """)
        changes.changed(.bankFile, changed)
    }
}
