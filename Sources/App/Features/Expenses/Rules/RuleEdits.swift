import Domain
import Postgres

/// Changes to rules. Each operation is one transaction.
struct RuleEdits: Sendable {
    let database: Database

    /// - Parameter form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `TooMany`, `RepeatedForm`, `Refusal.badRequest`.
    func add(
        _ values: StoredRule.Values, form: OperationID? = nil, by member: Member
    ) async throws -> ExpenseRuleID {
        let id = ExpenseRuleID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await Self.insert(id, values, changes)
        }
        return id
    }

    /// - Throws: `TooMany`, `Refusal.badRequest`.
    static func insert(
        _ id: ExpenseRuleID, _ values: StoredRule.Values, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        try await Self.require(values, of: id, changes)
        try await changes.requireRoom(
            for: "rules", limit: StoredRule.maximumRules,
            count: "SELECT count(*) FROM expense_rule WHERE household_id = \(household)")
        try await changes.query(
            """
            INSERT INTO expense_rule (household_id, id, position, contains, least_minor, most_minor, category_id, labels,
                people)
            SELECT \(household), \(id), coalesce(max(u.position), 0) + 1, \(values.contains), \(values.minimumAmount),
                \(values.maximumAmount), \(values.category)::uuid, \(values.labels), \(values.people)
            FROM expense_rule u WHERE u.household_id = \(household)
            """)
        changes.changed(.expenseRule, id)
    }

    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`, `Refusal.badRequest`.
    func update(_ id: ExpenseRuleID, _ values: StoredRule.Values, revision: Int64, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes in
            try await Self.require(values, of: id, changes)
            try await changes.query(Self.writing(values, to: id, changes.household))
            changes.changed(.expenseRule, id)
        }
    }

    /// Returns a statement that writes all values and increments the revision.
    static func writing(_ values: StoredRule.Values, to id: ExpenseRuleID, _ household: HouseholdID) -> SQL {
        """
        UPDATE expense_rule SET contains = \(values.contains), least_minor = \(values.minimumAmount),
            most_minor = \(values.maximumAmount), category_id = \(values.category), labels = \(values.labels),
            people = \(values.people), revision = revision + 1
        WHERE household_id = \(household) AND id = \(id)
        """
    }

    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func remove(_ id: ExpenseRuleID, revision: Int64, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes in
            try await changes.query(
                "DELETE FROM expense_rule WHERE household_id = \(changes.household) AND id = \(id)")
            changes.deleted(.expenseRule, id, lastRevision: revision)
        }
    }

    /// Swaps a rule with the rule before or after it.
    ///
    /// - Parameter revision: the revision that the rule must have; nil for any.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func move(_ id: ExpenseRuleID, up: Bool, revision: Int64? = nil, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes in
            let household = changes.household
            var ids = try await changes.query(StoredRule.query(household)).decode(StoredRule.self).map(\.id)
            guard let index = ids.firstIndex(of: id) else { return }
            let other = up ? index - 1 : index + 1
            guard ids.indices.contains(other) else { return }
            ids.swapAt(index, other)
            let movedRules = try await changes.query(
                """
                UPDATE expense_rule u SET position = t.n, revision = u.revision + 1
                FROM unnest(\(ids)::uuid[]) WITH ORDINALITY AS t (id, n)
                WHERE u.household_id = \(household) AND u.id = t.id AND u.position <> t.n RETURNING u.id
                """
            ).decode(ExpenseRuleID.self)
            changes.changed(.expenseRule, movedRules)
        }
    }

    private func change(
        _ id: ExpenseRuleID, revision: Int64?, by member: Member, _ body: (HouseholdTransaction) async throws -> Void
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireRevision(
                of: id, "SELECT revision FROM expense_rule WHERE household_id = \(changes.household) AND id = \(id)",
                shown: revision)
            try await body(changes)
        }
    }

    /// - Throws: `Refusal.badRequest` if the category or a person does not belong to the household. Former members whom
    ///   the stored rule names are accepted.
    static func require(
        _ values: StoredRule.Values, of id: ExpenseRuleID, _ changes: HouseholdTransaction
    ) async throws {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(values.category)",
            """
            SELECT person_id FROM membership WHERE household_id = \(changes.household)
            UNION ALL
            SELECT unnest(people) FROM expense_rule WHERE household_id = \(changes.household) AND id = \(id)
            """,
        ])
        let members = try rows[1].decode(PersonID.self)
        guard values.category == nil || !rows[0].isEmpty, values.people.allSatisfy(members.contains) else {
            throw Refusal.badRequest
        }
    }
}
