import Domain
import Postgres

extension GoalEdits {
    /// Undoes a deletion: creates a goal with the same values and deposits.
    ///
    /// - Returns: false if the goal exists, or if its deletion was undone before.
    /// - Throws: `NotRestored`, `Refusal.notFound`.
    func restore(_ id: SavingsGoalID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            guard let body = try await changes.deletedContents(of: id, .savingsGoal, in: "savings_goal") else {
                return false
            }
            let household = changes.household
            let new = SavingsGoalID.new()
            do {
                try await Self.requireRoom(changes)
            } catch is TooMany {
                throw NotRestored()
            }
            _ = try await onConstraint(["savings_goal_household_name_key": NotRestored()]) {
                try await changes.query(
                    """
                    INSERT INTO savings_goal (household_id, id, name, target_minor, starts_on, until, created_at)
                    SELECT \(household), \(new), g.name, g.target_minor, g.starts_on, g.until, g.created_at
                    FROM jsonb_populate_record(NULL::savings_goal, \(body)::jsonb) g
                    """)
            }
            try await changes.query(
                """
                INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
                SELECT \(household), d.id, \(new), d.day, d.amount_minor, d.person_id
                FROM jsonb_populate_recordset(NULL::savings_deposit, \(body)::jsonb -> 'deposits') d
                ON CONFLICT DO NOTHING
                """)
            changes.changed(.savingsGoal, new)
            return true
        }
    }

    /// Undoes the deletion of a deposit.
    ///
    /// - Returns: false if the deposit exists.
    /// - Throws: `AlreadyDeleted`, `Refusal.notFound`.
    func restoreDeposit(_ deposit: SavingsDepositID, of id: SavingsGoalID, by member: Member) async throws -> Bool {
        try await change(id, revision: nil, by: member) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                "SELECT goal_id FROM savings_deposit WHERE household_id = \(household) AND id = \(deposit)",
                """
                SELECT x.part FROM change_log l
                CROSS JOIN LATERAL jsonb_array_elements(l.body -> 'deposits') AS x (part)
                WHERE l.household_id = \(household) AND l.document_id = \(id) AND l.document_type = 'savings_goal'
                    AND NOT l.deleted AND x.part ->> 'id' = \(deposit)::text
                ORDER BY l.revision DESC LIMIT 1
                """,
            ])
            if let goal = try rows[0].first(SavingsGoalID.self) {
                guard goal == id else { throw Refusal.notFound }
                return false
            }
            guard let part = try rows[1].first(PostgresJSON?.self) ?? nil else { throw Refusal.notFound }
            try await changes.query(batch: [
                """
                INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
                SELECT \(household), \(deposit), \(id), d.day, d.amount_minor, d.person_id
                FROM jsonb_populate_record(NULL::savings_deposit, \(part)::jsonb) d
                """,
                Self.raiseRevision(of: id, changes),
            ])
            changes.changed(.savingsGoal, id)
            return true
        }
    }
}
