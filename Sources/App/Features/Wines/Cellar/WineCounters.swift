import Domain
import Postgres

/// Usage counters of a household by date. They contain no texts and no persons.
enum WineCounters {
    enum Name: String, Sendable, CaseIterable {
        /// Scans that a member started.
        case scans
        /// Frames of live scans.
        case frames
        /// Entries read from wine lists.
        case entries
        /// Entries matched with a wine.
        case found
        /// Scanned lists that were shown with a filter.
        case filtered
        /// Saved wines and lists.
        case saved
        /// Unreadable pictures.
        case errors
    }

    /// Adds to today's counters, without an entry in the change log.
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
