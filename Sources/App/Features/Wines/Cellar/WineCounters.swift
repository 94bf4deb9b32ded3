import Domain
import Postgres

/// Counters of a household by day. They contain numbers only: no texts and no persons.
enum WineCounters {
    enum Name: String, Sendable, CaseIterable {
        /// Pictures that were scanned on request.
        case scans
        /// Pictures of a live scan.
        case frames
        /// Entries that were read.
        case entries
        /// Entries whose wine was found.
        case found
        /// Pages with a filter.
        case filtered
        /// Wines and lists that were saved.
        case saved
        /// Pictures that could not be read.
        case errors
    }

    /// Adds to the counters of today. Not part of the change log.
    static func add(_ counts: [Name: Int], _ household: HouseholdID, _ database: Database) async throws {
        let counts = counts.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
        guard !counts.isEmpty else { return }
        _ = try await database.store(
            household,
            """
            INSERT INTO wine_counter AS c (household_id, day, name, count)
            SELECT \(household), \(WallClock.today()), n.name, n.count
            FROM unnest(\(counts.map(\.key.rawValue)), \(counts.map { Int64($0.value) })) AS n (name, count)
            ON CONFLICT (household_id, day, name) DO UPDATE SET count = c.count + excluded.count
            """)
    }
}
