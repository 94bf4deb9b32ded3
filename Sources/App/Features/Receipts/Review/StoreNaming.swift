import Domain
import Postgres

/// Which store a name means.
enum StoreNaming {
    /// The store with this name; a new one when it is to be booked and nobody has seen it yet.
    static func resolve(
        _ name: String, of receipt: StoredReceipt, creates: Bool, _ changes: HouseholdTransaction
    ) async throws -> StoreID? {
        let household = changes.household
        guard !name.isEmpty else { return nil }
        let known = try await changes.query(
            """
            SELECT id FROM store WHERE household_id = \(household) AND lower(name) = lower(\(name))
            ORDER BY created_at LIMIT 1
            """)
        if let row = known.first { return try row[0, as: StoreID.self] }
        guard creates else { return nil }
        let store = StoreID.new()
        let rows = try await changes.query(
            """
            INSERT INTO store (household_id, id, chain, name, street, town)
            SELECT \(household), \(store),
                CASE WHEN r.printed_store ->> 'chain' <> ''
                        AND position(lower(r.printed_store ->> 'chain') IN lower(\(name))) = 1
                    THEN lower(r.printed_store ->> 'chain') ELSE \(chain(of: name)) END,
                \(name), coalesce(r.printed_store ->> 'street', ''), coalesce(r.printed_store ->> 'town', '')
            FROM receipt r WHERE r.household_id = \(household) AND r.id = \(receipt.id)
            RETURNING id
            """)
        guard !rows.isEmpty else { throw Refusal.notFound }
        changes.changed(.store, store)
        return store
    }

    /// The naming that a store's receipts follow when its chain is not known: its own name, normalised.
    static func chain(of name: String) -> String {
        (AliasKey(printed: name)?.text ?? name.lowercased()).cut(to: TextLimit.storeName)
    }
}
