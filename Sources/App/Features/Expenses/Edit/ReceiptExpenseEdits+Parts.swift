import Domain
import Postgres

/// Updates the rows in `expense` when a receipt is separated into two, or when receipts are joined into one. The sum of
/// the stated amounts does not change.
extension ReceiptExpenseEdits {
    /// Copies the category, the labels, the payer and the split of a receipt to `second`, the receipt that was
    /// separated from it. Divides the stated amount between both. In a split by line, the moved lines keep their
    /// people. The caller recomputes the shares.
    static func separate(_ first: ReceiptID, _ second: ReceiptID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let copied = try await changes.query(
            """
            INSERT INTO expense (household_id, id, receipt_id, person_id, category_id, category_source, labels, paid_by,
                paid_on, split, shared_by, discarded_at)
            SELECT \(household), \(ExpenseID.new()), \(second), \(changes.person), e.category_id, e.category_source,
                e.labels, e.paid_by, e.paid_on, e.split, e.shared_by, e.discarded_at
            FROM expense e WHERE e.household_id = \(household) AND e.receipt_id = \(first)
                AND (e.category_id IS NOT NULL OR e.labels <> '{}' OR e.paid_by IS NOT NULL OR e.paid_on IS NOT NULL
                    OR e.split <> '')
            RETURNING id
            """
        ).decode(ExpenseID.self)
        if let copy = copied.first { try await copyShares(of: first, to: copy, second, changes) }
        changes.changed(.expense, copied)
        try await divideStated(first, second, changes)
    }

    /// Copies the shares of the first receipt to `copy`, the row in `expense` of the second receipt. Also moves the
    /// people of the second receipt's lines to this row.
    private static func copyShares(
        of first: ReceiptID, to copy: ExpenseID, _ second: ReceiptID, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let results = try await changes.query(batch: [
            """
            INSERT INTO expense_share (household_id, expense_id, person_id, weight)
            SELECT \(household), \(copy), x.person_id, x.weight FROM expense e
            JOIN expense_share x ON x.household_id = \(household) AND x.expense_id = e.id
            WHERE e.household_id = \(household) AND e.receipt_id = \(first)
            """,
            """
            UPDATE expense_line x SET expense_id = \(copy) FROM expense e, receipt_line l
            WHERE x.household_id = \(household) AND e.household_id = \(household) AND e.receipt_id = \(first)
                AND x.expense_id = e.id AND l.household_id = \(household) AND l.id = x.line_id
                AND l.receipt_id = \(second)
            RETURNING e.id
            """,
        ])
        guard let id = try results[1].first(ExpenseID.self) else { return }
        // The document of the first receipt contains the people of its lines.
        try await changes.query(
            """
            UPDATE expense SET revision = revision + 1, updated_at = now()
            WHERE household_id = \(household) AND id = \(id)
            """)
        changes.changed(.expense, id)
    }

    /// Divides the stated amount in proportion to the totals of the two receipts.
    private static func divideStated(
        _ first: ReceiptID, _ second: ReceiptID, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        func total(_ receipt: ReceiptID) -> SQL {
            "(SELECT \(RollUps.total) FROM receipt r WHERE r.household_id = \(household) AND r.id = \(receipt))"
        }
        let stored = try await changes.query(
            """
            SELECT e.id, e.stated_minor, e.stated_currency, \(total(first)), \(total(second)) FROM expense e
            WHERE e.household_id = \(household) AND e.receipt_id = \(first) AND e.stated_minor IS NOT NULL
            """
        ).first((ExpenseID, Int64, String, Int64?, Int64?).self)
        guard let (id, stated, currency, ofFirst, ofSecond) = stored, let firstTotal = ofFirst,
            let secondTotal = ofSecond, firstTotal > 0, secondTotal > 0
        else { return }
        let part = Int64(Int128(stated) * Int128(firstTotal) / Int128(firstTotal + secondTotal))
        guard part > 0, part < stated else { return }
        let rows = try await changes.query(batch: [
            """
            UPDATE expense SET stated_minor = \(part), revision = revision + 1, updated_at = now()
            WHERE household_id = \(household) AND id = \(id)
            """,
            """
            INSERT INTO expense (household_id, id, receipt_id, person_id, stated_minor, stated_currency)
            VALUES (\(household), \(ExpenseID.new()), \(second), \(changes.person), \(stated - part), \(currency))
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET stated_minor = excluded.stated_minor, stated_currency = excluded.stated_currency
            RETURNING id
            """,
        ])
        let new = try rows[1].decode(ExpenseID.self)
        changes.changed(.expense, [id] + new)
    }

