import Domain
import Postgres

/// The queries of saved wines and the cellar.
struct CellarQueries: Sendable {
    let database: Database

    struct Cellar: Sendable {
        /// Wines with the number of their bottles and the places where the bottles are stored. Wines to drink first
        /// come first.
        let bottles: [(wine: StoredWine, count: Int64, places: String)]
        let saved: [StoredWine]
        let tasted: [(wine: StoredWine, points: Int?)]
        let wanted: [StoredWine]

        var isEmpty: Bool { bottles.isEmpty && saved.isEmpty && tasted.isEmpty && wanted.isEmpty }
    }

    /// The maximum number of wines with bottles, and of marks.
    private static let maximumRows: Int64 = 500

    func load(_ member: Member) async throws -> Cellar {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT b.wine_id, sum(b.count)::bigint, string_agg(DISTINCT nullif(b.place, ''), ', ') FROM wine_bottle b
                JOIN wine w ON w.household_id = b.household_id AND w.id = b.wine_id AND w.discarded_at IS NULL
                WHERE b.household_id = \(household) AND b.count > 0 GROUP BY b.wine_id, w.drink_until
                ORDER BY w.drink_until NULLS LAST, b.wine_id LIMIT \(Self.maximumRows)
                """,
                """
                SELECT m.wine_id, m.is_saved, m.is_tasted, m.is_wanted, m.points::bigint FROM wine_mark m
                WHERE m.household_id = \(household) AND m.person_id = \(member.person)
                ORDER BY m.changed_at DESC LIMIT \(Self.maximumRows)
                """,
            ])
        let bottles = try rows[0].decode((WineID, Int64, String?).self).map { wine, count, places in
            (wine: wine, count: count, places: places)
        }
        let marks = try rows[1].decode((WineID, Bool, Bool, Bool, Int64?).self).map {
            wine, isSaved, isTasted, isWanted, points in
            (wine: wine, isSaved: isSaved, isTasted: isTasted, isWanted: isWanted, points: points.map { Int($0) })
        }
        let wines = try await StoredWine.load(bottles.map(\.wine) + marks.map(\.wine), household, database)
        return Cellar(
            bottles: bottles.compactMap { row in wines[row.wine].map { ($0, row.count, row.places ?? "") } },
            saved: marks.filter(\.isSaved).compactMap { wines[$0.wine] },
            tasted: marks.filter(\.isTasted).compactMap { mark in wines[mark.wine].map { ($0, mark.points) } },
            wanted: marks.filter(\.isWanted).compactMap { wines[$0.wine] })
    }

    /// Returns the price that the household last paid for one bottle of each wine.
    func lastPaid(for wines: [WineID], _ household: HouseholdID) async throws -> [WineID: Amount] {
        guard !wines.isEmpty else { return [:] }
        let rows = try await database.read(
            household,
            """
            SELECT DISTINCT ON (wine_id) wine_id, price_minor, currency FROM wine_bottle
            WHERE household_id = \(household) AND wine_id = ANY(\(wines)) AND price_minor IS NOT NULL
            ORDER BY wine_id, bought_on DESC NULLS LAST, id DESC
            """
        ).decode((WineID, Int64, String).self)
        return Dictionary(
            rows.compactMap { wine, price, code in
                CurrencyCode(code).map { (wine, Amount(minorUnits: price, currency: $0)) }
            }
        ) { first, _ in first }
    }
}
