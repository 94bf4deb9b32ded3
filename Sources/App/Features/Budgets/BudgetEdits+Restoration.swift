import Domain
import Postgres

extension BudgetEdits {
    /// Undoes a deletion: creates a budget with the same values and limits.
    ///
    /// - Returns: false if the budget exists, or if its deletion was undone before.
    /// - Throws: `NotRestored`, `Refusal.notFound`.
    func restore(_ id: BudgetID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            guard let body = try await changes.deletedContents(of: id, .budget, in: "budget") else { return false }
            let household = changes.household
            let new = BudgetID.new()
            do {
                try await Self.requireRoom(changes)
            } catch is TooMany {
                throw NotRestored()
            }
            // A budget whose category was removed is not restored, because without a category it would apply to all
            // spending.
            let insertedRows = try await onConstraint(["budget_household_name_key": NotRestored()]) {
                try await changes.query(
                    """
                    INSERT INTO budget (household_id, id, name, category_id, person_id, period, start_day, rolls_over,
                        starts_on, created_at)
                    SELECT \(household), \(new), b.name, b.category_id, b.person_id, b.period, b.start_day, b.rolls_over,
                        b.starts_on, b.created_at
                    FROM jsonb_populate_record(NULL::budget, \(body)::jsonb) b
                    WHERE b.category_id IS NULL OR EXISTS (SELECT 1 FROM category c
                        WHERE c.household_id = \(household) AND c.id = b.category_id)
                    RETURNING id
                    """)
            }
            guard !insertedRows.isEmpty else { throw NotRestored() }
            try await changes.query(
                """
                INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
                SELECT \(household), \(new), l.valid_from, l.limit_minor
                FROM jsonb_populate_recordset(NULL::budget_limit, \(body)::jsonb -> 'limits') l
                """)
            changes.changed(.budget, new)
            return true
        }
    }
}
