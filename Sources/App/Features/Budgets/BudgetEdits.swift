import Domain
import Postgres

/// Changes to budgets. Each operation is one transaction.
struct BudgetEdits: Sendable {
    let database: Database

    /// - Parameter form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `NameTaken`, `TooMany`, `RepeatedForm`, `Refusal.badRequest`.
    func add(
        _ values: BudgetForm.Values, today: LocalDate, form: OperationID? = nil, by member: Member
    ) async throws -> BudgetID {
        let id = BudgetID.new()
        let first = values.budgetPeriod.days(containing: today).lowerBound
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            try await changes.requireFirst(form)
            try await Self.require(values, of: id, changes)
            try await Self.requireRoom(changes)
            _ = try await onConstraint(["budget_household_name_key": NameTaken()]) {
                try await changes.query(
                    """
                    INSERT INTO budget (household_id, id, name, category_id, person_id, period, start_day, rolls_over, starts_on)
                    VALUES (\(household), \(id), \(values.name), \(values.category), \(values.person), \(values.period),
                        \(values.startDay)::smallint, \(values.rollsOver), \(first))
                    """)
            }
            try await changes.query(
                """
                INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
                VALUES (\(household), \(id), \(first), \(values.limit))
                """)
            changes.changed(.budget, id)
        }
        return id
    }

    /// Changes a budget. A new limit applies from the current period on; earlier periods, and later ones for which a
    /// limit is stored, keep their limits.
    ///
    /// - Throws: `NameTaken`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`, `Refusal.badRequest`.
    func update(
        _ id: BudgetID, _ values: BudgetForm.Values, revision: Int64, today: LocalDate, by member: Member
    ) async throws {
        let first = values.budgetPeriod.days(containing: today).lowerBound
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            try await changes.requireRevision(
                of: id, "SELECT revision FROM budget WHERE household_id = \(household) AND id = \(id)", shown: revision)
            try await Self.require(values, of: id, changes)
            _ = try await onConstraint(["budget_household_name_key": NameTaken()]) {
                try await changes.query(
                    """
                    UPDATE budget SET name = \(values.name), category_id = \(values.category), person_id = \(values.person),
                        period = \(values.period), start_day = \(values.startDay)::smallint, rolls_over = \(values.rollsOver),
                        revision = revision + 1 WHERE household_id = \(household) AND id = \(id)
                    """)
            }
            try await changes.query(batch: [
                // If the periods became longer, limits that began within the current period would override the new
                // limit in later periods. Deletes these limits. Keeps limits of later periods, because clients can
                // store them.
                """
                DELETE FROM budget_limit
                WHERE household_id = \(household) AND budget_id = \(id) AND valid_from > \(first)
                    AND valid_from <= \(today)
                """,
                """
                INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
                VALUES (\(household), \(id), \(first), \(values.limit))
                ON CONFLICT (household_id, budget_id, valid_from) DO UPDATE SET limit_minor = excluded.limit_minor
                """,
            ])
            changes.changed(.budget, id)
        }
    }

    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func remove(_ id: BudgetID, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let stored = try await changes.requireRevision(
                of: id, "SELECT revision FROM budget WHERE household_id = \(household) AND id = \(id)", shown: revision)
            try await changes.query("DELETE FROM budget WHERE household_id = \(household) AND id = \(id)")
            changes.deleted(.budget, id, lastRevision: stored)
        }
    }

    /// - Throws: `TooMany` if the household can have no further budget.
    static func requireRoom(_ changes: HouseholdTransaction) async throws {
        try await changes.requireRoom(
            for: "budgets", limit: StoredBudget.maximumBudgets,
            count: "SELECT count(*) FROM budget WHERE household_id = \(changes.household)")
    }

    /// - Throws: `Refusal.badRequest` if the category or the person does not belong to the household. A former member
    ///   whom the stored budget names is accepted.
    static func require(_ values: BudgetForm.Values, of id: BudgetID, _ changes: HouseholdTransaction) async throws {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(values.category)",
            """
            SELECT 1 FROM membership WHERE household_id = \(changes.household) AND person_id = \(values.person)
            UNION ALL
            SELECT 1 FROM budget
            WHERE household_id = \(changes.household) AND id = \(id) AND person_id = \(values.person)
            """,
        ])
        guard values.category == nil || !rows[0].isEmpty, values.person == nil || !rows[1].isEmpty else {
            throw Refusal.badRequest
        }
    }
}
