import Domain
import EventLoop
import Postgres

/// The catalogues of the most recently used households, each with the sequence number of the last change that it
/// contains. Building a catalogue is costly, because it analyses names. For most requests the household has not changed
/// since the previous request.
///
/// This is a cache: every server can build the same catalogues again.
final class HouseholdCatalogues: Sendable {
    private let database: Database
    private let slowWork: SlowWork
    private let cache = Cache()
    private let loads = SharedLoads<HouseholdID, CachedCatalogue>()

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        self.slowWork = slowWork
    }

    /// Returns the household's current catalogue. Concurrent calls for a household share one load.
    func load(_ household: HouseholdID) async throws -> HouseholdCatalogue {
        let number: SQL = "SELECT sync_seq FROM household WHERE id = \(household)"
        guard let now = try await database.read(household, number).first(Int64.self) else { throw Refusal.notFound }
        while true {
            if let kept = cache.find(household), kept.number >= now { return kept.catalogue }
            let loaded = try await loads.value(of: household) { try await read(household, number) }
            // A load that began before the last change may be outdated.
            if loaded.number >= now { return loaded.catalogue }
        }
    }

    /// Loads the catalogue, reusing the analysed names of the cached catalogue.
    ///
    /// - Parameter number: a query for the sequence number of the household's last change.
    private func read(_ household: HouseholdID, _ number: SQL) async throws -> CachedCatalogue {
        // The number is read first. A change during the other reads has a higher number, so the next call loads it.
        let rows = try await database.read(household, batch: [number] + HouseholdCatalogue.statements(household))
        guard let readNumber = try rows[0].first(Int64.self) else { throw Refusal.notFound }
        let cache = cache
        return try await slowWork.run {
            let oldEntry = cache.find(household)
            if let oldEntry, oldEntry.number >= readNumber { return oldEntry }
            let catalogue = try HouseholdCatalogue(Array(rows.dropFirst()), reusing: oldEntry?.catalogue)
            let newEntry = CachedCatalogue(number: readNumber, catalogue: catalogue)
            cache.put(household, newEntry)
            return newEntry
        }
    }

    /// A catalogue and the sequence number of the last change that it contains.
    fileprivate struct CachedCatalogue: Sendable {
        let number: Int64
        let catalogue: HouseholdCatalogue
    }
}

/// The most recently used catalogues, limited in number and size.
private final class Cache: @unchecked Sendable {
    // Safe to share: all properties are accessed under the lock.
    private let lock = Lock()
    /// Ordered by last use; the most recently used entry is last.
    private var entries: [(household: HouseholdID, value: HouseholdCatalogues.CachedCatalogue)] = []

    /// The limit of products in all catalogues together. A product with its names takes about 2 KB.
    private static let maximumProducts = 10_000
    private static let maximumHouseholds = 16

    func find(_ household: HouseholdID) -> HouseholdCatalogues.CachedCatalogue? {
        lock.withLock {
            guard let index = entries.firstIndex(where: { $0.household == household }) else { return nil }
            let found = entries.remove(at: index)
            entries.append(found)
            return found.value
        }
    }

    func put(_ household: HouseholdID, _ value: HouseholdCatalogues.CachedCatalogue) {
        lock.withLock {
            entries.removeAll { $0.household == household }
            entries.append((household, value))
            while entries.count > Self.maximumHouseholds
                || entries.reduce(0, { $0 + $1.value.catalogue.products.count }) > Self.maximumProducts
            {
                entries.removeFirst()
            }
        }
    }
}
