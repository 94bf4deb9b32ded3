import Domain
import Postgres

/// Names that were matched together. They are undone together.
struct MatchingBatch: Sendable {
    let id: MatchingBatchID
    /// The number of names that still belong to this batch. A name that a person matches by hand leaves the batch.
    /// Names of merged products stay in it.
    let count: Int64

    /// The path to which a POST undoes the batch.
    static func undoHref(_ id: MatchingBatchID) -> String { "/matching/batches/\(id)/removal" }

    /// Stores the batch, unless an earlier transaction of the same request has stored it.
    static func begin(_ id: MatchingBatchID, _ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            INSERT INTO matching_batch (household_id, id) VALUES (\(changes.household), \(id)) ON CONFLICT DO NOTHING
            """)
    }

    /// Selects the newest batch of the last 24 hours that was not undone.
    static func newest(_ household: HouseholdID) -> SQL {
        """
        SELECT b.id, (SELECT count(*) FROM product_alias a WHERE a.household_id = b.household_id AND a.batch_id = b.id)
        FROM matching_batch b
        WHERE b.household_id = \(household) AND b.undone_at IS NULL AND b.created_at > now() - interval '1 day'
        ORDER BY b.created_at DESC, b.id LIMIT 1
        """
    }

    static func decode(_ rows: Rows) throws -> MatchingBatch? {
        guard let (id, count) = try rows.first((MatchingBatchID, Int64).self), count > 0 else { return nil }
        return MatchingBatch(id: id, count: count)
    }
}

extension NameMatching {
    /// Undoes the matches of a batch, in several transactions. Its names wait to be matched again. Products that then
    /// have no names, lines or prices are deleted.
    ///
    /// - Returns: the number of names that wait again; 0 when the batch was undone before.
    /// - Throws: `Refusal.notFound`.
    func undo(_ batch: MatchingBatchID, by member: Member) async throws -> Int {
        var total = 0
        while true {
            let count = try await database.write(member.household, by: member.person) { changes in
                try await Self.undoNextNames(of: batch, changes)
            }
            guard count > 0 else { return total }
            total += count
        }
    }

    private static func undoNextNames(of batch: MatchingBatchID, _ changes: HouseholdTransaction) async throws -> Int {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            UPDATE matching_batch SET undone_at = coalesce(undone_at, now())
            WHERE household_id = \(household) AND id = \(batch) RETURNING 1
            """,
            """
            SELECT id, revision, chain, alias_key, product_id, EXISTS (SELECT 1 FROM product_alias o
                WHERE o.household_id = a.household_id AND o.product_id = a.product_id
                    AND o.batch_id IS DISTINCT FROM a.batch_id)
            FROM product_alias a WHERE household_id = \(household) AND batch_id = \(batch) ORDER BY id
            LIMIT \(Int32(batchSize))
            """,
        ])
        guard !rows[0].isEmpty else { throw Refusal.notFound }
        let names = try rows[1].decode((AliasID, Int64, String, String, ProductID, Bool).self)
        guard !names.isEmpty else { return 0 }
        for (_, _, chain, key, product, hasOtherNames) in names where hasOtherNames {
            try await ProductEdits.endPackages(of: product, leaving: key, chain: chain, changes)
        }
        let results = try await changes.query(batch: [
            "DELETE FROM product_alias WHERE household_id = \(household) AND id = ANY(\(names.map(\.0)))",
            """
            UPDATE receipt_line l SET product_id = NULL
            FROM unnest(\(names.map(\.2)), \(names.map(\.3)), \(names.map(\.4))) AS n (chain, alias_key, product_id),
                receipt r JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = \(household) AND l.product_id = n.product_id AND l.alias_key = n.alias_key
                AND r.household_id = l.household_id AND r.id = l.receipt_id AND s.chain = n.chain
            RETURNING l.receipt_id
            """,
        ])
        for (id, revision, _, _, _, _) in names { changes.deleted(.alias, id, lastRevision: revision) }
        try await ProductEdits.updatePricesOfMovedLines(Set(try results[1].decode(ReceiptID.self)).sorted(), changes)
        try await deleteUnused(Set(names.map(\.4)).sorted(), changes)
        return names.count
    }
}
