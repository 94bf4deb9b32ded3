import Domain
import Postgres

extension RuleEdits {
    /// Undoes a deletion: creates a rule with the same values and position. If another rule has that position now, the
    /// new rule is the last one.
    ///
    /// - Returns: false if the rule exists, or if its deletion was undone before.
    /// - Throws: `NotRestored`, `Refusal.notFound`.
    func restore(_ id: ExpenseRuleID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            guard let body = try await changes.deletedContents(of: id, .expenseRule, in: "expense_rule") else {
                return false
            }
            let household = changes.household
            let new = ExpenseRuleID.new()
            let rows = try await changes.query(batch: [
                "SELECT count(*) FROM expense_rule WHERE household_id = \(household)",
                """
                INSERT INTO expense_rule (household_id, id, position, contains, least_minor, most_minor, category_id,
                    labels, people, created_at)
                SELECT \(household), \(new), CASE
                        WHEN EXISTS (SELECT 1 FROM expense_rule o
                            WHERE o.household_id = \(household) AND o.position = u.position)
                        THEN (SELECT max(o.position) + 1 FROM expense_rule o WHERE o.household_id = \(household))
                        ELSE u.position END,
                    u.contains, u.least_minor, u.most_minor, u.category_id, u.labels, u.people, u.created_at
                FROM jsonb_populate_record(NULL::expense_rule, \(body)::jsonb) u
                WHERE u.category_id IS NULL OR EXISTS (SELECT 1 FROM category c
                    WHERE c.household_id = \(household) AND c.id = u.category_id)
                RETURNING id
                """,
            ])
            guard try rows[0].first(Int64.self) ?? 0 < Int64(StoredRule.maximumRules), !rows[1].isEmpty else {
                throw NotRestored()
            }
            changes.changed(.expenseRule, new)
            return true
        }
    }
}
