import Domain
import EventLoop
import Postgres

/// The catalogues of the households that asked last, each as of a number of the change log: taking names apart is the
/// dear part, and most pages come between two changes.
///
/// Nothing depends on what is kept: another server, or this one after a restart, makes the same again.
final class HouseholdCatalogues: Sendable {
    private let database: Database
    private let slowWork: SlowWork
    private let shelf = Shelf()

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        self.slowWork = slowWork
    }

    func load(_ household: HouseholdID) async throws -> HouseholdCatalogue {
        let number: SQL = "SELECT sync_seq FROM household WHERE id = \(household)"
        let now = try await database.read(household, number).first(Int64.self)
        if let now, let kept = shelf.find(household), kept.number == now { return kept.catalogue }
        // The number first: what changes in between is loaded already and looked at once more.
        let rows = try await database.read(household, batch: [number] + HouseholdCatalogue.statements(household))
        guard let read = try rows[0].first(Int64.self) else { throw Refusal.notFound }
        let shelf = shelf
        return try await slowWork.run {
            let kept = shelf.find(household)
            if let kept, kept.number == read { return kept.catalogue }
            let catalogue = try HouseholdCatalogue(Array(rows.dropFirst()), reusing: kept?.catalogue)
            shelf.put(household, Kept(number: read, catalogue: catalogue))
            return catalogue
        }
    }

    fileprivate struct Kept: Sendable {
        let number: Int64
        let catalogue: HouseholdCatalogue
    }
}

/// The newest catalogues, as many as memory is set aside for.
private final class Shelf: @unchecked Sendable {
    // Safe to share: read and written under the lock.
    private let lock = Lock()
    /// The one used last stands at the end.
    private var kept: [(household: HouseholdID, value: HouseholdCatalogues.Kept)] = []

    /// Products of all of them together; a product with its names takes about 2 KB.
    private static let mostProducts = 10_000
    private static let mostHouseholds = 16

    func find(_ household: HouseholdID) -> HouseholdCatalogues.Kept? {
        lock.withLock {
            guard let index = kept.firstIndex(where: { $0.household == household }) else { return nil }
            let found = kept.remove(at: index)
            kept.append(found)
            return found.value
        }
    }

    func put(_ household: HouseholdID, _ value: HouseholdCatalogues.Kept) {
        lock.withLock {
            kept.removeAll { $0.household == household }
            kept.append((household, value))
            while kept.count > Self.mostHouseholds
                || kept.reduce(0, { $0 + $1.value.catalogue.products.count }) > Self.mostProducts
            {
                kept.removeFirst()
            }
        }
    }
}
