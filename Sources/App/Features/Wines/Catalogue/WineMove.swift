import Domain
import Postgres

/// The data that a merge moved from one wine to another.
struct WineMove: Sendable {
    /// The critics whose scores were moved.
    private let critics: [String]
    /// The members whose marks were moved.
    private let people: [PersonID]
    private let aliases: [AliasID]
    /// The alias that the merge added, so that the name of the moved wine on lists matches the target wine; nil if the
    /// name already had a match.
    private let addedAlias: AliasID?
    let bottles: [WineBottleID]
    /// The saved wine list of each moved price. A list with several moved prices occurs several times.
    private let scans: [WineScanID]
    /// The number of each moved price on its list.
    private let numbers: [Int32]

    /// Moves the data of the wine `id` to the wine `target`.
    static func run(
        _ id: WineID, to target: WineID, _ changes: HouseholdTransaction
    ) async throws -> WineMove {
        let household = changes.household
        let names = try await changes.query(
            "SELECT producer, name FROM wine WHERE household_id = \(household) AND id = \(id)")
        let key = try names.first((String, String).self).map { HouseholdWines.key("\($0.0) \($0.1)") } ?? ""
        let rows = try await changes.query(batch: [
            """
            UPDATE wine_score s SET wine_id = \(target) WHERE s.household_id = \(household) AND s.wine_id = \(id)
                AND NOT EXISTS (SELECT 1 FROM wine_score o WHERE o.household_id = s.household_id
                    AND o.wine_id = \(target) AND o.critic = s.critic) RETURNING critic
            """,
            """
            UPDATE wine_mark m SET wine_id = \(target) WHERE m.household_id = \(household) AND m.wine_id = \(id)
                AND NOT EXISTS (SELECT 1 FROM wine_mark o WHERE o.household_id = m.household_id
                    AND o.wine_id = \(target) AND o.person_id = m.person_id) RETURNING person_id
            """,
            """
            UPDATE wine_alias a SET wine_id = \(target) WHERE a.household_id = \(household) AND a.wine_id = \(id)
                AND NOT EXISTS (SELECT 1 FROM wine_alias o WHERE o.household_id = a.household_id
                    AND o.wine_id = \(target) AND o.alias_key = a.alias_key) RETURNING id
            """,
            """
            INSERT INTO wine_alias (household_id, id, alias_key, wine_id, is_match)
            SELECT \(household), \(AliasID.new()), \(key), \(target), true
            WHERE \(key) <> '' AND NOT EXISTS (SELECT 1 FROM wine_alias o WHERE o.household_id = \(household)
                AND o.alias_key = \(key) AND o.is_match) ON CONFLICT DO NOTHING RETURNING id
            """,
            """
            UPDATE wine_bottle SET wine_id = \(target), revision = revision + 1
            WHERE household_id = \(household) AND wine_id = \(id) RETURNING id
            """,
            """
            UPDATE wine_sighting SET wine_id = \(target) WHERE household_id = \(household) AND wine_id = \(id)
            RETURNING scan_id, n
            """,
        ])
        let sightings = try rows[5].decode((WineScanID, Int32).self)
        return WineMove(
            critics: try rows[0].decode(String.self), people: try rows[1].decode(PersonID.self),
            aliases: try rows[2].decode(AliasID.self), addedAlias: try rows[3].first(AliasID.self),
            bottles: try rows[4].decode(WineBottleID.self), scans: sightings.map(\.0), numbers: sightings.map(\.1))
    }

    /// Stores the move, so that it can be undone. Replaces the record of an earlier merge of the same wine. Such a
    /// record exists if the wine was restored without undoing that merge.
    func store(of id: WineID, to target: WineID, _ changes: HouseholdTransaction) async throws {
        try await changes.query(batch: [
            "DELETE FROM wine_merge WHERE household_id = \(changes.household) AND wine_id = \(id)",
            """
            INSERT INTO wine_merge (household_id, wine_id, target_id, critics, person_ids, alias_ids, added_alias_id, bottle_ids,
                scan_ids, scan_numbers)
            VALUES (\(changes.household), \(id), \(target), \(critics), \(people), \(aliases), \(addedAlias), \(bottles),
                \(scans), \(numbers))
            """,
        ])
    }

    /// Loads the move that merged a wine; nil if the wine was not merged or is not deleted.
    static func load(
        of id: WineID, _ changes: HouseholdTransaction
    ) async throws -> (WineMove, target: WineID)? {
        let rows = try await changes.query(
            """
            SELECT m.target_id, m.critics, m.person_ids, m.alias_ids, m.added_alias_id, m.bottle_ids, m.scan_ids,
                m.scan_numbers
            FROM wine_merge m JOIN wine w ON w.household_id = m.household_id AND w.id = m.wine_id
            WHERE m.household_id = \(changes.household) AND m.wine_id = \(id) AND w.discarded_at IS NOT NULL
            """)
        return try rows.decode(StoredMove.self).first.map { ($0.move, $0.target) }
    }

    private struct StoredMove: RowDecodable {
        let target: WineID
        let move: WineMove

        init(from row: inout RowReader) throws(PostgresError) {
            target = try row.next()
            move = WineMove(
                critics: try row.next(), people: try row.next(), aliases: try row.next(), addedAlias: try row.next(),
                bottles: try row.next(), scans: try row.next(), numbers: try row.next())
        }
    }

    /// Moves the data back and restores the wine `id`.
    func undo(from target: WineID, to id: WineID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        try await changes.query(batch: [
            """
            UPDATE wine_score SET wine_id = \(id)
            WHERE household_id = \(household) AND wine_id = \(target) AND critic = ANY(\(critics))
            """,
            """
            UPDATE wine_mark SET wine_id = \(id)
            WHERE household_id = \(household) AND wine_id = \(target) AND person_id = ANY(\(people))
            """,
            "DELETE FROM wine_alias WHERE household_id = \(household) AND id = \(addedAlias)",
            """
            UPDATE wine_alias SET wine_id = \(id)
            WHERE household_id = \(household) AND wine_id = \(target) AND id = ANY(\(aliases))
            """,
            """
            UPDATE wine_bottle SET wine_id = \(id), revision = revision + 1
            WHERE household_id = \(household) AND wine_id = \(target) AND id = ANY(\(bottles))
            """,
            """
            UPDATE wine_sighting s SET wine_id = \(id) FROM unnest(\(scans), \(numbers)) AS m (scan_id, n)
            WHERE s.household_id = \(household) AND s.wine_id = \(target) AND s.scan_id = m.scan_id AND s.n = m.n
            """,
            """
            UPDATE wine SET discarded_at = NULL, revision = revision + 1
            WHERE household_id = \(household) AND id = \(id)
            """,
            "UPDATE wine SET revision = revision + 1 WHERE household_id = \(household) AND id = \(target)",
            "DELETE FROM wine_merge WHERE household_id = \(household) AND wine_id = \(id)",
        ])
    }
}
