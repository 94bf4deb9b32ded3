import Domain
import Postgres

/// Renames stores.
struct StoreEdits: Sendable {
    let database: Database

    /// Renames a store. It keeps its chain, so its products and prices do not change.
    ///
    /// - Throws: `NameTaken`, `Conflict`, `Ended`, `Refusal.notFound`.
    func rename(_ id: StoreID, to name: String, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            // The unique names are those of a chain. A misread name is often that of no chain, so other chains count too.
            let found = try await changes.query(
                """
                SELECT s.id, s.revision, s.name, s.street, s.town FROM store s
                WHERE s.household_id = \(household) AND (s.id = \(id) OR lower(s.name) = lower(\(name)))
                    AND \(Visibility.storeCondition(member))
                """
            ).decode((StoreID, Int64, String, String, String).self)
            guard let stored = found.first(where: { $0.0 == id }) else { throw try await changes.missing(id) }
            // A form that is sent twice finds its name stored.
            guard name != stored.2 else { return }
            try Conflict.requireRevision(stored.1, shown: revision)
            let isTaken = found.contains { $0.0 != id && $0.3 == stored.3 && $0.4 == stored.4 }
            guard !isTaken else { throw NameTaken() }
            _ = try await onConstraint(["store_household_place_key": NameTaken()]) {
                try await changes.query(
                    """
                    UPDATE store SET name = \(name), former_names = \(Self.formerNames(after: name)),
                        revision = revision + 1
                    WHERE household_id = \(household) AND id = \(id)
                    """)
            }
            changes.changed(.store, id)
        }
    }

    /// The new value of `store.former_names` when the store gets a name.
    static func formerNames(after name: String) -> SQL {
        distinct("store.name || store.former_names", without: "\(name)")
    }

    /// Gives the names of a store that is about to be deleted to the store into which it is merged. They are no part of
    /// the document, so the revision stays.
    static func inherit(from id: StoreID, by other: StoreID, _ household: HouseholdID) -> SQL {
        """
        UPDATE store SET former_names = \(distinct("store.former_names || l.name || l.former_names", without: "store.name"))
        FROM store l
        WHERE store.household_id = \(household) AND store.id = \(other)
            AND l.household_id = \(household) AND l.id = \(id)
        """
    }

    /// An array of the first 20 of the names, each once.
    private static func distinct(_ names: SQL, without name: SQL) -> SQL {
        """
        ARRAY(SELECT n.name FROM unnest(\(names)) WITH ORDINALITY AS n (name, place)
            WHERE lower(n.name) <> lower(\(name)) GROUP BY n.name ORDER BY min(n.place) LIMIT 20)
        """
    }
}
