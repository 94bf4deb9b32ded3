import Domain
import Postgres

/// Removes unused stores, and merges stores.
struct StoreRemoval: Sendable {
    let database: Database

    /// - Parameter other: the store that gets the receipts and prices; nil to remove an unused store.
    /// - Throws: `RemovalError`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`; `Refusal.badRequest` if `other` is
    ///   `id`.
    func remove(_ id: StoreID, into other: StoreID?, revision: Int64, by member: Member) async throws {
        guard other != id else { throw Refusal.badRequest }
        try await database.write(member.household, by: member.person) { changes in
            let stores = try await changes.query(
                """
                SELECT s.id, s.revision, s.chain FROM store s
                WHERE s.household_id = \(changes.household) AND s.id = ANY(\([id] + [other].compactMap { $0 }))
                    AND \(Visibility.storeCondition(member))
                """
            ).decode((StoreID, Int64, String).self)
            guard let (_, stored, chain) = stores.first(where: { $0.0 == id }) else {
                throw try await changes.errorForMissing(id)
            }
            try Conflict.requireRevision(stored, shown: revision)
            if let other {
                guard let (_, _, otherChain) = stores.first(where: { $0.0 == other }) else {
                    throw try await changes.wasDeleted(other) ? Conflict() as any Error : Refusal.notFound
                }
                try await Self.move(from: id, to: other, keepsProducts: chain == otherChain, changes)
                try await changes.query(StoreEdits.inherit(from: id, by: other, changes.household))
            }
            _ = try await onConstraint([
                "receipt_store_fkey": RemovalError.inUse, "price_store_fkey": RemovalError.inUse,
            ]) {
                try await changes.query("DELETE FROM store WHERE household_id = \(changes.household) AND id = \(id)")
            }
            changes.deleted(.store, id, lastRevision: stored)
        }
    }

    /// Moves receipts and prices to another store.
    ///
    /// - Parameter keepsProducts: whether both stores belong to one chain. Otherwise the printed names are matched
    ///   again, because a product belongs to one chain.
    private static func move(
        from id: StoreID, to other: StoreID, keepsProducts: Bool, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let receipts = try await changes.query(
            """
            UPDATE receipt SET store_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND store_id = \(id) RETURNING id
            """
        ).decode(ReceiptID.self)
        let movedPrices = try await changes.query(
            """
            UPDATE price SET store_id = \(other) WHERE household_id = \(household) AND store_id = \(id)
            RETURNING product_id
            """)
        let products = Set(try movedPrices.decode(ProductID.self)).sorted()
        if !keepsProducts {
            try await changes.query(
                """
                UPDATE receipt_line SET product_id = NULL
                WHERE household_id = \(household) AND receipt_id = ANY(\(receipts)) AND product_id IS NOT NULL
                """)
        }
        changes.changed(.receipt, receipts)
        try await PriceHistory.update(receipts, changes)
        try await changes.query(batch: RollUps.prices(of: products, household))
    }
}
