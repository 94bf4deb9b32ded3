import Domain
import Postgres

/// Renames stores.
struct StoreEdits: Sendable {
    let database: Database

    /// Renames a store. The store keeps its chain, so its products and prices do not change.
    ///
    /// - Throws: `NameTaken`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func rename(_ id: StoreID, to name: String, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            // Compares the names of stores of all chains, because a store with a misread name often belongs to no known
            // chain. The unique constraint compares only stores of one chain.
            let stores = try await changes.query(
                """
                SELECT s.id, s.revision, s.name, s.street, s.town FROM store s
                WHERE s.household_id = \(household) AND (s.id = \(id) OR lower(s.name) = lower(\(name)))
                    AND \(Visibility.storeCondition(member))
                """
            ).decode((StoreID, Int64, String, String, String).self)
            guard let (_, stored, oldName, street, town) = stores.first(where: { $0.0 == id }) else {
                throw try await changes.errorForMissing(id)
            }
            // The name is already stored if the same form was sent before.
            guard name != oldName else { return }
            try Conflict.requireRevision(stored, shown: revision)
            let isTaken = stores.contains { other, _, _, otherStreet, otherTown in
                other != id && otherStreet == street && otherTown == town
            }
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

    /// The new value of `store.former_names` for a store that gets this name.
    static func formerNames(after name: String) -> SQL {
        distinct("store.name || store.former_names", without: "\(name)")
    }

    /// Returns a statement that adds the names and addresses of the store `id` to the former names and addresses of
    /// `other`, into which it is merged. Must run before the merged store is deleted. Does not change the revision,
    /// because the store's document does not contain former names and addresses.
    static func inherit(from id: StoreID, by other: StoreID, _ household: HouseholdID) -> SQL {
        """
        UPDATE store SET former_names = \(distinct("store.former_names || l.name || l.former_names", without: "store.name")),
            former_places = (
                SELECT coalesce(jsonb_agg(p.place ORDER BY p.position), '[]') FROM (
                    SELECT a.place, min(a.position) AS position
                    FROM jsonb_array_elements(store.former_places
                        || jsonb_build_object('street', l.street, 'town', l.town) || l.former_places)
                        WITH ORDINALITY AS a (place, position)
                    WHERE a.place <> jsonb_build_object('street', store.street, 'town', store.town)
                    GROUP BY a.place ORDER BY min(a.position) LIMIT 20) p)
        FROM store l
        WHERE store.household_id = \(household) AND store.id = \(other)
            AND l.household_id = \(household) AND l.id = \(id)
        """
    }

    /// An array of the first 20 distinct names, without `name` in any letter case.
    private static func distinct(_ names: SQL, without name: SQL) -> SQL {
        """
        ARRAY(SELECT n.name FROM unnest(\(names)) WITH ORDINALITY AS n (name, place)
            WHERE lower(n.name) <> lower(\(name)) GROUP BY n.name ORDER BY min(n.place) LIMIT 20)
        """
    }
}
