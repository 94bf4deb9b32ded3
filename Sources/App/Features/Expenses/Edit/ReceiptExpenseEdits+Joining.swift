import Domain
import Postgres

extension ReceiptExpenseEdits {
    /// Adds the labels of the other receipts to the first receipt, to which they are joined. Also copies their
    /// category, payer and payment date if the first receipt has none. The caller deletes the other receipts.
    static func joinValues(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard let first = receipts.first, receipts.count > 1 else { return }
        let household = changes.household
        let changed = try await changes.query(
            """
            WITH other AS (
                SELECT o.*, array_position(\(receipts)::uuid[], o.receipt_id) AS n FROM expense o
                WHERE o.household_id = \(household) AND o.receipt_id = ANY(\(Array(receipts.dropFirst())))
                    AND o.discarded_at IS NULL),
            given AS (
                SELECT (SELECT o.category_id FROM other o WHERE o.category_id IS NOT NULL ORDER BY o.n LIMIT 1)
                        AS category_id,
                    (SELECT o.category_source FROM other o WHERE o.category_id IS NOT NULL ORDER BY o.n LIMIT 1)
                        AS category_source,
                    (SELECT o.paid_by FROM other o WHERE o.paid_by IS NOT NULL ORDER BY o.n LIMIT 1) AS paid_by,
                    (SELECT o.paid_on FROM other o WHERE o.paid_on IS NOT NULL ORDER BY o.n LIMIT 1) AS paid_on,
                    ARRAY(SELECT u.k FROM other o CROSS JOIN LATERAL unnest(o.labels) AS u (k)
                        GROUP BY u.k ORDER BY min(o.n), u.k) AS labels)
            INSERT INTO expense AS e (household_id, id, receipt_id, person_id, category_id, category_source, labels, paid_by,
                paid_on)
            SELECT \(household), \(ExpenseID.new()), \(first), \(changes.person), g.category_id,
                coalesce(g.category_source, ''), CASE WHEN \(fits("g.labels")) THEN g.labels ELSE '{}' END, g.paid_by, g.paid_on
            FROM given g
            WHERE g.category_id IS NOT NULL OR g.labels <> '{}' OR g.paid_by IS NOT NULL OR g.paid_on IS NOT NULL
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET category_source = CASE WHEN e.category_id IS NULL THEN excluded.category_source ELSE e.category_source END,
                category_id = coalesce(e.category_id, excluded.category_id),
                paid_by = coalesce(e.paid_by, excluded.paid_by), paid_on = coalesce(e.paid_on, excluded.paid_on),
                labels = (SELECT CASE WHEN \(fits("m.labels")) THEN m.labels ELSE e.labels END
                    FROM (SELECT e.labels || ARRAY(SELECT k FROM unnest(excluded.labels) AS k
                        WHERE NOT k = ANY(e.labels)) AS labels) m),
                -- Restores a row that a sync client has deleted.
                discarded_at = NULL, revision = e.revision + 1, updated_at = now()
            RETURNING e.id
            """
        ).decode(ExpenseID.self)
        changes.changed(.expense, changed)
    }

    /// A condition: an expense can have these labels.
    private static func fits(_ labels: SQL) -> SQL {
        """
        (cardinality(\(labels)) <= \(Int32(TypedExpense.maximumLabels))
            AND length(array_to_string(\(labels), ' ')) <= \(Int32(TextLimit.labels)))
        """
    }

    /// Restores the values and the split of the receipt to which others were joined. Called after its lines were
    /// restored.
    ///
    /// - Parameter recorded: the value of `recorded` before the join; an empty object if it was NULL.
    static func restoreValues(
        _ recorded: PostgresJSON, of receipt: ReceiptID, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let changed = try await changes.query(
            """
            UPDATE expense e SET stated_minor = p.stated_minor, stated_currency = p.stated_currency,
                category_id = p.category_id, category_source = p.category_source, labels = p.labels, paid_by = p.paid_by,
                paid_on = p.paid_on, split = p.split, shared_by = coalesce(p.shared_by, e.shared_by),
                revision = e.revision + 1, updated_at = now()
            FROM (SELECT p.stated_minor, p.stated_currency, (SELECT c.id FROM category c
                        WHERE c.household_id = \(household) AND c.id = p.category_id) AS category_id,
                    coalesce(p.category_source, '') AS category_source, coalesce(p.labels, '{}') AS labels, p.paid_by,
                    p.paid_on, coalesce(p.split, '') AS split,
                    -- Joins by earlier versions did not record the people of the lines. All lines would then be shared,
                    -- so the value is not restored.
                    CASE WHEN \(recorded)::jsonb ? 'lines' OR p.id IS NULL THEN coalesce(p.shared_by, '{}') END AS shared_by
                FROM jsonb_populate_record(NULL::expense, \(recorded)::jsonb) p) p
            WHERE e.household_id = \(household) AND e.receipt_id = \(receipt)
                AND (e.stated_minor, e.stated_currency, e.category_id, e.category_source, e.labels, e.paid_by, e.paid_on,
                        e.split, e.shared_by)
                    IS DISTINCT FROM (p.stated_minor, p.stated_currency, p.category_id, p.category_source, p.labels,
                        p.paid_by, p.paid_on, p.split, coalesce(p.shared_by, e.shared_by))
            RETURNING e.id
            """
        ).decode(ExpenseID.self)
        let removal: SQL = """
            DELETE FROM expense_share x USING expense e
            WHERE x.household_id = \(household) AND x.expense_id = e.id AND e.household_id = \(household)
                AND e.receipt_id = \(receipt) AND NOT EXISTS (
                    SELECT 1 FROM jsonb_populate_recordset(NULL::expense_share, \(recorded)::jsonb -> 'shares') s
                    WHERE s.person_id = x.person_id AND s.weight = x.weight)
            RETURNING x.expense_id
            """
        let rows = try await changes.query(batch: [removal] + splitRows(recorded, of: receipt, household))
        let split = try rows.flatMap { try $0.decode(ExpenseID.self) }.filter { !changed.contains($0) }
        if let id = split.first {
            try await changes.query(
                """
                UPDATE expense SET revision = revision + 1, updated_at = now()
                WHERE household_id = \(household) AND id = \(id)
                """)
        }
        changes.changed(.expense, changed + split.prefix(1))
    }
}
