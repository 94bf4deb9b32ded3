import Domain
import JSON
import Postgres
import Templates
import Wines

/// The wines that a browser stores for offline use: wines that the member has marked, wines in the cellar, and the best
/// wines of both catalogues.
enum OfflineWines {
    private static let maximumWines: Int64 = 5_000

    struct Wine: Sendable {
        let title: String
        let detail: String
        let points: Int?
        /// Whether the member has marked the wine as saved, tasted or wanted, or the wine is in the cellar.
        let isMine: Bool
    }

    static func query(_ member: Member) -> SQL {
        let household = member.household
        func columns(points: SQL) -> SQL {
            """
            w.producer, w.name, w.vintage::bigint AS vintage, w.region, w.colour, \(points)::bigint AS points,
                w.drink_from::bigint AS drink_from, w.drink_until::bigint AS drink_until
            """
        }
        let (own, shared) = (columns(points: "w.points"), columns(points: StoredWine.sharedPoints("w", household)))
        let best: SQL = "ORDER BY w.points DESC NULLS LAST, w.id LIMIT \(maximumWines)"
        return """
            WITH mine AS MATERIALIZED (
                SELECT m.wine_id FROM wine_mark m WHERE m.household_id = \(household) AND m.person_id = \(member.person)
                    AND (m.is_saved OR m.is_tasted OR m.is_wanted)
                UNION SELECT b.wine_id FROM wine_bottle b WHERE b.household_id = \(household) AND b.count > 0)
            SELECT n.* FROM (
                SELECT \(own), true AS is_mine FROM mine k
                JOIN wine w ON w.household_id = \(household) AND w.id = k.wine_id AND w.discarded_at IS NULL
                UNION ALL (SELECT \(own), false FROM wine w WHERE w.household_id = \(household)
                    AND w.discarded_at IS NULL AND w.id NOT IN (SELECT k.wine_id FROM mine k) \(best))
                UNION ALL (SELECT \(shared), false FROM shared_wine w WHERE NOT EXISTS (SELECT 1 FROM wine o
                    WHERE o.household_id = \(household) AND o.id = w.id) \(best))) n
            ORDER BY n.is_mine DESC, n.points DESC NULLS LAST, n.producer, n.name, n.vintage LIMIT \(maximumWines)
            """
    }

    static func wines(_ rows: Rows, _ days: DayText) throws -> [Wine] {
        try rows.decode((String, String, Int64?, String, String, Int64?, Int64?, Int64?, Bool).self).map { row in
            let (producer, name, vintage, region, colour, points, drinkFrom, drinkUntil, isMine) = row
            let title = [StoredWine.fullName(producer, name)] + (vintage.map { [String($0)] } ?? [])
            let (from, until) = (drinkFrom.map { Int($0) }, drinkUntil.map { Int($0) })
            let window = DrinkWindow(from: from, until: until, year: days.today.year)
            let detail = [
                WineColor(rawValue: colour).map { days.words["server.wine.colour-\($0.rawValue)"] } ?? "", region,
                window.text(from: from, until: until, days.words),
            ].filter { !$0.isEmpty }
            return Wine(
                title: title.joined(separator: " "), detail: detail.joined(separator: " · "),
                points: points.map { Int($0) }, isMine: isMine)
        }
    }

    /// Writes each wine as an array of title, detail, points and `isMine`.
    static func write(_ wines: [Wine], _ json: inout JSONWriter) {
        json.array("wines") { json in
            for wine in wines {
                json.array { json in
                    json.value(wine.title)
                    json.value(wine.detail)
                    if let points = wine.points { json.value(points) } else { json.null() }
                    json.value(wine.isMine)
                }
            }
        }
    }
}
