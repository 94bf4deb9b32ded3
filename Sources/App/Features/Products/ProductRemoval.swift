import Domain
import Postgres

extension ProductEdits {
    /// Deletes a product. Its lines no longer belong to a product, and its printed names wait to be matched again.
    ///
    /// - Throws: `Conflict` when another request has changed the product since `revision`; `AlreadyDeleted`;
    ///   `Refusal.notFound`.
    func remove(_ id: ProductID, revision: Int64, by member: Member) async throws {
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            let storedRevision = try await changes.requireRevision(
                of: id, "SELECT revision FROM product WHERE household_id = \(household) AND id = \(id) FOR UPDATE",
                shown: revision)
            _ = try await Self.remove(id, changes)
            changes.deleted(.product, id, lastRevision: storedRevision)
        }
    }

    /// Deletes a product. The caller logs the tombstone.
    ///
    /// - Returns: the product's last revision; nil if it does not exist.
    static func remove(_ id: ProductID, _ changes: HouseholdTransaction) async throws -> Int64? {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            DELETE FROM product_alias WHERE household_id = \(household) AND product_id = \(id)
            RETURNING id, revision
            """,
            """
            UPDATE receipt_line SET product_id = NULL WHERE household_id = \(household) AND product_id = \(id)
            RETURNING receipt_id
            """,
            // Prices without a receipt are deleted here, because `PriceHistory.update` replaces only the prices of
            // receipts.
            """
            DELETE FROM price WHERE household_id = \(household) AND product_id = \(id) AND receipt_id IS NULL
            """,
        ])
        for (alias, last) in try rows[0].decode((AliasID, Int64).self) {
            changes.deleted(.alias, alias, lastRevision: last)
        }
        try await updatePricesOfMovedLines(Set(try rows[1].decode(ReceiptID.self)).sorted(), changes)
        return try await changes.query(
            "DELETE FROM product WHERE household_id = \(household) AND id = \(id) RETURNING revision"
        ).first(Int64.self)
    }
}
