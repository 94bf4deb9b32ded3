import Domain
import Postgres

/// The contents of a wine's page other than its catalogue data: members' marks, bottles, prices on wine lists, other
/// vintages, and similar wines.
struct WineFacts: Sendable {
    /// A member's own values for a wine: whether it is saved, tasted or wanted, points and a note.
    struct Mark: Sendable, Equatable {
        var isSaved = false
        var isTasted = false
        var isWanted = false
        /// Points out of 100.
        var points: Int?
        var note = ""
    }

    struct Bottles: Sendable {
        let id: WineBottleID
        let count: Int64
        let place: String
        let boughtOn: LocalDate?
        let price: Amount?
        let revision: Int64
    }

    /// A price of the wine on a saved wine list.
    struct Sighting: Sendable {
        let place: String
        let day: LocalDate
        /// In millilitres.
        let size: Int?
        let price: Amount
    }

    /// The mark of the requesting member.
    let mine: Mark
    /// Other members' marks with points or a note, sorted by the member's name.
    let others: [(name: String, mark: Mark)]
    let bottles: [Bottles]
    /// Newest first.
    let sightings: [Sighting]
    /// The other vintages in both catalogues, the latest first.
    let vintages: [(id: WineID, vintage: Int?, points: Int?)]
    /// Alternatives at a similar price.
    let similar: [StoredWine]

    private static let maximumRows: Int64 = 100

    static func load(_ wine: StoredWine, _ member: Member, _ database: Database) async throws -> WineFacts {
        let household = member.household
        let family = wine.familyKey
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT m.person_id, p.name, m.is_saved, m.is_tasted, m.is_wanted, m.points, m.note FROM wine_mark m
                JOIN person p ON p.id = m.person_id
                WHERE m.household_id = \(household) AND m.wine_id = \(wine.id) ORDER BY p.name, p.id
                """,
                """
                SELECT id, count::bigint, place, bought_on, price_minor, currency, revision FROM wine_bottle
                WHERE household_id = \(household) AND wine_id = \(wine.id) AND count > 0 ORDER BY bought_on, id
                LIMIT \(maximumRows)
                """,
                """
                SELECT s.place, s.day, g.size_ml::bigint, g.amount_minor, g.currency FROM wine_sighting g
                JOIN wine_scan s ON s.household_id = g.household_id AND s.id = g.scan_id
                WHERE g.household_id = \(household) AND g.wine_id = \(wine.id)
                ORDER BY s.day DESC, s.id DESC, g.n LIMIT \(maximumRows)
                """,
                """
                SELECT n.id, n.vintage::bigint, n.points::bigint FROM (
                    SELECT w.id, w.vintage, w.points FROM wine w
                    WHERE w.household_id = \(household) AND w.family_key = \(family) AND w.discarded_at IS NULL
                    UNION ALL
                    SELECT s.id, s.vintage, \(StoredWine.sharedPoints("s", household)) FROM shared_wine s
                    WHERE s.family_key = \(family)
                        AND NOT EXISTS (SELECT 1 FROM wine x WHERE x.household_id = \(household) AND x.id = s.id)) n
                WHERE n.id <> \(wine.id) AND \(family) <> ''
                ORDER BY n.vintage DESC NULLS LAST, n.id LIMIT \(maximumRows)
                """,
            ] + SimilarWines.queries(wine, household))
        var mine = Mark()
        var others: [(name: String, mark: Mark)] = []
        for row in rows[0] {
            let (person, name, isSaved, isTasted, isWanted, points, note) = try row.decode(
                (PersonID, String, Bool, Bool, Bool, Int64?, String).self)
            let mark = Mark(
                isSaved: isSaved, isTasted: isTasted, isWanted: isWanted, points: points.map { Int($0) }, note: note)
            if person == member.person {
                mine = mark
            } else if mark.points != nil || !mark.note.isEmpty {
                others.append((name, mark))
            }
        }
        return WineFacts(
            mine: mine, others: others, bottles: try rows[1].decode(Bottles.self),
            sightings: try rows[2].decode((String, LocalDate, Int64?, Int64, String).self).compactMap {
                place, day, size, amount, code in
                CurrencyCode(code).map {
                    Sighting(
                        place: place, day: day, size: size.map { Int($0) },
                        price: Amount(minorUnits: amount, currency: $0))
                }
            },
            vintages: try rows[3].decode((WineID, Int64?, Int64?).self).map { id, vintage, points in
                (id, vintage.map { Int($0) }, points.map { Int($0) })
            }, similar: try SimilarWines.best(rows[4...], for: wine))
    }
}

extension WineFacts.Bottles: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        count = try row.next()
        place = try row.next()
        boughtOn = try row.next()
        let minor: Int64? = try row.next()
        let currency: String? = try row.next()
        price =
            if let minor, let code = currency.flatMap({ CurrencyCode($0) }) {
                Amount(minorUnits: minor, currency: code)
            } else { nil }
        revision = try row.next()
    }
}
