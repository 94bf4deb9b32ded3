import Domain
import JSON
import Postgres
import Templates
import Wines

/// The wines that a browser stores for offline use: those that members have saved or own, and those of the catalogue
/// with the highest scores.
enum OfflineWines {
    private static let mostWines: Int64 = 5_000

    struct Wine: Sendable {
        let title: String
        let detail: String
        let points: Int?
        /// Whether the member has saved, tasted or wants the wine, or has it in the cellar.
        let isMine: Bool
    }

    static func query(_ member: Member) -> SQL {
        let household = member.household
        return """
            SELECT w.producer, w.name, w.vintage::bigint, w.region, w.colour, w.points::bigint, w.drink_from::bigint,
                w.drink_until::bigint, k.wine_id IS NOT NULL
            FROM wine w
            LEFT JOIN (
                SELECT m.wine_id FROM wine_mark m WHERE m.household_id = \(household) AND m.person_id = \(member.person)
                    AND (m.is_saved OR m.is_tasted OR m.is_wanted)
                UNION SELECT b.wine_id FROM wine_bottle b WHERE b.household_id = \(household) AND b.count > 0
            ) k ON k.wine_id = w.id
            WHERE w.household_id = \(household) AND w.discarded_at IS NULL
            ORDER BY k.wine_id IS NULL, w.points DESC NULLS LAST, w.id LIMIT \(mostWines)
            """
    }

    static func wines(_ rows: Rows, _ days: DayText) throws -> [Wine] {
        try rows.decode((String, String, Int64?, String, String, Int64?, Int64?, Int64?, Bool).self).map { row in
            let name = [row.0, row.1, row.2.map { String($0) } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            let (from, until) = (row.6.map { Int($0) }, row.7.map { Int($0) })
            let window = DrinkWindow(from: from, until: until, year: days.today.year)
            let detail = [
                WineColor(rawValue: row.4).map { days.words["server.wine.colour-\($0.rawValue)"] } ?? "", row.3,
                window.text(from: from, until: until, days.words),
            ].filter { !$0.isEmpty }
            return Wine(
                title: name, detail: detail.joined(separator: " · "), points: row.5.map { Int($0) }, isMine: row.8)
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
