import Domain
import HTTP
import Postgres
import Wines

/// The filter of the wine list, read from the query string.
struct WineFilter: Sendable {
    var search = ""
    var colour: WineColor?
    /// The minimum shown score of the listed wines, in points out of 100; nil for no minimum.
    var points: Int?
    /// Only wines in their drink window.
    var onlyReady = false
    /// Whether to list the operator's catalogue instead of the household's.
    var isShared = false
    var page = 1

    init() {}

    init(_ head: RequestHead) {
        search = head.queryText("search", limit: TextLimit.search)
        colour = head.query("colour").flatMap(WineColor.init(rawValue:))
        points = head.query("points").flatMap { Int($0) }.flatMap { (1...100).contains($0) ? $0 : nil }
        onlyReady = head.query("ready") != nil
        isShared = head.query("shared") != nil
        page = head.query("page").flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 1
    }

    var isActive: Bool { colour != nil || points != nil || onlyReady || isShared }

    func href(page: Int) -> String {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("search", search)) }
        if let colour { pairs.append(("colour", colour.rawValue)) }
        if let points { pairs.append(("points", String(points))) }
        if onlyReady { pairs.append(("ready", "1")) }
        if isShared { pairs.append(("shared", "1")) }
        if page > 1 { pairs.append(("page", String(page))) }
        let query = pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return query.isEmpty ? "/wines" : "/wines?\(query)"
    }

    /// The filter as a condition on the table alias `w`.
    ///
    /// - Parameter shown: the shown score.
    func condition(_ today: LocalDate, shown: SQL) -> SQL {
        var parts: [SQL] = []
        if let colour { parts.append("w.colour = \(colour.rawValue)") }
        // The first condition uses an index. It excludes no wine of the result, because no shown score is higher than
        // `w.points`.
        if let points { parts.append("w.points >= \(points) AND \(shown) >= \(points)") }
        if onlyReady {
            parts.append(
                """
                (w.drink_from IS NOT NULL OR w.drink_until IS NOT NULL)
                AND coalesce(w.drink_from, 0) <= \(today.year) AND coalesce(w.drink_until, 9999) >= \(today.year)
                """)
        }
        return parts.isEmpty ? "true" : parts.joined(separator: " AND ")
    }

    /// Whether the filter lists a wine.
    func allows(_ wine: StoredWine, _ today: LocalDate) -> Bool {
        if let colour, wine.colour != colour { return false }
        if let points, (wine.points ?? -1) < points { return false }
        if onlyReady, wine.window(today) != .ready { return false }
        return !isShared || wine.isShared
    }
}

/// The queries of the list of wines.
struct WineQueries: Sendable {
    let database: Database
    let catalogues: WineCatalogues
    let slowWork: SlowWork

    static let pageSize = 50

    struct Result: Sendable {
        let wines: [StoredWine]
        let hasMore: Bool
        /// The vintages of each wine with several vintages, the latest first.
        var vintages: [WineID: [Int]] = [:]
        /// The number of wines in the household's catalogue.
        let own: Int64
        /// The number of wines in the operator's catalogue.
        let shared: Int64
    }

    func list(_ filter: WineFilter, _ household: HouseholdID, today: LocalDate) async throws -> Result {
        let counts: SQL = """
            SELECT (SELECT count(*) FROM wine WHERE household_id = \(household) AND discarded_at IS NULL),
                (SELECT count(*) FROM shared_wine)
            """
        if !filter.search.isEmpty { return try await search(filter, household, today: today, counts) }
        let skipped = Int64((filter.page - 1) * Self.pageSize)
        let usesCritic = try await usesCritic(filter, household)
        func points(_ wine: SQL) -> SQL { usesCritic ? StoredWine.sharedPoints(wine, household) : "\(wine).points" }
        let order: SQL = """
            ORDER BY \(points("w")) DESC NULLS LAST, w.id LIMIT \(Int64(Self.pageSize + 1)) OFFSET \(skipped)
            """
        let condition = filter.condition(today, shown: points("w"))
        let isBest = filter.isShared ? Self.isBestShared(household, own: points("w"), other: points("o")) : Self.isBest
        let listed: SQL = "\(condition) AND \(filter.onlyReady ? "true" : isBest) \(order)"
        let listing =
            filter.isShared
            ? StoredWine.sharedQuery(household, listed)
            : StoredWine.query(household, "w.discarded_at IS NULL AND \(listed)")
        let rows = try await database.read(household, batch: [counts, listing])
        let (own, shared) = try Self.counts(rows[0])
        let wines = try rows[1].decode(StoredWine.self)
        let shown = Array(wines.prefix(Self.pageSize))
        return Result(
            wines: shown, hasMore: wines.count > Self.pageSize,
            vintages: filter.onlyReady ? [:] : try await vintages(of: shown, household), own: own, shared: shared)
    }

