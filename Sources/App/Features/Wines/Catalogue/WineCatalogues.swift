import Domain
import EventLoop
import Postgres
import Wines

/// A cache of search indexes: the index of the operator's catalogue, and those of the recently used households.
///
/// All event loops of a server process share one cache. Each process builds its own indexes from the database.
final class WineCatalogues: Sendable {
    private let database: Database
    private let slowWork: SlowWork
    private let cache = WineIndexCache()
    private let loads = SharedLoads<HouseholdID?, WineIndexCache.Entry>()

    /// The maximum number of wines that one query reads.
    private static let batchSize: Int32 = 20_000

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        self.slowWork = slowWork
    }

    /// Loads the current catalogue of a household. Concurrent calls share one load.
    ///
    /// - Parameter texts: The printed texts to match later. Only their assignments to wines are read.
    func load(_ household: HouseholdID, texts: [String] = []) async throws -> HouseholdWines {
        let keys = Set(texts.map(HouseholdWines.key))
        let rows = try await database.read(
            household,
            batch: [
                "SELECT version FROM wine_catalogue WHERE household_id = \(household)",
                "SELECT version FROM shared_wine_catalogue",
                """
                SELECT alias_key, wine_id, is_match FROM wine_alias
                WHERE household_id = \(household) AND alias_key = ANY(\(keys.sorted()))
                """,
            ])
        let own = try await index(of: household, atLeast: rows[0].first(Int64.self) ?? 0)
        let shared = try await index(of: nil, atLeast: rows[1].first(Int64.self) ?? 0, readingAs: household)
        return HouseholdWines(
            own: own, shared: shared,
            aliases: try rows[2].decode((String, WineID, Bool).self).map { ($0.0, $0.1, $0.2) })
    }

    /// - Parameters:
    ///   - household: nil for the operator's catalogue.
    ///   - readingAs: the household whose access rights apply to the queries; nil for `household`.
    private func index(
        of household: HouseholdID?, atLeast version: Int64, readingAs: HouseholdID? = nil
    ) async throws -> WineIndexCache.Entry {
        guard version > 0 else { return WineIndexCache.Entry.empty }
        while true {
            if let cached = cache.find(household), cached.version >= version { return cached }
            let loaded = try await loads.value(of: household) { try await read(household, readingAs ?? household) }
            // A shared load may have begun before the last change; its index is then out of date.
            if loaded.version >= version { return loaded }
        }
    }

    /// - Parameters:
    ///   - household: nil for the operator's catalogue.
    ///   - readingHousehold: the household whose access rights apply to the queries.
    private func read(
        _ household: HouseholdID?, _ readingHousehold: HouseholdID?
    ) async throws -> WineIndexCache.Entry {
        guard let readingHousehold else { throw Refusal.notFound }
        // Reads the version first. After a concurrent change, the stored version is then higher, and the index is
        // loaded again.
        let versionQuery: SQL =
            household.map { "SELECT version FROM wine_catalogue WHERE household_id = \($0)" }
            ?? "SELECT version FROM shared_wine_catalogue"
        let version = try await database.read(readingHousehold, versionQuery).first(Int64.self) ?? 0
        let discarded = try await discardedWines(of: household)
        let collected = WineCollection()
        var last: WineID?
        while true {
            let after: SQL = last.map { "w.id > \($0)" } ?? "true"
            let source: SQL =
                household.map { "wine w WHERE w.household_id = \($0) AND w.discarded_at IS NULL" }
                ?? "shared_wine w WHERE true"
            let rows = try await database.read(
                readingHousehold,
                """
                SELECT w.id, w.producer, w.name, w.vintage, w.country, w.region, w.colour, w.grapes, w.points,
                    w.release_minor, w.release_currency
                FROM \(source) AND \(after) ORDER BY w.id LIMIT \(Self.batchSize)
                """)
            guard !rows.isEmpty else { break }
            last = try await slowWork.run { try collected.add(rows) }
            if rows.count < Int(Self.batchSize) { break }
        }
        let cache = cache
        return try await slowWork.run {
            let entry = WineIndexCache.Entry(
                version: version, ids: collected.ids, index: collected.index(), offers: collected.sortedOffers,
                discarded: discarded)
            cache.put(household, entry)
            return entry
        }
    }

    /// - Parameter household: nil for the operator's catalogue, which contains no deleted wines.
    private func discardedWines(of household: HouseholdID?) async throws -> Set<WineID> {
        guard let household else { return [] }
        let rows = try await database.read(
            household,
            "SELECT id FROM wine WHERE household_id = \(household) AND discarded_at IS NOT NULL LIMIT 100000")
        return Set(try rows.decode(WineID.self))
    }
}

