import Domain
import JSON
import Postgres

/// Writes budgets, rules, recurring expenses and savings goals, with the same checks as the forms.
extension DocumentWriting {
    /// - Parameter table: a table of documents to which no other documents refer.
    func removeRow(_ table: SQL) async throws -> Int64? {
        try await changes.query(
            "DELETE FROM \(table) WHERE household_id = \(household) AND id = \(key.id) RETURNING revision"
        ).first(Int64.self) ?? 0
    }

    private static let nameFaults: [String: any Error] = [
        "budget_household_name_key": DocumentFault("name: another budget has this name"),
        "savings_goal_household_name_key": DocumentFault("name: another savings goal has this name"),
    ]

    /// Returns the elements of a document's list by their keys.
    private static func parts<Key: Hashable>(
        _ body: JSONObject?, _ field: String, _ key: (JSONValue) -> Key?
    ) -> [Key: JSONValue] {
        Dictionary(
            (body?[field]?.array ?? []).compactMap { part in key(part).map { ($0, part) } },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Budgets

    func budget(_ edit: DocumentEdit) async throws {
        let period = edit.text("period") ?? "month"
        let values = BudgetForm.Values(
            name: (edit.text("name") ?? "").trimmed, limit: 0, category: edit.reference("category"),
            person: edit.person("person"), period: period,
            startDay: period == "month" ? Int32(edit.integer("start_day") ?? 1) : 1,
            rollsOver: edit.after["rolls_over"]?.bool ?? false)
        try await throwingFault("category, person: must belong to the household") {
            try await BudgetEdits.require(values, of: key.id.relabelled(), changes)
        }
        let starts = edit.day("starts_on") ?? WallClock.today()
        do {
            if edit.before == nil { try await BudgetEdits.requireRoom(changes) }
        } catch is TooMany {
            throw DocumentFault("the household already has \(StoredBudget.maximumBudgets) budgets")
        }
        _ = try await onConstraint(Self.nameFaults) {
            try await changes.query(
                """
                INSERT INTO budget AS b (household_id, id, name, category_id, person_id, period, start_day, rolls_over, starts_on)
                VALUES (\(household), \(key.id), \(values.name), \(values.category), \(values.person), \(values.period),
                    \(values.startDay)::smallint, \(values.rollsOver), \(starts))
                ON CONFLICT (household_id, id) DO UPDATE
                SET name = excluded.name, category_id = excluded.category_id, person_id = excluded.person_id,
                    period = excluded.period, start_day = excluded.start_day, rolls_over = excluded.rolls_over,
                    revision = b.revision + 1
                """)
        }
        let limits = Self.parts(edit.after, "limits") { $0["valid_from"]?.string.flatMap { LocalDate(parsing: $0) } }
        guard !limits.isEmpty else { throw DocumentFault("limits: must have at least one element") }
        let days = limits.keys.sorted()
        try await changes.query(batch: [
            """
            DELETE FROM budget_limit WHERE household_id = \(household) AND budget_id = \(key.id)
                AND NOT valid_from = ANY(\(days))
            """,
            """
            INSERT INTO budget_limit (household_id, budget_id, valid_from, limit_minor)
            SELECT \(household), \(key.id), t.day, t.amount
            FROM unnest(\(days)::date[], \(days.map { limits[$0]?["limit_minor"]?.integer ?? 0 })::bigint[]) AS t (day, amount)
            ON CONFLICT (household_id, budget_id, valid_from) DO UPDATE SET limit_minor = excluded.limit_minor
            """,
        ])
    }

    // MARK: Rules

    func rule(_ edit: DocumentEdit) async throws {
        let id: ExpenseRuleID = key.id.relabelled()
        let people = (edit.after["people"]?.array ?? []).compactMap { DocumentSchema.person($0) }
        let values = StoredRule.Values(
            contains: (edit.text("contains") ?? "").trimmed, minimumAmount: edit.integer("least_minor"),
            maximumAmount: edit.integer("most_minor"), category: edit.reference("category"),
            labels: try Self.labels(edit),
            people: Set(people).sorted())
        if let minimum = values.minimumAmount, let maximum = values.maximumAmount, minimum > maximum {
            throw DocumentFault("most_minor: must not be less than least_minor")
        }
        guard !values.rule.isEmpty else {
            throw DocumentFault("contains: this field, least_minor or most_minor is required")
        }
        guard values.category != nil || !values.labels.isEmpty || !values.people.isEmpty else {
            throw DocumentFault("category: this field, labels or people is required")
        }
        try await throwingFault("category, people: must belong to the household") {
            do {
                if edit.before == nil {
                    try await RuleEdits.insert(id, values, changes)
                } else {
                    try await RuleEdits.require(values, of: id, changes)
                    try await changes.query(RuleEdits.writing(values, to: id, household))
                }
            } catch is TooMany {
                throw DocumentFault("the household already has \(StoredRule.maximumRules) rules")
            }
        }
        guard let position = edit.integer("position"), edit.changes("position") else { return }
        try await changes.query(
            """
            UPDATE expense_rule SET position = \(Int32(position)) WHERE household_id = \(household) AND id = \(id)
            """)
    }

    // MARK: Recurring expenses

    func recurring(_ edit: DocumentEdit) async throws {
        let id: RecurringExpenseID = key.id.relabelled()
        guard let starts = edit.day("starts_on"), let amount = edit.integer("amount_minor") else {
            throw DocumentFault("starts_on, amount_minor: are required")
        }
        let last = WallClock.today().adding(days: 3_660)
        guard !edit.changes("starts_on") || starts >= .firstPurchaseDay && starts <= last else {
            throw DocumentFault("starts_on: must be from \(LocalDate.firstPurchaseDay.iso) to \(last.iso)")
        }
        let values = StoredRecurring.Values(
            name: (edit.text("name") ?? "").trimmed, category: edit.reference("category"),
            interval: edit.text("interval").flatMap(Recurrence.Interval.init(rawValue:)) ?? .month, starts: starts,
            amount: amount, tolerance: edit.integer("tolerance_percent") ?? 0,
            isPersonal: edit.after["is_personal"]?.bool ?? false)
        try await throwingFault("category: must belong to the household") {
            do {
                guard edit.before == nil else {
                    try await RecurringEdits.require(values, changes)
                    let isRenamed = edit.changes("name")
                    try await changes.query(
                        RecurringEdits.writing(values, to: id, isRenamed: isRenamed, changes, by: member))
                    return
                }
                try await RecurringEdits.insert(
                    id, values, payeeKey: edit.text("payee_key"),
                    isDismissed: edit.after["dismissed"]?.bool ?? false, changes, by: member)
            } catch is TooMany {
                throw DocumentFault("the household already has \(StoredRecurring.maximumStored) recurring expenses")
            }
        }
    }

    // MARK: Savings goals

    func goal(_ edit: DocumentEdit) async throws {
        guard let target = edit.integer("target_minor"), let until = edit.day("until") else {
            throw DocumentFault("target_minor, until: are required")
        }
        let today = WallClock.today()
        let last = today.adding(days: StoredGoal.maximumDays)
        guard !edit.changes("until") || until >= today && until <= last else {
            throw DocumentFault("until: must be from \(today.iso) to \(last.iso)")
        }
        do {
            if edit.before == nil { try await GoalEdits.requireRoom(changes) }
        } catch is TooMany {
            throw DocumentFault("the household already has \(StoredGoal.maximumGoals) savings goals")
        }
        _ = try await onConstraint(Self.nameFaults) {
            try await changes.query(
                """
                INSERT INTO savings_goal AS g (household_id, id, name, target_minor, starts_on, until)
                VALUES (\(household), \(key.id), \((edit.text("name") ?? "").trimmed), \(target), \(today), \(until))
                ON CONFLICT (household_id, id) DO UPDATE
                SET name = excluded.name, target_minor = excluded.target_minor, until = excluded.until,
                    starts_on = least(g.starts_on, excluded.until), revision = g.revision + 1
                """)
        }
        try await deposits(edit, of: key.id.relabelled(), today: today)
    }

    private func deposits(_ edit: DocumentEdit, of goal: SavingsGoalID, today: LocalDate) async throws {
        guard edit.changes("deposits") else { return }
        func id(_ part: JSONValue) -> SavingsDepositID? { part["id"]?.string.flatMap { SavingsDepositID($0) } }
        let (before, after) = (Self.parts(edit.before, "deposits", id), Self.parts(edit.after, "deposits", id))
        let changedDeposits = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let days = changedDeposits.map { $0.value["day"]?.string.flatMap { LocalDate(parsing: $0) } ?? today }
        guard days.allSatisfy({ $0 >= .firstPurchaseDay && $0 <= today }) else {
            throw DocumentFault("deposits: day must be from \(LocalDate.firstPurchaseDay.iso) to today")
        }
        let foreignDeposits = try await changes.query(
            """
            SELECT 1 FROM savings_deposit WHERE household_id = \(household) AND id = ANY(\(changedDeposits.map(\.key)))
                AND goal_id <> \(goal) LIMIT 1
            """)
        guard foreignDeposits.isEmpty else { throw DocumentFault("deposits: a deposit belongs to another goal") }
        try await changes.query(batch: [
            """
            DELETE FROM savings_deposit WHERE household_id = \(household) AND goal_id = \(goal)
                AND id = ANY(\(before.keys.filter { after[$0] == nil }.sorted()))
            """,
            """
            INSERT INTO savings_deposit (household_id, id, goal_id, day, amount_minor, person_id)
            SELECT \(household), t.id, \(goal), t.day, t.amount, \(member.person)
            FROM unnest(\(changedDeposits.map(\.key))::uuid[], \(days)::date[],
                \(changedDeposits.map { $0.value["amount_minor"]?.integer ?? 0 })::bigint[]) AS t (id, day, amount)
            ON CONFLICT (household_id, id) DO UPDATE SET day = excluded.day, amount_minor = excluded.amount_minor
            """,
        ])
    }
}
