import Domain
import Postgres

/// Applies a rule to existing expenses and receipts, and undoes such a run.
struct RuleRuns: Sendable {
    let database: Database

    /// A run that can be undone.
    struct StoredRun: Sendable {
        let id: RuleRunID
        let name: String
        /// When the rule was applied.
        let appliedAt: PostgresInstant
        /// The number of changed expenses that the member may see.
        let count: Int64
    }

    private static let maximumShown: Int32 = 10

    /// Selects the latest runs, newest first. Counts only expenses that the member may see; runs without such expenses
    /// are left out.
    static func query(_ member: Member) -> SQL {
        let changes = visibleChanges(member)
        return """
            SELECT n.id, n.name, n.applied_at, (SELECT count(*) \(changes)) FROM (
                SELECT n.household_id, n.id, n.name, n.applied_at FROM expense_rule_run n
                WHERE n.household_id = \(member.household) AND EXISTS (SELECT 1 \(changes))
                ORDER BY n.applied_at DESC, n.id DESC LIMIT \(maximumShown)) n
            ORDER BY n.applied_at DESC, n.id DESC
            """
    }

    /// A table expression with a condition: the changes of run `n` that the member may see.
    private static func visibleChanges(_ member: Member) -> SQL {
        """
        FROM expense_rule_change c JOIN expense e ON e.household_id = c.household_id AND e.id = c.expense_id
        LEFT JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
        WHERE c.household_id = n.household_id AND c.run_id = n.id AND \(ExpenseVisibility.condition(member))
            AND (r.id IS NULL OR \(Visibility.condition(member)))
        """
    }

