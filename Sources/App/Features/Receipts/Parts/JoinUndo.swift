import Domain
import JSON
import Postgres

/// Takes a joined receipt apart again: every part is what it was, with its lines, files and pictures.
struct JoinUndo: Sendable {
    let database: Database

    enum Outcome: Sendable {
        case parted
        /// It was never joined, is apart already, or somebody has worked on the whole since.
        case nothingToUndo
    }

    /// - Throws: `Refusal.notFound`.
    func part(_ id: ReceiptID, _ member: Member) async throws -> Outcome {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let row = try await changes.query(
                """
                SELECT r.joined -> 'parts', r.discarded_at IS NULL AND r.stage <> 'confirmed' FROM receipt r
                WHERE r.household_id = \(household) AND r.id = \(id) AND \(Visibility.condition(member))
                """
            ).first((PostgresJSON?, Bool).self)
            guard let (stored, isOpen) = row else { throw Refusal.notFound }
            guard isOpen, let stored,
                let parts = try JSONValue(reading: stored.bytes, limits: JSONLimits(size: 64 << 20)).array?
                    .compactMap(Part.init), parts.count > 1, parts[0].id == id
            else { return .nothingToUndo }
            var statements: [SQL] = [
                "DELETE FROM job WHERE household_id = \(household) AND subject_id = \(id)",
                "DELETE FROM receipt_line WHERE household_id = \(household) AND receipt_id = \(id)",
                restore(parts[0], household),
            ]
            for part in parts.dropFirst() { statements += move(part, outOf: id, household) }
            for part in parts { statements += fill(part, household) }
            if parts.contains(where: \.isReading) { statements.append(JobQueue.notify) }
            try await changes.query(batch: statements)
            changes.changed(.receipt, parts.map(\.id))
            return .parted
        }
    }

    private struct Part {
        let id: ReceiptID
        let isReading: Bool
        let body: PostgresJSON
        let files: [FileID]
        let repeats: [ReceiptID]
        let joined: PostgresJSON?

        init?(_ record: JSONValue) {
            guard let body = record["body"], let id = body["id"]?.string.flatMap({ ReceiptID($0) }) else { return nil }
            self.id = id
            isReading = body["stage"]?.string == "reading"
            self.body = Self.stored(body)
            files = (record["files"]?.array ?? []).compactMap { $0.string.flatMap { FileID($0) } }
            repeats = (record["repeats"]?.array ?? []).compactMap { $0.string.flatMap { ReceiptID($0) } }
            joined = record["joined"].flatMap { $0.isNull ? nil : Self.stored($0) }
        }

        private static func stored(_ value: JSONValue) -> PostgresJSON {
            var json = JSONWriter()
            json.value(value)
            return PostgresJSON(json.bytes)
        }
    }

    // MARK: Statements

    /// The head of the part that the whole was made of; who was there first is there still.
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

    /// A part that had ended, with the files that came with it and the pages that show them.
    private func move(_ part: Part, outOf whole: ReceiptID, _ household: HouseholdID) -> [SQL] {
        [
            """
            INSERT INTO receipt (household_id, id, stage, verdict, reasons, store_id, printed_store, purchase_day,
                purchase_time, currency, total_minor, doubts, marks, evidence, purchase_key, person_id, source, note,
                hidden_until, created_at, joined, revision)
            SELECT \(household), \(part.id), p.stage, p.verdict, p.reasons,
                (SELECT s.id FROM store s WHERE s.household_id = \(household) AND s.id = p.store_id), p.printed_store,
                p.purchase_day, p.purchase_time, p.currency, p.total_minor, p.doubts, p.marks, p.evidence,
                p.purchase_key, p.person_id, p.source, p.note, p.hidden_until, p.created_at, \(part.joined),
                -- After its last entry in the change log, which says that it ended.
                (SELECT max(c.revision) + 1 FROM change_log c
                    WHERE c.household_id = \(household) AND c.document_id = \(part.id))
            FROM jsonb_populate_record(NULL::receipt, \(part.body)) p
            """,
            """
            UPDATE receipt_page g SET receipt_id = \(part.id), n = g.n - (SELECT min(o.n) FROM receipt_page o
                WHERE o.household_id = g.household_id AND o.receipt_id = \(whole) AND o.file_id = ANY(\(part.files)))
            WHERE g.household_id = \(household) AND g.receipt_id = \(whole) AND g.file_id = ANY(\(part.files))
            """,
            """
            UPDATE receipt_file f SET receipt_id = \(part.id), position = f.position - (SELECT min(o.position)
                FROM receipt_file o WHERE o.household_id = f.household_id AND o.id = ANY(\(part.files)))
            WHERE f.household_id = \(household) AND f.receipt_id = \(whole) AND f.id = ANY(\(part.files))
            """,
        ]
    }

    /// Its lines as they stood, what repeats it, and its place before the reader.
    private func fill(_ part: Part, _ household: HouseholdID) -> [SQL] {
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
            // What it repeated, as far as that is still there.
            """
            UPDATE receipt r SET duplicate_of = o.id FROM receipt o
            WHERE r.household_id = \(household) AND r.id = \(part.id) AND o.household_id = r.household_id
                AND o.id::text = \(part.body)::jsonb ->> 'duplicate_of'
            """,
            """
            UPDATE receipt SET duplicate_of = \(part.id)
            WHERE household_id = \(household) AND id = ANY(\(part.repeats)) AND id <> \(part.id)
            """,
        ]
        if part.isReading { statements.append(JobQueue.enqueue(.read, part.id.relabelled(), household)) }
        return statements
    }
}
