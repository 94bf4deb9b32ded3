import Domain
import Postgres

extension ExpenseBulkEdits {
    /// A change of the categories, payers or labels of expenses and receipts, identified by one of their rows in
    /// `expense`.
    struct Change: Sendable {
        let expense: ExpenseID
        /// The revision of the row after the change.
        let revision: Int64
        /// The number of changed rows.
        let count: Int

        /// A path to which a POST undoes the change.
        var undo: String { "/expenses/\(expense)/changes/removal?revision=\(revision)" }
    }

    /// Restores the categories, payers and labels from before a change by the member. Does not restore values that were
    /// changed since, even if they were later changed back.
    ///
    /// - Parameters:
    ///   - id: the row of one of the changed expenses or receipts.
    ///   - revision: the revision of this row after the change.
    /// - Returns: the number of restored rows; 0 if the change was undone before.
    /// - Throws: `AlreadyDeleted`, `Refusal.notFound`.
    func undoChange(of id: ExpenseID, revision: Int64, by member: Member) async throws -> Int {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let seen = try await changes.query(
                """
                SELECT 1 FROM expense e LEFT JOIN receipt r ON r.household_id = e.household_id AND r.id = e.receipt_id
                WHERE e.household_id = \(household) AND e.id = \(id) AND \(Self.isSeen(by: member))
                """)
            guard !seen.isEmpty else { throw try await changes.errorForMissing(id) }
            let restored = try await changes.query(Self.restoration(id, revision, member)).decode(
                (ExpenseID, LocalDate?, Bool).self)
            guard !restored.isEmpty else { return 0 }
            changes.changed(.expense, restored.map(\.0))
            let receiptDays = Set(restored.filter(\.2).compactMap(\.1))
            let days = Set(restored.compactMap(\.1)).subtracting(receiptDays)
            try await changes.query(
                batch: RollUps.spending(days: receiptDays, household)
                    + ExpenseSums.statements(days: days, household))
            return restored.count
        }
    }

    /// A condition on the row `e` of an expense or of the receipt `r`: the member may see the expense.
    private static func isSeen(by member: Member) -> SQL {
        "(\(ExpenseVisibility.condition(member)) AND (r.id IS NULL OR \(Visibility.condition(member))))"
    }

    /// Returns the statement for `undoChange`. It finds the other rows of the change in the change log: entries of one
    /// transaction have the same time and consecutive numbers. As a change has at most 1,000 rows, 2,000 numbers in
    /// each direction suffice.
    private static func restoration(_ id: ExpenseID, _ revision: Int64, _ member: Member) -> SQL {
        let household = member.household
        let readded = LabelHistory.wasMissing(
            "n.label", from: "m.document_id", since: "c.revision > m.revision", household)
        return """
            UPDATE expense g SET revision = g.revision + 1, updated_at = now(),
                category_id = CASE WHEN x.is_category THEN x.category_id ELSE g.category_id END,
                category_source = CASE WHEN x.is_category THEN x.category_source ELSE g.category_source END,
                paid_by = CASE WHEN x.is_payer THEN x.paid_by ELSE g.paid_by END,
                labels = ARRAY(SELECT u.k FROM unnest(g.labels) WITH ORDINALITY AS u (k, n)
                    WHERE NOT u.k = ANY(x.added) ORDER BY u.n)
            FROM (
                SELECT e.id, coalesce(e.day, r.purchase_day) AS day, k.id AS category_id,
                    b.body ->> 'category_source' AS category_source, p.id AS paid_by,
                    \(isOwn("'category_id'", household)) AND e.category_id IS NOT DISTINCT FROM (m.body ->> 'category_id')::uuid
                        AND e.category_source = m.body ->> 'category_source'
                        AND (k.id IS NOT NULL OR b.body ->> 'category_id' IS NULL) AS is_category,
                    \(isOwn("'paid_by'", household)) AND e.paid_by IS NOT DISTINCT FROM (m.body ->> 'paid_by')::uuid
                        AND (p.id IS NOT NULL OR b.body ->> 'paid_by' IS NULL) AS is_payer,
                    ARRAY(SELECT n.label FROM jsonb_array_elements_text(m.body -> 'labels') AS n (label)
                        WHERE NOT b.body -> 'labels' ? n.label AND NOT \(readded)) AS added
                FROM change_log t
                JOIN change_log m ON m.household_id = t.household_id AND m.changed_at = t.changed_at
                    AND m.seq BETWEEN t.seq - 2000 AND t.seq + 2000 AND m.document_type = 'expense' AND NOT m.deleted
                CROSS JOIN LATERAL (
                    (SELECT l.body FROM change_log l
                    WHERE l.household_id = \(household) AND l.document_id = m.document_id
                        AND l.document_type = 'expense' AND l.revision < m.revision AND NOT l.deleted
                    ORDER BY l.revision DESC LIMIT 1)
                    UNION ALL
                    -- The change has created the row of a receipt.
                    SELECT '{"category_id": null, "category_source": "", "paid_by": null, "labels": []}'::jsonb
                    WHERE m.revision = 1 AND m.body ->> 'receipt_id' IS NOT NULL) b
                JOIN expense e ON e.household_id = \(household) AND e.id = m.document_id
                LEFT JOIN receipt r ON r.household_id = \(household) AND r.id = e.receipt_id
                LEFT JOIN category k ON k.household_id = \(household)
                    AND k.id = (b.body ->> 'category_id')::uuid
                LEFT JOIN person p ON p.id = (b.body ->> 'paid_by')::uuid
                WHERE t.household_id = \(household) AND t.document_id = \(id) AND t.document_type = 'expense'
                    AND t.revision = \(revision) AND t.person_id = \(member.person) AND \(isSeen(by: member))) x
            WHERE g.household_id = \(household) AND g.id = x.id
                AND (x.is_category OR x.is_payer OR g.labels && x.added)
            RETURNING g.id, x.day, g.receipt_id IS NOT NULL
            """
    }

    /// A condition on the log entry `m` and the contents `b` before it: the entry changed the value, and no later entry
    /// has changed it again.
    private static func isOwn(_ key: SQL, _ household: HouseholdID) -> SQL {
        """
        m.body -> \(key) <> b.body -> \(key) AND NOT EXISTS (SELECT 1 FROM change_log c
            WHERE c.household_id = \(household) AND c.document_id = m.document_id AND c.document_type = 'expense'
                AND c.revision > m.revision AND NOT c.deleted AND c.body -> \(key) <> m.body -> \(key))
        """
    }
}