    /// Adds the stated amounts of the receipts that are joined to the first one. The caller deletes the others.
    static func joinStated(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard let first = receipts.first else { return }
        let household = changes.household
        let sum = try await changes.query(
            """
            SELECT sum(e.stated_minor)::bigint, h.currency FROM expense e JOIN household h ON h.id = \(household)
            WHERE e.household_id = \(household) AND e.receipt_id = ANY(\(receipts)) AND e.stated_currency = h.currency
            GROUP BY h.currency HAVING bool_or(e.receipt_id <> \(first))
            """
        ).first((Int64, String).self)
        guard let (stated, currency) = sum, stated <= Amount.limit else { return }
        let changed = try await changes.query(
            """
            INSERT INTO expense AS e (household_id, id, receipt_id, person_id, stated_minor, stated_currency)
            VALUES (\(household), \(ExpenseID.new()), \(first), \(changes.person), \(stated), \(currency))
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET stated_minor = excluded.stated_minor, stated_currency = excluded.stated_currency,
                revision = e.revision + 1, updated_at = now()
            RETURNING e.id
            """
        ).decode(ExpenseID.self)
        changes.changed(.expense, changed)
    }

    /// An SQL expression: the row in `expense` of the receipt `s`, with its shares and the people of its lines, as JSON;
    /// NULL without a row.
    static func recorded(_ household: HouseholdID) -> SQL {
        """
        (SELECT to_jsonb(e) || jsonb_build_object('shares', to_jsonb(ARRAY(SELECT to_jsonb(x) FROM expense_share x
                WHERE x.household_id = \(household) AND x.expense_id = e.id)),
                'lines', to_jsonb(ARRAY(SELECT to_jsonb(x) FROM expense_line x
                WHERE x.household_id = \(household) AND x.expense_id = e.id)))
            FROM expense e WHERE e.household_id = \(household) AND e.receipt_id = s.id)
        """
    }

    /// Statements that insert the recorded shares and the people of the lines, if the receipt has the recorded row.
    /// They return the identifier of the row in `expense`, once for each inserted row.
    static func splitRows(_ recorded: PostgresJSON, of receipt: ReceiptID, _ household: HouseholdID) -> [SQL] {
        [
            """
            INSERT INTO expense_share (household_id, expense_id, person_id, weight)
            SELECT \(household), x.expense_id, x.person_id, x.weight
            FROM jsonb_populate_recordset(NULL::expense_share, \(recorded)::jsonb -> 'shares') x
            JOIN expense e ON e.household_id = \(household) AND e.id = x.expense_id AND e.receipt_id = \(receipt)
            ON CONFLICT DO NOTHING RETURNING expense_id
            """,
            """
            INSERT INTO expense_line (household_id, expense_id, line_id, person_id)
            SELECT \(household), x.expense_id, l.id, x.person_id
            FROM jsonb_populate_recordset(NULL::expense_line, \(recorded)::jsonb -> 'lines') x
            JOIN expense e ON e.household_id = \(household) AND e.id = x.expense_id AND e.receipt_id = \(receipt)
            JOIN receipt_line l ON l.household_id = \(household) AND l.id = x.line_id AND l.receipt_id = \(receipt)
            ON CONFLICT DO NOTHING RETURNING expense_id
            """,
        ]
    }

    /// Restores the row in `expense` that a join has deleted, with its shares and the people of its lines. Does nothing
    /// if a client has stored the document again since.
    ///
    /// - Parameter recorded: the value of `recorded` before the join; an empty object if it was NULL.
    static func insertAgain(
        _ recorded: PostgresJSON, of receipt: ReceiptID, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let insertion: SQL = """
            INSERT INTO expense (household_id, id, receipt_id, category_id, category_source, note, labels, person_id, paid_by,
                paid_on, split, shared_by, stated_minor, stated_currency, created_at, discarded_at, revision)
            SELECT \(household), p.id, \(receipt),
                (SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = p.category_id),
                p.category_source, p.note, p.labels, p.person_id, p.paid_by, p.paid_on, p.split, p.shared_by,
                p.stated_minor, p.stated_currency, p.created_at, p.discarded_at,
                -- Follows the revision of the deletion in the change log.
                (SELECT coalesce(max(l.revision), p.revision) + 1 FROM change_log l
                    WHERE l.household_id = \(household) AND l.document_id = p.id)
            FROM jsonb_populate_record(NULL::expense, \(recorded)::jsonb) p WHERE p.id IS NOT NULL
            ON CONFLICT DO NOTHING RETURNING id
            """
        let rows = try await changes.query(batch: [insertion] + splitRows(recorded, of: receipt, household))
        changes.changed(.expense, try rows[0].decode(ExpenseID.self))
    }
}
