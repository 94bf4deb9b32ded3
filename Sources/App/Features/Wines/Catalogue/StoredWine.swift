import Domain
import JSON
import Postgres
import Wines

/// A critic's score and note for a wine.
struct WineScore: Sendable, Equatable {
    /// The critic's name or initials; empty if unknown.
    let critic: String
    /// Points out of 100.
    let points: Int
    var note = ""
    var reviewedOn: LocalDate?
}

/// A wine of the household's catalogue or of the operator's shared catalogue.
struct StoredWine: Sendable {
    let id: WineID
    /// Whether only the operator's catalogue has the wine; false if the household's catalogue has a copy.
    let isShared: Bool
    let producer: String
    let name: String
    let vintage: Int?
    let country: String
    let region: String
    let colour: WineColor?
    let grapes: [String]
    /// The price of one bottle when the wine was released.
    let releasePrice: Amount?
    /// The first year of the drink window; nil if unknown.
    let drinkFrom: Int?
    /// The last year of the drink window; nil if unknown.
    let drinkUntil: Int?
    /// The shown score, in points out of 100.
    let points: Int?
    let revision: Int64
    /// Sorted by critic.
    let scores: [WineScore]

    /// Producer and name; only the name if it begins with the producer.
    var fullName: String { Self.fullName(producer, name) }

    static func fullName(_ producer: String, _ name: String) -> String {
        let (folded, beginning) = (FoldedText.fold(name), FoldedText.fold(producer))
        // `Gutedel` does not begin with the producer `Gut`.
        let next = folded.hasPrefix(beginning) ? folded.dropFirst(beginning.count).first ?? " " : "x"
        return producer.isEmpty || !next.isLetter && !next.isNumber ? name : "\(producer) \(name)"
    }

    /// The full name and the vintage.
    var title: String { vintage.map { "\(fullName) \($0)" } ?? fullName }

    var familyKey: String { Self.familyKey(producer, name, vintage: vintage) }

    /// Returns a key that all vintages of one wine share. A year in the name, as in `Cuvée 1922`, is part of the key if
    /// the vintage is another year.
    static func familyKey(_ producer: String, _ name: String, vintage: Int?) -> String {
        let text = "\(producer) \(name)"
        guard let vintage else { return WineText.key(text) }
        let words = WineText.nameKey(text).split(separator: " ").filter { $0 != String(vintage) }
        return words.joined(separator: " ").cut(to: WineText.maximumLength)
    }

    /// The critic's score that equals `points`; if there is none, the first score.
    var shownScore: WineScore? { scores.first { $0.points == points } ?? scores.first }

    // MARK: Queries

    private static let columns: SQL = """
        w.producer, w.name, w.vintage, w.country, w.region, w.colour, w.grapes, w.release_minor, w.release_currency,
        w.drink_from, w.drink_until
        """

    /// Selects wines of the household; `condition` refers to the table alias `w`.
    static func query(_ household: HouseholdID, _ condition: SQL) -> SQL {
        """
        SELECT w.id, false, \(columns), w.points, w.revision, coalesce((
            SELECT jsonb_agg(jsonb_build_object('critic', s.critic, 'points', s.points, 'note', s.note,
                'reviewed_on', s.reviewed_on) ORDER BY s.critic)
            FROM wine_score s WHERE s.household_id = w.household_id AND s.wine_id = w.id), '[]')
        FROM wine w WHERE w.household_id = \(household) AND \(condition)
        """
    }

    /// Selects wines of the operator's catalogue, except those whose copies the household deleted; `condition` refers
    /// to the table alias `w`.
    static func sharedQuery(_ household: HouseholdID, _ condition: SQL) -> SQL {
        """
        SELECT w.id, true, \(columns), \(sharedPoints("w", household)), 1::bigint, w.scores FROM shared_wine w
        WHERE NOT EXISTS (SELECT 1 FROM wine x
                WHERE x.household_id = \(household) AND x.id = w.id AND x.discarded_at IS NOT NULL)
            AND \(condition)
        """
    }

    /// The shown score of a wine of the operator's catalogue: the score of the household's preferred critic. If there
    /// is none, the highest score, which is in the column `points`.
    ///
    /// - Parameter wine: the table alias of `shared_wine`.
    static func sharedPoints(_ wine: SQL, _ household: HouseholdID) -> SQL {
        // The JSON path takes 1 µs for each wine; expanding the scores into rows takes 4 µs. The inner query runs once
        // for all wines.
        """
        coalesce(jsonb_path_query_first(\(wine).scores, '$[*] ? (@.critic == $critic && @.points != null).points', (
            SELECT jsonb_build_object('critic', c.preferred_critic) FROM wine_catalogue c
            WHERE c.household_id = \(household) AND c.preferred_critic <> ''))::smallint, \(wine).points)
        """
    }

    /// - Throws: `Refusal.notFound`.
    static func find(_ id: WineID, _ household: HouseholdID, _ database: Database) async throws -> StoredWine {
        guard let wine = try await load([id], household, database)[id] else { throw Refusal.notFound }
        return wine
    }

    /// Loads wines by identifier and ignores unknown identifiers. A household's own copy takes precedence over the
    /// operator's wine.
    static func load(
        _ ids: [WineID], _ household: HouseholdID, _ database: Database
    ) async throws -> [WineID: StoredWine] {
        guard !ids.isEmpty else { return [:] }
        let rows = try await database.read(
            household,
            batch: [
                query(household, "w.id = ANY(\(ids)) AND w.discarded_at IS NULL"),
                sharedQuery(household, "w.id = ANY(\(ids))"),
            ])
        let wines = try rows[0].decode(StoredWine.self) + rows[1].decode(StoredWine.self)
        return Dictionary(wines.map { ($0.id, $0) }) { first, _ in first }
    }
}

extension StoredWine: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        isShared = try row.next()
        producer = try row.next()
        name = try row.next()
        let vintage: Int64? = try row.next()
        self.vintage = vintage.map { Int($0) }
        country = try row.next()
        region = try row.next()
        let colour: String = try row.next()
        self.colour = WineColor(rawValue: colour)
        grapes = try row.next()
        let release: Int64? = try row.next()
        let currency: String? = try row.next()
        releasePrice =
            if let release, let code = currency.flatMap({ CurrencyCode($0) }) {
                Amount(minorUnits: release, currency: code)
            } else { nil }
        let from: Int64? = try row.next()
        let until: Int64? = try row.next()
        let points: Int64? = try row.next()
        drinkFrom = from.map { Int($0) }
        drinkUntil = until.map { Int($0) }
        self.points = points.map { Int($0) }
        revision = try row.next()
        let scores: PostgresJSON = try row.next()
        self.scores = WineScore.list(scores.bytes)
    }
}

extension WineScore {
    /// Reads `[{"critic", "points", "note", "reviewed_on"}]`; skips elements that are not scores.
    static func list(_ json: [UInt8]) -> [WineScore] {
        guard let list = try? JSONValue(reading: json, limits: JSONLimits(size: 1 << 20)).array else { return [] }
        return list.compactMap { value in
            guard let points = value["points"]?.integer, (0...100).contains(points) else { return nil }
            return WineScore(
                critic: value["critic"]?.string ?? "", points: Int(points), note: value["note"]?.string ?? "",
                reviewedOn: value["reviewed_on"]?.string.flatMap { LocalDate(parsing: $0) })
        }
    }
}
