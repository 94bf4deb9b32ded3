import Domain
import Postgres
import Wines

/// Saved wine lists and the prices on them.
struct SavedScans: Sendable {
    let database: Database

    /// A saved list without its entries.
    struct Head: Sendable {
        let id: WineScanID
        let place: String
        let day: LocalDate
    }

    private static let maximumListed: Int64 = 100

    func list(_ household: HouseholdID) async throws -> [Head] {
        try await database.read(
            household,
            """
            SELECT id, place, day FROM wine_scan WHERE household_id = \(household) ORDER BY day DESC, id DESC
            LIMIT \(Self.maximumListed)
            """
        ).decode((WineScanID, String, LocalDate).self).map { id, place, day in Head(id: id, place: place, day: day) }
    }

    /// - Throws: `Refusal.notFound`.
    func find(_ id: WineScanID, _ household: HouseholdID) async throws -> (head: Head, list: ScannedList) {
        let rows = try await database.read(
            household, "SELECT place, day, entries FROM wine_scan WHERE household_id = \(household) AND id = \(id)")
        guard let (place, day, entries) = try rows.first((String, LocalDate, PostgresJSON).self),
            let list = ScannedList(json: entries.bytes)
        else { throw Refusal.notFound }
        return (Head(id: id, place: place, day: day), list)
    }

    /// Stores the entries. Also stores the prices of entries that certainly match a wine of the household's own
    /// catalogue.
    ///
    /// - Parameter form: the submitted form, which has an effect only once.
    /// - Throws: `RepeatedForm`.
    func save(
        _ list: MatchedList, place: String, form: OperationID?, by member: Member
    ) async throws -> WineScanID {
        let id = WineScanID.new()
        let sightings = sightings(list)
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            try await changes.requireFirst(form)
            try await changes.query(
                """
                INSERT INTO wine_scan (household_id, id, person_id, place, day, entries)
                VALUES (\(household), \(id), \(member.person), \(place), \(WallClock.today()), \(PostgresJSON(list.list.json)))
                """)
            try await changes.query(
                """
                INSERT INTO wine_sighting (household_id, scan_id, n, wine_id, size_ml, amount_minor, currency)
                SELECT \(household), \(id), n.n, n.wine, nullif(n.size, 0), n.amount, n.currency
                FROM unnest(\(sightings.map(\.n)), \(sightings.map(\.wine)), \(sightings.map(\.size)),
                    \(sightings.map(\.amount)), \(sightings.map(\.currency))) AS n (n, wine, size, amount, currency)
                JOIN wine w ON w.household_id = \(household) AND w.id = n.wine
                """)
            changes.changed(.wineScan, id)
        }
        return id
    }

    private func sightings(
        _ list: MatchedList
    ) -> [(n: Int32, wine: WineID, size: Int32, amount: Int64, currency: String)] {
        var sightings: [(n: Int32, wine: WineID, size: Int32, amount: Int64, currency: String)] = []
        // The price of another vintage is not the price of the wine in the catalogue.
        for entry in list.entries where entry.isSure && entry.otherVintage == nil {
            guard let wine = entry.wine else { continue }
            for price in entry.printed.prices where (0...Int(Amount.limit)).contains(price.amount) {
                sightings.append(
                    (
                        Int32(sightings.count), wine.id, Int32(price.size ?? 0), Int64(price.amount),
                        price.currency.flatMap { CurrencyCode($0)?.code } ?? list.home.code
                    ))
            }
        }
        return sightings
    }

    /// - Throws: `Refusal.notFound`.
    func remove(_ id: WineScanID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let deleted = try await changes.query(
                "DELETE FROM wine_scan WHERE household_id = \(changes.household) AND id = \(id) RETURNING revision")
            guard let revision = try deleted.first(Int64.self) else { throw Refusal.notFound }
            changes.deleted(.wineScan, id, lastRevision: revision)
        }
    }
}
