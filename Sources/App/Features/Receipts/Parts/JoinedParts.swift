import Domain
import JSON
import Postgres

/// The parts of a joined receipt, in its column `joined`: `{"parts": [{"body", "read", "expense", "files", "repeats",
/// "joined"}], "corrections": [{"before", "after", "join"}]}`. After the join is undone, the column `joined` of each
/// part keeps the part's own last reading in `read`. That reading cannot be taken from the change log, which also
/// contains readings of the joined receipt.
enum JoinedParts {
    /// Returns the value for the column `joined` with the parts in their order, and people's corrections of the parts
    /// since they were read.
    static func record(
        _ receipts: [ReceiptID], _ changes: HouseholdTransaction
    ) async throws -> (joined: PostgresJSON, corrections: PostgresJSON) {
        let household = changes.household
        let documents = DocumentType.receipt.bodies(
            household.postgresStored, receipts.map(\.postgresStored))
        let rows = try await changes.query(
            """
            WITH source AS (
                SELECT array_position(\(receipts), d.id) AS place, r.id, r.store_id, r.joined, d.body,
                    CASE WHEN r.stage <> \(Stage.reading.sql) THEN coalesce(r.joined -> 'read', log.body) END AS kept,
                    -- A joined receipt that was not read yet has only the corrections of its parts.
                    CASE WHEN r.stage <> \(Stage.reading.sql) OR r.joined -> 'corrections' IS NULL
                        THEN coalesce(r.joined -> 'read', log.body) END AS read
                FROM (\(documents)) d
                JOIN receipt r ON r.household_id = \(household) AND r.id = d.id
                LEFT JOIN LATERAL (\(reading)) log ON true),
            part AS (
                SELECT s.place, jsonb_build_object(
                    'body', s.body, 'read', s.kept, 'joined', s.joined,
                    'expense', \(ReceiptExpenseEdits.recorded(household)),
                    'files', to_jsonb(ARRAY(SELECT f.id FROM receipt_file f
                        WHERE f.household_id = \(household) AND f.receipt_id = s.id)),
                    'repeats', to_jsonb(ARRAY(SELECT o.id FROM receipt o
                        WHERE o.household_id = \(household) AND o.duplicate_of = s.id))) AS record,
                    coalesce(s.joined -> 'corrections', '[]') || CASE WHEN s.read IS NULL THEN '[]' ELSE
                        jsonb_build_array(jsonb_build_object(
                            'before', s.read || jsonb_build_object('store_name', b.name),
                            'after', s.body || jsonb_build_object('store_name', a.name),
                            'join', (SELECT h.sync_seq FROM household h WHERE h.id = \(household)))) END AS corrections
                FROM source s
                LEFT JOIN store a ON a.household_id = \(household) AND a.id = s.store_id
                LEFT JOIN store b ON b.household_id = \(household) AND b.id = (s.read ->> 'store_id')::uuid),
            corrected AS (
                SELECT coalesce(jsonb_agg(c.value ORDER BY p.place, c.n), '[]') AS steps
                FROM part p, jsonb_array_elements(p.corrections) WITH ORDINALITY c (value, n))
            SELECT jsonb_build_object(
                'parts', (SELECT jsonb_agg(p.record ORDER BY p.place) FROM part p), 'corrections', c.steps), c.steps
            FROM corrected c
            """)
        guard let row = try rows.first((PostgresJSON, PostgresJSON).self) else { throw Refusal.notFound }
        return row
    }

    /// Selects the newest reading of receipt `r` from the change log: the entry that the server wrote when a reading
    /// ended. If there is no such entry, because the receipt was separated from another receipt and never read alone,
    /// selects the first entry.
    private static let reading: SQL = """
        SELECT c.body || jsonb_build_object('seq', c.seq) AS body FROM (
            SELECT l.seq, l.body, l.person_id, lag(l.body ->> 'stage') OVER (ORDER BY l.seq) AS stage_before
            FROM change_log l
            WHERE l.household_id = r.household_id AND l.document_id = r.id AND NOT l.deleted) c
        WHERE c.body ->> 'stage' = \(Stage.review.sql) AND NOT c.body -> 'reasons' ? \(Reason.Code.kept.rawValue)
            AND (c.stage_before IS NULL OR (c.stage_before = \(Stage.reading.sql) AND c.person_id IS NULL))
        ORDER BY c.seq DESC LIMIT 1
        """

    /// Decodes people's corrections of the parts, in the order of the parts.
    static func corrections(_ steps: PostgresJSON) throws -> [CorrectedPart] {
        let json = try JSONValue(reading: steps.bytes, limits: JSONLimits(size: 64 << 20))
        return CorrectedPart.reassigningLines(of: try (json.array ?? []).map(CorrectedPart.init))
    }

    /// Applies the corrections of the parts to the joined receipt after it was read, as if a person made them now.
    static func carryOver(to id: ReceiptID, _ database: Database, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let steps = try await changes.query(
            """
            SELECT joined -> 'corrections' FROM receipt
            WHERE household_id = \(household) AND id = \(id) AND jsonb_array_length(joined -> 'corrections') > 0
            """
        ).first(PostgresJSON.self)
        guard let steps else { return }
        let read = try StoredReceiptQueries.decode(
            id, try await changes.query(batch: StoredReceiptQueries.statements(id, household)))
        let carried = CarriedCorrections(try corrections(steps), on: read.draft)
        if carried.draft != read.draft {
            try await ReceiptEdits(database: database).write(id, carried.draft, read, confirms: false, changes)
        }
        guard !carried.lost.isEmpty else { return }
        try await changes.query(
            """
            UPDATE receipt SET reasons = reasons || \([Reason(.corrections)]), verdict = \(Verdict.review)
            WHERE household_id = \(household) AND id = \(id)
            """)
    }
}
