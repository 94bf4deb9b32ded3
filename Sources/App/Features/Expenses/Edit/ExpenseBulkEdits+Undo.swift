import Domain
import Postgres

extension ExpenseBulkEdits {
    /// A change of the categories or labels of expenses, identified by one of them.
    struct Change: Sendable {
        let expense: ExpenseID
        /// The revision of the expense after the change.
        let revision: Int64
        /// The number of changed expenses.
        let count: Int

        /// - Parameter stored: the expenses before the change. Returns nil if there is none.
        init?(of stored: [StoredExpense]) {
            guard let first = stored.first else { return nil }
            expense = first.id
            revision = first.revision + 1
            count = stored.count
        }

        /// A path to which a POST undoes the change.
        var undo: String { "/expenses/\(expense)/changes/removal?revision=\(revision)" }
    }

    /// Restores the categories and labels from before a change by the member, except those that were changed since.
    ///
    /// - Parameters:
    ///   - id: one of the changed expenses.
    ///   - revision: its revision after the change.
    /// - Returns: the number of restored expenses; 0 if the change was undone before.
    /// - Throws: `Ended`, `Refusal.notFound`.
    func undoChange(of id: ExpenseID, revision: Int64, by member: Member) async throws -> Int {
        var count = 0
        try await change([id], by: member) { _, changes in
            let restored = try await changes.query(Self.restoration(id, revision, member)).decode(
                (ExpenseID, LocalDate).self)
            count = restored.count
            guard count > 0 else { return }
            changes.changed(.expense, restored.map(\.0))
            try await changes.query(
                batch: ExpenseSums.statements(days: Set(restored.map(\.1)), changes.household))
        }
        return count
    }

    /// Returns the statement for `undoChange`. It finds the other expenses of the change in the change log: entries of
    /// one transaction have the same time and consecutive numbers. As a change has at most 1,000 expenses, 2,000
    /// numbers in each direction suffice.
    private static func restoration(_ id: ExpenseID, _ revision: Int64, _ member: Member) -> SQL {
        let household = member.household
        return """
            UPDATE expense e SET revision = e.revision + 1, updated_at = now(),
                category_id = CASE WHEN x.is_category THEN x.category_id ELSE e.category_id END,
                category_source = CASE WHEN x.is_category THEN x.category_source ELSE e.category_source END,
                labels = ARRAY(SELECT u.k FROM unnest(e.labels) WITH ORDINALITY AS u (k, n)
                    WHERE NOT u.k = ANY(x.added) ORDER BY u.n)
            FROM (
                SELECT o.id, k.id AS category_id, b.body ->> 'category_source' AS category_source,
                    m.body -> 'category_id' <> b.body -> 'category_id'
                        AND o.category_id IS NOT DISTINCT FROM (m.body ->> 'category_id')::uuid
                        AND o.category_source = m.body ->> 'category_source'
                        AND (k.id IS NOT NULL OR b.body ->> 'category_id' IS NULL) AS is_category,
                    ARRAY(SELECT jsonb_array_elements_text(m.body -> 'labels')
                        EXCEPT SELECT jsonb_array_elements_text(b.body -> 'labels')) AS added
                FROM change_log t
                JOIN change_log m ON m.household_id = t.household_id AND m.changed_at = t.changed_at
                    AND m.seq BETWEEN t.seq - 2000 AND t.seq + 2000 AND m.document_type = 'expense' AND NOT m.deleted
                CROSS JOIN LATERAL (SELECT l.body FROM change_log l
                    WHERE l.household_id = \(household) AND l.document_id = m.document_id
                        AND l.document_type = 'expense' AND l.revision < m.revision AND NOT l.deleted
                    ORDER BY l.revision DESC LIMIT 1) b
                JOIN expense o ON o.household_id = \(household) AND o.id = m.document_id
                LEFT JOIN category k ON k.household_id = \(household)
                    AND k.id = (b.body ->> 'category_id')::uuid
                WHERE t.household_id = \(household) AND t.document_id = \(id) AND t.document_type = 'expense'
                    AND t.revision = \(revision) AND t.person_id = \(member.person)) x
            WHERE e.household_id = \(household) AND e.id = x.id AND e.receipt_id IS NULL
                AND (x.is_category OR e.labels && x.added) AND \(ExpenseVisibility.condition(member))
            RETURNING e.id, e.day
            """
    }
}