    /// Applies a rule to the expenses of a trial, except those that were changed since the trial or would have too many
    /// labels.
    ///
    /// - Returns: the run and the number of changed expenses; nil if there was nothing to change.
    /// - Throws: `Conflict` if the rule was changed since the trial.
    func apply(
        _ rule: StoredRule, _ trial: [RuleTrial.Change], by member: Member
    ) async throws -> (id: RuleRunID, count: Int)? {
        guard !trial.isEmpty else { return nil }
        let run = RuleRunID.new()
        let values = rule.values
        return try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                """
                SELECT 1 FROM expense_rule WHERE household_id = \(household) AND id = \(rule.id)
                    AND revision = \(rule.revision)
                """,
                "SELECT person_id FROM membership WHERE household_id = \(household)",
            ])
            guard !rows[0].isEmpty else { throw Conflict() }
            let members = try rows[1].decode(PersonID.self)
            // Former members must not become part of a split.
            let people = values.people.filter(members.contains)
            try await changes.query(
                """
                INSERT INTO expense_rule_run (household_id, id, rule_id, name, people)
                VALUES (\(household), \(run), \(rule.id), \(values.contains.cut(to: 200)), \(people)::uuid[])
                """)
            var changedExpenses: [ChangedExpense] = []
            for batch in trial.batches(of: 5_000) {
                try await Self.insertMissingRows(batch, changes)
                changedExpenses += try await Self.apply(batch, values, run, canSplit: !people.isEmpty, changes)
            }
            let split = changedExpenses.filter(\.isSplit).map(\.id)
            try await changes.query(
                """
                INSERT INTO expense_share (household_id, expense_id, person_id, weight)
                SELECT \(household), e.id, p.id, 1 FROM unnest(\(split)::uuid[]) AS e (id)
                CROSS JOIN unnest(\(people)::uuid[]) AS p (id)
                """)
            changes.changed(.expense, changedExpenses.map(\.id))
            try await Self.recomputeSums(of: changedExpenses, changes)
            return (run, changedExpenses.count)
        }
    }

    /// Inserts a row for each receipt that had none in the trial.
    private static func insertMissingRows(_ trial: [RuleTrial.Change], _ changes: HouseholdTransaction) async throws {
        let receipts = trial.filter { $0.isReceipt && $0.revision == 0 }.map(\.id)
        guard !receipts.isEmpty else { return }
        try await changes.query(
            """
            INSERT INTO expense (household_id, id, receipt_id, person_id, revision)
            SELECT \(changes.household), t.id, r.id, \(changes.person), 0
            FROM unnest(\(receipts)::uuid[], \(receipts.map { _ in ExpenseID.new() })::uuid[]) AS t (receipt_id, id)
            JOIN receipt r ON r.household_id = \(changes.household) AND r.id = t.receipt_id
            WHERE r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
            ON CONFLICT (household_id, receipt_id) DO NOTHING
            """)
    }

    /// Recomputes the sums of the days in batches, so that no statement exceeds its time limit.
    private static func recomputeSums(
        of changedExpenses: [ChangedExpense], _ changes: HouseholdTransaction
    ) async throws {
        let receiptDays = Set(changedExpenses.filter(\.isReceipt).compactMap(\.day))
        for batch in receiptDays.sorted().batches(of: 400) {
            try await changes.query(batch: RollUps.spending(days: Set(batch), changes.household))
        }
        let days = Set(changedExpenses.compactMap(\.day)).subtracting(receiptDays)
        for batch in days.sorted().batches(of: 400) {
            try await changes.query(batch: ExpenseSums.statements(days: Set(batch), changes.household))
        }
    }

    private struct ChangedExpense: RowDecodable {
        let id: ExpenseID
        /// Nil for a receipt whose day was removed since the trial.
        let day: LocalDate?
        let isReceipt: Bool
        /// Whether the rule's split is added or removed.
        let isSplit: Bool

        init(from row: inout RowReader) throws(PostgresError) {
            id = try row.next()
            day = try row.next()
            isReceipt = try row.next()
            isSplit = try row.next()
        }
    }

    private static func apply(
        _ trial: [RuleTrial.Change], _ values: StoredRule.Values, _ run: RuleRunID, canSplit: Bool,
        _ changes: HouseholdTransaction
    ) async throws -> [ChangedExpense] {
        let household = changes.household
        let added = try await changes.query(
            """
            INSERT INTO expense_rule_change (household_id, run_id, expense_id, sets_category, category_before, source_before,
                category_after, labels_added, was_split)
            SELECT \(household), \(run), e.id, t.sets_category, e.category_id, e.category_source, \(values.category),
                n.labels, t.splits AND \(canSplit)
            FROM unnest(\(trial.map(\.id))::uuid[], \(trial.map(\.isReceipt))::boolean[],
                \(trial.map(\.revision))::bigint[], \(trial.map(\.setsCategory))::boolean[],
                \(trial.map(\.splits))::boolean[]) AS t (id, is_receipt, revision, sets_category, splits)
            CROSS JOIN LATERAL (
                SELECT * FROM expense o WHERE NOT t.is_receipt AND o.household_id = \(household) AND o.id = t.id
                UNION ALL
                SELECT * FROM expense o WHERE t.is_receipt AND o.household_id = \(household) AND o.receipt_id = t.id) e
            CROSS JOIN LATERAL (SELECT ARRAY(SELECT k FROM unnest(\(values.labels)::text[]) AS k
                WHERE NOT k = ANY(e.labels)) AS labels) n
            WHERE e.revision = t.revision AND e.discarded_at IS NULL
                AND cardinality(e.labels || n.labels) <= \(Int32(TypedExpense.maximumLabels))
                AND length(array_to_string(e.labels || n.labels, ' ')) <= \(Int32(TextLimit.labels))
            RETURNING expense_id
            """
        ).decode(ExpenseID.self)
        return try await changes.query(
            """
            UPDATE expense e SET revision = e.revision + 1, updated_at = now(),
                category_id = CASE WHEN c.sets_category THEN c.category_after ELSE e.category_id END,
                category_source = CASE WHEN c.sets_category THEN 'rule' ELSE e.category_source END,
                labels = e.labels || c.labels_added, split = CASE WHEN c.was_split THEN 'equal' ELSE e.split END
            FROM expense_rule_change c
            WHERE c.household_id = \(household) AND c.run_id = \(run) AND c.expense_id = ANY(\(added))
                AND e.household_id = \(household) AND e.id = c.expense_id
            RETURNING e.id, coalesce(e.day, \(receiptDay)), e.receipt_id IS NOT NULL, c.was_split
            """
        ).decode(ChangedExpense.self)
    }

    /// Restores the values from before the run, except those that were changed since. Does not change expenses that the
    /// member may not see; the run is kept for the members who may see them.
    ///
    /// - Returns: false if the run was already undone.
    /// - Throws: `Refusal.notFound`, also if the member may see none of the run's expenses.
    func undo(_ id: RuleRunID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                """
                SELECT v.id FROM expense_rule_run n
                CROSS JOIN LATERAL (SELECT c.expense_id AS id \(Self.visibleChanges(member))) v
                WHERE n.household_id = \(household) AND n.id = \(id)
                """,
                """
                SELECT 1 FROM expense_rule_run n WHERE n.household_id = \(household) AND n.id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM expense_rule_change c
                        WHERE c.household_id = n.household_id AND c.run_id = n.id)
                """,
                "SELECT 1 FROM operation WHERE household_id = \(household) AND id = \(id)",
            ])
            let visible = try rows[0].decode(ExpenseID.self)
            guard !visible.isEmpty || !rows[1].isEmpty else {
                guard !rows[2].isEmpty else { throw Refusal.notFound }
                return false
            }
            // The run was logged at the time at which it was applied.
            let readded = LabelHistory.wasMissing("u.k", from: "o.id", since: "c.changed_at > n.applied_at", household)
            let changedExpenses = try await changes.query(
                """
                UPDATE expense e SET revision = e.revision + 1, updated_at = now(),
                    category_id = CASE WHEN b.is_own THEN b.restored ELSE e.category_id END,
                    category_source = CASE WHEN b.is_own THEN b.source_before ELSE e.category_source END,
                    labels = ARRAY(SELECT k FROM unnest(e.labels) AS k WHERE NOT k = ANY(b.own_labels)),
                    split = CASE WHEN b.is_split THEN '' ELSE e.split END
                FROM (SELECT c.*, c.sets_category AND o.category_source = 'rule'
                        AND o.category_id IS NOT DISTINCT FROM c.category_after AS is_own,
                        c.was_split AND o.split = 'equal' AND (n.people IS NULL
                            OR ARRAY(SELECT s.person_id FROM expense_share s
                                WHERE s.household_id = o.household_id AND s.expense_id = o.id ORDER BY 1)
                                = ARRAY(SELECT unnest(n.people) ORDER BY 1)) AS is_split,
                        ARRAY(SELECT u.k FROM unnest(c.labels_added) AS u (k) WHERE NOT \(readded)) AS own_labels,
                        -- NULL if the category was removed since.
                        k.id AS restored
                    FROM expense_rule_change c
                    JOIN expense_rule_run n ON n.household_id = c.household_id AND n.id = c.run_id
                    JOIN expense o ON o.household_id = c.household_id AND o.id = c.expense_id
                    LEFT JOIN category k ON k.household_id = c.household_id AND k.id = c.category_before
                    WHERE c.household_id = \(household) AND c.run_id = \(id) AND c.expense_id = ANY(\(visible))) b
                WHERE e.household_id = \(household) AND e.id = b.expense_id
                RETURNING e.id, coalesce(e.day, \(Self.receiptDay)), e.receipt_id IS NOT NULL, b.is_split
                """
            ).decode(ChangedExpense.self)
            try await changes.query(
                batch: [
                    """
                    DELETE FROM expense_share WHERE household_id = \(household)
                        AND expense_id = ANY(\(changedExpenses.filter(\.isSplit).map(\.id)))
                    """,
                    """
                    DELETE FROM expense_rule_change WHERE household_id = \(household) AND run_id = \(id)
                        AND expense_id = ANY(\(visible))
                    """,
                    """
                    DELETE FROM expense_rule_run n WHERE n.household_id = \(household) AND n.id = \(id)
                        AND NOT EXISTS (SELECT 1 FROM expense_rule_change c
                            WHERE c.household_id = n.household_id AND c.run_id = n.id)
                    """,
                    "INSERT INTO operation (household_id, id) VALUES (\(household), \(id)) ON CONFLICT DO NOTHING",
                ])
            changes.changed(.expense, changedExpenses.map(\.id))
            try await Self.recomputeSums(of: changedExpenses, changes)
            return true
        }
    }

    /// The day of the receipt of expense `e`; NULL when its day was removed since.
    private static let receiptDay: SQL = """
        (SELECT r.purchase_day FROM receipt r WHERE r.household_id = e.household_id AND r.id = e.receipt_id)
        """
}
