import Domain
import Postgres

extension RecurringEdits {
    /// Undoes a deletion: creates a recurring expense with the same values.
    ///
    /// - Returns: false if the recurring expense exists, or if its deletion was undone before.
    /// - Throws: `NotRestored`; `Refusal.notFound`, also for a personal recurring expense of another member.
    func restore(_ id: RecurringExpenseID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let body = try await changes.deletedContents(of: id, .recurringExpense, in: "recurring_expense")
            guard let body else { return false }
            let household = changes.household
            let new = RecurringExpenseID.new()
            let rows = try await changes.query(batch: [
                """
                SELECT 1 FROM jsonb_populate_record(NULL::recurring_expense, \(body)::jsonb) r
                WHERE \(StoredRecurring.isSeen(by: member))
                """,
                "SELECT count(*) FROM recurring_expense WHERE household_id = \(household)",
                """
                INSERT INTO recurring_expense (household_id, id, name, payee_key, category_id, repeats, month_day,
                    amount_minor, tolerance, starts_on, is_dismissed, person_id, is_personal, created_at)
                SELECT \(household), \(new), r.name, r.payee_key,
                    (SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = r.category_id),
                    r.repeats, r.month_day, r.amount_minor, r.tolerance, r.starts_on, r.is_dismissed, r.person_id,
                    r.is_personal, r.created_at
                FROM jsonb_populate_record(NULL::recurring_expense, \(body)::jsonb) r
                """,
            ])
            guard !rows[0].isEmpty else { throw Refusal.notFound }
            guard try rows[1].first(Int64.self) ?? 0 < Int64(StoredRecurring.maximumStored) else { throw NotRestored() }
            changes.changed(.recurringExpense, new)
            return true
        }
    }
}