    /// Whether the shown scores of the listed wines depend on the preferred critic. Otherwise, they are in the column
    /// `points`, which has an index.
    private func usesCritic(_ filter: WineFilter, _ household: HouseholdID) async throws -> Bool {
        guard filter.isShared else { return false }
        let preferred = try await database.read(
            household, "SELECT 1 FROM wine_catalogue WHERE household_id = \(household) AND preferred_critic <> ''")
        return !preferred.isEmpty
    }

    /// A condition on the table alias `w` that is true for the vintage with the highest score. The list shows only this
    /// vintage of each wine.
    private static let isBest: SQL = """
        NOT EXISTS (SELECT 1 FROM wine o WHERE o.household_id = w.household_id AND o.family_key = w.family_key
            AND w.family_key <> '' AND o.discarded_at IS NULL AND o.id <> w.id
            AND (coalesce(o.points, -1) > coalesce(w.points, -1)
                OR coalesce(o.points, -1) = coalesce(w.points, -1) AND o.id < w.id))
        """

    /// Like `isBest`, but for the operator's catalogue. Ignores wines whose copies the household has deleted.
    ///
    /// - Parameters:
    ///   - own: the shown score of `w`.
    ///   - other: the shown score of `o`, another vintage.
    private static func isBestShared(_ household: HouseholdID, own: SQL, other: SQL) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM shared_wine o WHERE o.family_key = w.family_key AND w.family_key <> '' AND o.id <> w.id
            AND (coalesce(\(other), -1) > coalesce(\(own), -1)
                OR coalesce(\(other), -1) = coalesce(\(own), -1) AND o.id < w.id)
            AND \(isKept(household)))
        """
    }

    /// A condition on the table alias `o` of the operator's catalogue: the household has not deleted its copy.
    private static func isKept(_ household: HouseholdID) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM wine x
            WHERE x.household_id = \(household) AND x.id = o.id AND x.discarded_at IS NOT NULL)
        """
    }

    private func vintages(of wines: [StoredWine], _ household: HouseholdID) async throws -> [WineID: [Int]] {
        let (own, shared) = (wines.filter { !$0.isShared }.map(\.id), wines.filter(\.isShared).map(\.id))
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT w.id, array_agg(DISTINCT o.vintage::bigint)
                FROM wine w JOIN wine o ON o.household_id = w.household_id AND o.family_key = w.family_key
                WHERE w.household_id = \(household) AND w.id = ANY(\(own)) AND w.family_key <> ''
                    AND o.discarded_at IS NULL AND o.vintage IS NOT NULL
                GROUP BY w.id HAVING count(DISTINCT o.vintage) > 1
                """,
                """
                SELECT w.id, array_agg(DISTINCT o.vintage::bigint)
                FROM shared_wine w JOIN shared_wine o ON o.family_key = w.family_key
                WHERE w.id = ANY(\(shared)) AND w.family_key <> '' AND o.vintage IS NOT NULL
                    AND \(Self.isKept(household))
                GROUP BY w.id HAVING count(DISTINCT o.vintage) > 1
                """,
            ])
        let found = try rows.flatMap { try $0.decode((WineID, [Int64]).self) }
        return Dictionary(found.map { ($0.0, $0.1.map { Int($0) }.sorted(by: >)) }) { first, _ in first }
    }

    private func search(
        _ filter: WineFilter, _ household: HouseholdID, today: LocalDate, _ counts: SQL
    ) async throws -> Result {
        let hits = try await find(filter.search, isFuzzy: true, limit: filter.page * Self.pageSize + 200, household)
        let wines = try await StoredWine.load(hits.map(\.id), household, database)
        // Lists only the best matching vintage of each wine.
        var families: Set<String> = []
        let ordered = hits.compactMap { wines[$0.id] }.filter { wine in
            guard filter.allows(wine, today) else { return false }
            let family = wine.familyKey
            return filter.onlyReady || family.isEmpty || families.insert(family).inserted
        }
        let (own, shared) = try Self.counts(try await database.read(household, counts))
        let first = (filter.page - 1) * Self.pageSize
        let shown = Array(ordered.dropFirst(first).prefix(Self.pageSize))
        return Result(
            wines: shown, hasMore: ordered.count > first + Self.pageSize,
            vintages: filter.onlyReady ? [:] : try await vintages(of: shown, household), own: own, shared: shared)
    }

    private static func counts(_ rows: Rows) throws -> (own: Int64, shared: Int64) {
        guard let (own, shared) = try rows.first((Int64, Int64).self) else { return (0, 0) }
        return (own, shared)
    }

    func find(_ text: String, isFuzzy: Bool, limit: Int, _ household: HouseholdID) async throws -> [FoundWine] {
        let wines = try await catalogues.load(household)
        return try await slowWork.run { wines.search(text, fuzzy: isFuzzy, limit: limit) }
    }
}
