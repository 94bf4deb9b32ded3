import Domain
import Postgres

/// Changes to savings goals. Each operation is one transaction.
struct GoalEdits: Sendable {
    let database: Database

    /// - Parameter form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `NameTaken`, `TooMany`, `RepeatedForm`.
    @discardableResult
    func add(
        _ values: StoredGoal.Values, today: LocalDate, form: OperationID? = nil, by member: Member
    ) async throws -> SavingsGoalID {
        let id = SavingsGoalID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await Self.requireRoom(changes)
            _ = try await onConstraint(["savings_goal_household_name_key": NameTaken()]) {
                try await changes.query(
                    """
                    INSERT INTO savings_goal (household_id, id, name, target_minor, starts_on, until)
                    VALUES (\(changes.household), \(id), \(values.name), \(values.target), \(today), \(values.until))
                    """)
            }
            changes.changed(.savingsGoal, id)
        }
        return id
    }

    /// - Throws: `TooMany` if the household can have no further goal.
    static func requireRoom(_ changes: HouseholdTransaction) async throws {
        try await changes.requireRoom(
            for: "goals", limit: StoredGoal.maximumGoals,
            count: "SELECT count(*) FROM savings_goal WHERE household_id = \(changes.household)")
    }

    /// - Throws: `NameTaken`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func update(_ id: SavingsGoalID, _ values: StoredGoal.Values, revision: Int64, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes in
            _ = try await onConstraint(["savings_goal_household_name_key": NameTaken()]) {
                try await changes.query(
                    """
                    UPDATE savings_goal SET name = \(values.name), target_minor = \(values.target), until = \(values.until),
                        starts_on = least(starts_on, \(values.until)), revision = revision + 1
                    WHERE household_id = \(changes.household) AND id = \(id)
                    """)
            }
            changes.changed(.savingsGoal, id)
        }
    }

    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func remove(_ id: SavingsGoalID, revision: Int64, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes in
            try await changes.query(
                "DELETE FROM savings_goal WHERE household_id = \(changes.household) AND id = \(id)")
            changes.deleted(.savingsGoal, id, lastRevision: revision)
        }
    }

    /// A withdrawal of more than was saved.
    struct Overdrawn: Error {}

    /// Adds a deposit.
    ///
    /// - Parameters:
    ///   - amount: in minor units of the household's currency; negative for a withdrawal.
    ///   - revision: the revision that the goal must have; nil for any.
    ///   - form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `Overdrawn`, `RepeatedForm`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func deposit(
        _ amount: Int64, on day: LocalDate, into id: SavingsGoalID, revision: Int64? = nil, form: OperationID? = nil,
        by member: Member
    ) async throws {
        try await change(id, revision: revision, by: member) { changes in
            try await changes.requireFirst(form)
            if amount < 0 {
                let saved = try await changes.query(
                    """
                    SELECT coalesce(sum(d.amount_minor), 0)::bigint FROM savings_deposit d
                    WHERE d.household_id = \(changes.household) AND d.goal_id = \(id)
                    """
                ).first(Int64.self)
                guard (saved ?? 0) + amount >= 0 else { throw Overdrawn() }
            }
            try await changes.query(batch: [
                """
                INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
                VALUES (\(changes.household), \(SavingsDepositID.new()), \(id), \(day), \(amount), \(changes.person))
                """,
                Self.raiseRevision(of: id, changes),
            ])
            changes.changed(.savingsGoal, id)
        }
    }

    /// - Parameter revision: the revision that the goal must have; nil for any.
    /// - Returns: false if the deposit was already deleted.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func removeDeposit(
        _ deposit: SavingsDepositID, of id: SavingsGoalID, revision: Int64? = nil, by member: Member
    ) async throws -> Bool {
        try await change(id, revision: revision, by: member) { changes in
            let deleted = try await changes.query(
                """
                DELETE FROM savings_deposit WHERE household_id = \(changes.household) AND goal_id = \(id)
                    AND id = \(deposit) RETURNING id
                """)
            guard !deleted.isEmpty else { return false }
            try await changes.query(Self.raiseRevision(of: id, changes))
            changes.changed(.savingsGoal, id)
            return true
        }
    }

    static func raiseRevision(of id: SavingsGoalID, _ changes: HouseholdTransaction) -> SQL {
        "UPDATE savings_goal SET revision = revision + 1 WHERE household_id = \(changes.household) AND id = \(id)"
    }

    /// Runs `body` in a transaction if the goal exists and has this revision; nil accepts any revision.
    ///
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func change<Value>(
        _ id: SavingsGoalID, revision: Int64?, by member: Member,
        _ body: (HouseholdTransaction) async throws -> Value
    ) async throws -> Value {
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireRevision(
                of: id, "SELECT revision FROM savings_goal WHERE household_id = \(changes.household) AND id = \(id)",
                shown: revision)
            return try await body(changes)
        }
    }
}
