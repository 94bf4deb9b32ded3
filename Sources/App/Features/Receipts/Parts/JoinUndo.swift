import Domain
import Postgres

/// Undoes a join: every part becomes a receipt again, with its lines, files and pictures.
struct JoinUndo: Sendable {
    let database: Database

    enum Outcome: Sendable {
        case undone
        /// The receipt was never joined, the join is undone already, or the joined receipt has since been edited,
        /// confirmed or discarded.
        case nothingToUndo
    }

    /// - Throws: `Refusal.notFound`.
    func run(_ id: ReceiptID, _ member: Member) async throws -> Outcome {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                """
                SELECT r.discarded_at IS NULL AND r.stage <> \(Stage.confirmed.sql) FROM receipt r
                WHERE r.household_id = \(household) AND r.id = \(id) AND \(Visibility.condition(member))
                """,
                """
                SELECT (p.value -> 'body' ->> 'id')::uuid, p.value -> 'body',
                    -- The part's own reading, for a later join. A part that still waits to be read has no reading.
                    CASE WHEN jsonb_typeof(p.value -> 'read') = 'object'
                        THEN coalesce(nullif(p.value -> 'joined', 'null'), '{}') || jsonb_build_object('read', p.value -> 'read')
                        ELSE nullif(p.value -> 'joined', 'null') END,
                    ARRAY(SELECT jsonb_array_elements_text(p.value -> 'files')::uuid),
                    ARRAY(SELECT jsonb_array_elements_text(p.value -> 'repeats')::uuid),
                    p.value -> 'body' ->> 'stage' = \(Stage.reading.sql), jsonb_array_length(p.value -> 'body' -> 'pages')::bigint,
                    -- The part's expense; NULL if the join was recorded by a version that did not store it.
                    CASE WHEN p.value ? 'expense' THEN coalesce(nullif(p.value -> 'expense', 'null'), '{}') END
                FROM receipt r, jsonb_array_elements(r.joined -> 'parts') WITH ORDINALITY p (value, n)
                WHERE r.household_id = \(household) AND r.id = \(id) ORDER BY p.n
                """,
            ])
            guard let isOpen = try rows[0].first(Bool.self) else { throw Refusal.notFound }
            let parts = try rows[1].decode(Part.self)
            guard isOpen, parts.count > 1, parts[0].id == id else { return .nothingToUndo }
            try await LineSplit.removeLines(of: id, changes)
            var statements: [SQL] = [
                "DELETE FROM job WHERE household_id = \(household) AND subject_id = \(id)",
                "DELETE FROM receipt_line WHERE household_id = \(household) AND receipt_id = \(id)",
                restore(parts[0], household),
            ]
            for part in parts.dropFirst() { statements.append(insertAgain(part, household)) }
            statements += movePages(parts, household)
            for part in parts.dropFirst() { statements.append(moveFiles(part, outOf: id, household)) }
            for part in parts { statements += restoreContents(part, household) }
            if parts.contains(where: \.isReading) { statements.append(JobQueue.notify) }
            try await changes.query(batch: statements)
            changes.changed(.receipt, parts.map(\.id))
            if let expense = parts[0].expense { try await ReceiptExpenseEdits.restoreValues(expense, of: id, changes) }
            for part in parts.dropFirst() {
                if let expense = part.expense {
                    try await ReceiptExpenseEdits.insertAgain(expense, of: part.id, changes)
                }
                changes.changed(
                    .receipt,
                    try await changes.query(restoreDuplicates(part, outOf: id, household)).decode(ReceiptID.self))
            }
            return .undone
        }
    }

    private struct Part: RowDecodable {
        let id: ReceiptID
        /// The document of the part from the change log.
        let body: PostgresJSON
        /// The record of an earlier join, if the part is itself a joined receipt; else only the part's last reading.
        let joined: PostgresJSON?
        let files: [FileID]
        /// The receipts that were duplicates of the part.
        let repeats: [ReceiptID]
        let isReading: Bool
        /// Number of pages.
        let pageCount: Int64
        /// The row of the part in `expense`; an empty object if it had none.
        let expense: PostgresJSON?

        init(from row: inout RowReader) throws(PostgresError) {
            id = try row.next()
            body = try row.next()
            joined = try row.next()
            files = try row.next()
            repeats = try row.next()
            isReading = try row.next()
            pageCount = try row.next()
            expense = try row.next()
        }
    }

    // MARK: Statements

    /// Restores the head of the first part, whose row became the joined receipt.
    private func restore(_ part: Part, _ household: HouseholdID) -> SQL {
        """
        UPDATE receipt r SET stage = p.stage, verdict = p.verdict, reasons = p.reasons,
            store_id = (SELECT s.id FROM store s WHERE s.household_id = r.household_id AND s.id = p.store_id),
            printed_store = p.printed_store, purchase_day = p.purchase_day, purchase_time = p.purchase_time,
            currency = p.currency, total_minor = p.total_minor, doubts = p.doubts, marks = p.marks,
            evidence = p.evidence, purchase_key = p.purchase_key, duplicate_of = NULL, person_id = p.person_id,
            note = p.note, hidden_until = p.hidden_until, joined = \(part.joined), revision = r.revision + 1
        FROM jsonb_populate_record(NULL::receipt, \(part.body)) p
        WHERE r.household_id = \(household) AND r.id = \(part.id)
        """
    }

    /// Inserts the row of a part that the join deleted.
    private func insertAgain(_ part: Part, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO receipt (household_id, id, stage, verdict, reasons, store_id, printed_store, purchase_day,
            purchase_time, currency, total_minor, doubts, marks, evidence, purchase_key, person_id, source, note,
            hidden_until, created_at, joined, revision)
        SELECT \(household), \(part.id), p.stage, p.verdict, p.reasons,
            (SELECT s.id FROM store s WHERE s.household_id = \(household) AND s.id = p.store_id), p.printed_store,
            p.purchase_day, p.purchase_time, p.currency, p.total_minor, p.doubts, p.marks, p.evidence,
            p.purchase_key, p.person_id, p.source, p.note, p.hidden_until, p.created_at, \(part.joined),
            -- The next revision after the deletion in the change log.
            (SELECT max(c.revision) + 1 FROM change_log c
                WHERE c.household_id = \(household) AND c.document_id = \(part.id))
        FROM jsonb_populate_record(NULL::receipt, \(part.body)) p
        """
    }

    /// Returns the pages to their parts, with their original page numbers. The joined receipt has the pages of all
    /// parts in order, followed by pages of files that were not read before the join.
    private func movePages(_ parts: [Part], _ household: HouseholdID) -> [SQL] {
        let (joined, firstUnused) = (parts[0].id, Int64(1_000_000))
        var statements: [SQL] = [
            // First moves the pages to unused numbers, because two pages must never have the same number.
            """
            UPDATE receipt_page g SET n = \(firstUnused) + o.place
            FROM (SELECT n, row_number() OVER (ORDER BY n) - 1 AS place FROM receipt_page
                WHERE household_id = \(household) AND receipt_id = \(joined)) o
            WHERE g.household_id = \(household) AND g.receipt_id = \(joined) AND g.n = o.n
            """
        ]
        var place = firstUnused
        for part in parts {
            statements.append(
                """
                UPDATE receipt_page g SET receipt_id = \(part.id), n = (o.value ->> 'n')::integer
                FROM jsonb_array_elements(\(part.body)::jsonb -> 'pages') WITH ORDINALITY o (value, place)
                WHERE g.household_id = \(household) AND g.receipt_id = \(joined) AND g.n = \(place) + o.place - 1
                """)
            place += part.pageCount
        }
        for part in parts.dropFirst() + parts.prefix(1) {
            statements.append(
                """
                UPDATE receipt_page g SET receipt_id = \(part.id), n = o.free + o.place
                FROM (SELECT f.n, row_number() OVER (ORDER BY f.n) - 1 AS place,
                        (SELECT coalesce(max(t.n) + 1, 0) FROM receipt_page t WHERE t.household_id = \(household)
                            AND t.receipt_id = \(part.id) AND t.n < \(firstUnused)) AS free
                    FROM receipt_page f
                    WHERE f.household_id = \(household) AND f.receipt_id = \(joined) AND f.n >= \(firstUnused)
                        AND (f.file_id = ANY(\(part.files)) OR \(part.id == joined))) o
                WHERE g.household_id = \(household) AND g.receipt_id = \(joined) AND g.n = o.n
                """)
        }
        return statements
    }

    private func moveFiles(_ part: Part, outOf joined: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        UPDATE receipt_file f SET receipt_id = \(part.id), position = f.position - (SELECT min(o.position)
            FROM receipt_file o WHERE o.household_id = f.household_id AND o.id = ANY(\(part.files)))
        WHERE f.household_id = \(household) AND f.receipt_id = \(joined) AND f.id = ANY(\(part.files))
        """
    }

    /// Restores the part's lines, its duplicate reference, and its reader job.
    private func restoreContents(_ part: Part, _ household: HouseholdID) -> [SQL] {
        var statements: [SQL] = [
            """
            INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key,
                quantity_thousandths, unit, unit_price_thousandths, total_minor, vat_class, vat_rate, bound_line_id,
                product_id, category_id, doubts, repairs, page, box_x, box_y, box_width, box_height)
            SELECT \(household), l.id, \(part.id), l.position, l.kind, l.printed_name, l.alias_key,
                l.quantity_thousandths, l.unit, l.unit_price_thousandths, l.total_minor, l.vat_class, l.vat_rate,
                l.bound_line_id,
                (SELECT d.id FROM product d WHERE d.household_id = \(household) AND d.id = l.product_id),
                (SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = l.category_id),
                l.doubts, l.repairs, l.page, l.box_x, l.box_y, l.box_width, l.box_height
            FROM jsonb_populate_recordset(NULL::receipt_line, \(part.body)::jsonb -> 'lines') l
            """,
            // Marks the part again as the duplicate of another receipt, if that receipt still exists.
            """
            UPDATE receipt r SET duplicate_of = o.id FROM receipt o
            WHERE r.household_id = \(household) AND r.id = \(part.id) AND o.household_id = r.household_id
                AND o.id::text = \(part.body)::jsonb ->> 'duplicate_of'
            """,
        ]
        if part.isReading { statements.append(JobQueue.enqueue(.read, part.id.relabelled(), household)) }
        return statements
    }

    /// Restores the references of receipts that were duplicates of this part, except references that a member has
    /// changed since.
    private func restoreDuplicates(_ part: Part, outOf joined: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        UPDATE receipt SET duplicate_of = \(part.id), revision = revision + 1
        WHERE household_id = \(household) AND id = ANY(\(part.repeats)) AND duplicate_of = \(joined)
        RETURNING id
        """
    }
}
