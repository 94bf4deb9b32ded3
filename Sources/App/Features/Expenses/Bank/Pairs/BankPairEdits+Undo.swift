import Domain
import Postgres

extension BankPairEdits {
    /// Removes a decision. The pair is then proposed again. If the decision joined two entries, restores the expense of
    /// the import.
    ///
    /// - Returns: false if the decision was removed before, or if the import of the line was undone since.
    /// - Throws: `Refusal.notFound`.
    func undo(_ id: BankPairID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                """
                SELECT p.expense_id, e.day, p.is_same, EXISTS (SELECT 1 FROM bank_booking b
                    WHERE b.household_id = \(household) AND b.id = ANY(p.booking_ids))
                FROM bank_pair p JOIN expense e ON e.household_id = \(household) AND e.id = p.expense_id
                WHERE p.household_id = \(household) AND p.id = \(id) AND \(ExpenseVisibility.condition(member))
                    AND \(JoinedBankExpense.isOtherSeen(by: member))
                """,
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
            guard let (expense, day, isSame, hasLines) = try rows[0].first((ExpenseID, LocalDate, Bool, Bool).self)
            else {
                guard !rows[1].isEmpty else { throw Refusal.notFound }
                return false
            }
            if isSame {
                guard hasLines else { return false }
                try await ExpenseBulkEdits.update([expense], days: [day], "discarded_at = NULL", changes)
                try await Self.separate([expense], changes)
            } else {
                try await changes.query("DELETE FROM bank_pair WHERE household_id = \(household) AND id = \(id)")
                try await Self.record([id], changes)
            }
            return true
        }
    }

    /// A decision that joined two entries.
    private struct Joined: RowDecodable {
        let decision: BankPairID
        let expense: ExpenseID
        let other: ExpenseID
        let lines: [BankBookingID]

        init(from row: inout RowReader) throws(PostgresError) {
            decision = try row.next()
            expense = try row.next()
            other = try row.next()
            lines = try row.next()
        }
    }

    /// Gives restored expenses their lines back, and removes the values that the lines stored in the other entries,
    /// unless these were changed since. Has no effect on expenses that were not joined.
    static func separate(_ expenses: [ExpenseID], _ changes: HouseholdTransaction) async throws {
        guard !expenses.isEmpty else { return }
        let joined = try await changes.query(
            """
            WITH deleted AS (
                DELETE FROM bank_pair p
                WHERE p.household_id = \(changes.household) AND p.expense_id = ANY(\(expenses)) AND p.is_same
                RETURNING *)
            SELECT p.id, p.expense_id, coalesce(p.receipt_id, p.other_id), p.booking_ids FROM deleted p
            ORDER BY p.decided_at DESC, p.id
            """
        ).decode(Joined.self)
        for one in joined { try await separate(one, changes) }
        try await record(joined.map(\.decision), changes)
    }

    /// Records that decisions were undone, so that a later request to undo them is not answered with 404.
    private static func record(_ decisions: [BankPairID], _ changes: HouseholdTransaction) async throws {
        guard !decisions.isEmpty else { return }
        try await changes.query(
            """
            INSERT INTO operation (household_id, id)
            SELECT \(changes.household), t.id FROM unnest(\(decisions)::uuid[]) AS t (id) ON CONFLICT DO NOTHING
            """)
    }

    private static func separate(_ joined: Joined, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        // The line that created the expense, or the next one if the import of that line was undone.
        let first: SQL = """
            (SELECT o.id FROM bank_booking o WHERE o.household_id = \(household) AND o.id = ANY(\(joined.lines))
                ORDER BY array_position(\(joined.lines), o.id) LIMIT 1)
            """
        let months = try await BankConfirmation.removeAmounts(of: "b.id = ANY(\(joined.lines))", changes)
        let rows = try await changes.query(batch: [
            """
            UPDATE expense e SET revision = e.revision + 1, updated_at = now(),
                paid_on = CASE WHEN e.paid_on IS DISTINCT FROM b.day THEN e.paid_on
                    -- The payment date that another file with the same booking states.
                    ELSE (SELECT max(o.day) FROM bank_booking o WHERE o.household_id = \(household)
                        AND o.expense_id = e.id AND NOT o.id = ANY(\(joined.lines))) END,
                stated_minor = CASE WHEN \(isStated) THEN NULL ELSE e.stated_minor END,
                stated_currency = CASE WHEN \(isStated) THEN NULL ELSE e.stated_currency END
            FROM bank_booking b
            WHERE b.household_id = \(household) AND b.id = \(first) AND b.expense_id = \(joined.other)
                AND e.household_id = \(household) AND e.id = b.expense_id AND e.discarded_at IS NULL
            RETURNING e.id, e.day
            """,
            """
            UPDATE bank_booking b SET expense_id = \(joined.expense), receipt_id = NULL, has_stated = false,
                is_made = b.id = \(first)
            WHERE b.household_id = \(household) AND b.id = ANY(\(joined.lines))
                AND (coalesce(b.expense_id, b.receipt_id) = \(joined.other)
                    -- The other entry was an expense of an import too, and was joined with a third entry later.
                    OR coalesce(b.expense_id, b.receipt_id) IN (SELECT coalesce(p.receipt_id, p.other_id)
                        FROM bank_pair p WHERE p.household_id = \(household) AND p.expense_id = \(joined.other)
                            AND p.is_same))
            RETURNING b.import_id
            """,
        ])
        let changed = try rows[0].decode((ExpenseID, LocalDate).self)
        changes.changed(.expense, changed.map(\.0))
        try await BankConfirmation.recordChange(of: try rows[1].decode(BankImportID.self), changes)
        let sums =
            ExpenseSums.statements(days: Set(changed.map(\.1)), household)
            + RollUps.spending(months.sorted(), household)
        if !sums.isEmpty { try await changes.query(batch: sums) }
    }

    /// A condition: the line `b` stored the amount of the expense `e`, and it was not changed since.
    private static let isStated: SQL =
        "b.has_stated AND e.stated_minor = abs(b.amount_minor) AND e.stated_currency = b.currency"
}
