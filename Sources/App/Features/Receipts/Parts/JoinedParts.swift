import Domain
import JSON
import Postgres

/// What a joined receipt was made of, kept beside it.
enum JoinedParts {
    /// As it goes into the column `joined`: the parts as they stand in their order, and what people corrected on them since
    /// they were read.
    static func record(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws -> PostgresJSON {
        let household = changes.household
        let documents = DocumentType.receipt.bodies(
            household.postgresStored, receipts.map(\.postgresStored))
        let rows = try await changes.query(
            """
            WITH part AS (
                SELECT array_position(\(receipts), d.id) AS place, r.joined, jsonb_build_object(
                    'body', d.body, 'joined', r.joined,
                    'files', to_jsonb(ARRAY(SELECT f.id FROM receipt_file f
                        WHERE f.household_id = r.household_id AND f.receipt_id = r.id)),
                    'repeats', to_jsonb(ARRAY(SELECT o.id FROM receipt o
                        WHERE o.household_id = r.household_id AND o.duplicate_of = r.id))) AS record,
                    coalesce(r.joined -> 'corrections', '[]') || CASE WHEN read.body IS NULL THEN '[]' ELSE
                        jsonb_build_array(jsonb_build_object(
                            'before', read.body || jsonb_build_object('store_name', b.name),
                            'after', d.body || jsonb_build_object('store_name', a.name))) END AS corrections
                FROM (\(documents)) d
                JOIN receipt r ON r.household_id = \(household) AND r.id = d.id
                LEFT JOIN LATERAL (SELECT c.body FROM change_log c
                    WHERE c.household_id = r.household_id AND c.document_id = r.id AND NOT c.deleted
                        AND c.person_id IS NULL AND c.body ->> 'stage' = 'review'
                    ORDER BY c.revision DESC LIMIT 1) read ON true
                LEFT JOIN store a ON a.household_id = r.household_id AND a.id = r.store_id
                LEFT JOIN store b ON b.household_id = r.household_id AND b.id = (read.body ->> 'store_id')::uuid)
            SELECT jsonb_build_object(
                'parts', (SELECT jsonb_agg(p.record ORDER BY p.place) FROM part p),
                'corrections', (SELECT coalesce(jsonb_agg(c.value ORDER BY p.place, c.n), '[]')
                    FROM part p, jsonb_array_elements(p.corrections) WITH ORDINALITY c (value, n)))
            """)
        return try rows.first(PostgresJSON.self) ?? PostgresJSON(Array("{}".utf8))
    }

    /// What people corrected on the parts, in their order.
    static func corrections(_ record: PostgresJSON) throws -> [CarriedCorrections.Step] {
        let json = try JSONValue(reading: record.bytes, limits: JSONLimits(size: 64 << 20))
        return try (json["corrections"]?.array ?? []).map(CarriedCorrections.Step.init)
    }

    /// Once the whole was read: what was corrected on its parts is corrected on it, as if a person did it now.
    static func carryOver(to id: ReceiptID, _ database: Database, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let record = try await changes.query(
            """
            SELECT joined FROM receipt
            WHERE household_id = \(household) AND id = \(id) AND jsonb_array_length(joined -> 'corrections') > 0
            """
        ).first(PostgresJSON.self)
        guard let record else { return }
        let read = try StoredReceiptQueries.decode(
            id, try await changes.query(batch: StoredReceiptQueries.statements(id, household)))
        let carried = CarriedCorrections(try corrections(record), on: read.draft)
        if carried.draft != read.draft {
            try await ReviewStore(database: database).write(id, carried.draft, read, confirms: false, changes)
        }
        guard !carried.lost.isEmpty else { return }
        try await changes.query(
            """
            UPDATE receipt SET reasons = reasons || '{corrections}', verdict = 'review'
            WHERE household_id = \(household) AND id = \(id)
            """)
    }
}