/// Collects rows for an index. Not thread-safe.
private final class WineCollection: @unchecked Sendable {
    // Safe to share: one load uses the object, and its jobs run one after another.
    private(set) var ids: [WineID] = []
    /// Release prices and scores of the wines that have both, by currency.
    private(set) var offers: [String: [BestValue.Offer]] = [:]
    private var builder = WineIndex.Builder()

    /// The maximum number of offers that are collected for each currency.
    private static let maximumOffers = 5_000

    /// - Returns: the identifier of the last row.
    func add(_ rows: Rows) throws -> WineID? {
        for row in rows {
            var reader = RowReader(of: row)
            let id: WineID = try reader.next()
            let producer: String = try reader.next()
            let name: String = try reader.next()
            let vintage: Int64? = try reader.next()
            let country: String = try reader.next()
            let region: String = try reader.next()
            let colour: String = try reader.next()
            builder.add(
                CatalogueWine(
                    producer: producer, name: name, vintage: vintage.map { Int($0) }, country: country, region: region,
                    color: WineColor(rawValue: colour), grapes: try reader.next()))
            ids.append(id)
            let points: Int64? = try reader.next()
            let price: Int64? = try reader.next()
            let currency: String? = try reader.next()
            if let points, let price, let currency, offers[currency, default: []].count < Self.maximumOffers {
                offers[currency, default: []].append(BestValue.Offer(price: Int(price), score: Int(points)))
            }
        }
        return ids.last
    }

    func index() -> WineIndex { builder.index() }

    /// `offers` sorted by price, as `BestValue` needs them, so that they are not sorted for every list.
    var sortedOffers: [String: [BestValue.Offer]] { offers.mapValues { $0.sorted { $0.price < $1.price } } }
}

/// The most recently used indexes, limited in number and total size.
final class WineIndexCache: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.
    struct Entry: Sendable {
        let version: Int64
        /// The identifiers of the wines in ascending order; the numbers in `index` are positions in this array.
        let ids: [WineID]
        let index: WineIndex
        /// Release prices and scores of the wines that have both, by currency.
        let offers: [String: [BestValue.Offer]]
        /// The deleted wines of a household. If such a wine was copied from the operator's catalogue, the operator's
        /// wine is hidden, too.
        var discarded: Set<WineID> = []

        static let empty = Entry(version: 0, ids: [], index: WineIndex([CatalogueWine]()), offers: [:])

        /// The position of a wine in `ids`; nil if the index does not have it.
        func position(of wine: WineID) -> Int? {
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if ids[middle] < wine { low = middle + 1 } else { high = middle }
            }
            return low < ids.count && ids[low] == wine ? low : nil
        }
    }

    private let lock = Lock()
    /// The cached indexes, the least recently used first.
    private var entries: [(household: HouseholdID?, value: Entry)] = []

    /// The maximum total number of wines in all indexes. A million wines need about 140 MB.
    private static let maximumWines = 1_000_000
    private static let maximumIndexes = 64

    func find(_ household: HouseholdID?) -> Entry? {
        lock.withLock {
            guard let position = entries.firstIndex(where: { $0.household == household }) else { return nil }
            let found = entries.remove(at: position)
            entries.append(found)
            return found.value
        }
    }

    func put(_ household: HouseholdID?, _ value: Entry) {
        lock.withLock {
            entries.removeAll { $0.household == household }
            entries.append((household, value))
            while entries.count > 1
                && (entries.count > Self.maximumIndexes
                    || entries.reduce(0, { $0 + $1.value.ids.count }) > Self.maximumWines)
            {
                entries.removeFirst()
            }
        }
    }
}
