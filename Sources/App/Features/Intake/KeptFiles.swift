import Domain
import Postgres

/// The files of a household's watched folder that became receipts, but could not be deleted.
///
/// The inode is not stored, because network file systems can change it. So a file is recognised by its name, its size
/// and the time of its last change.
struct KeptFiles {
    let household: HouseholdID
    private let database: Database
    /// The names of all files in the folder.
    private let names: [String]
    /// The stored files by name; nil until they are loaded.
    private var loaded: [String: Properties]?

    private struct Properties: Equatable {
        let size: Int64
        let changedAt: Int64
    }

    init(_ household: HouseholdID, in names: [String], _ database: Database) {
        self.household = household
        self.names = names
        self.database = database
    }

    /// Whether the file became a receipt already.
    mutating func contains(_ name: String, _ file: WatchedFile) async throws -> Bool {
        try await load()[name] == Properties(size: file.size, changedAt: file.changedAt)
    }

    mutating func remember(_ name: String, _ file: WatchedFile) async throws {
        try await database.store(
            household,
            batch: [
                """
                INSERT INTO watched_file (household_id, name, size, changed_at)
                VALUES (\(household), \(name), \(file.size), \(file.changedAt))
                ON CONFLICT (household_id, name) DO UPDATE SET size = excluded.size, changed_at = excluded.changed_at
                """
            ])
        loaded?[name] = Properties(size: file.size, changedAt: file.changedAt)
    }

    /// Deletes the row of a file. Does nothing if the file has no row.
    mutating func forget(_ name: String) async throws {
        guard try await load()[name] != nil else { return }
        try await database.store(household, batch: [deletion([name])])
        loaded?[name] = nil
    }

    /// Forgets the files that are not in the folder any more. A file that comes back is then imported again.
    mutating func forgetMissing() async throws { _ = try await load() }

    /// Loads the files, and forgets those that are not in the folder any more.
    private mutating func load() async throws -> [String: Properties] {
        if let loaded { return loaded }
        let rows = try await database.read(
            household, "SELECT name, size, changed_at FROM watched_file WHERE household_id = \(household)")
        var files: [String: Properties] = [:]
        for (name, size, changedAt) in try rows.decode((String, Int64, Int64).self) {
            files[name] = Properties(size: size, changedAt: changedAt)
        }
        let missingNames = Array(Set(files.keys).subtracting(names))
        if !missingNames.isEmpty { try await database.store(household, batch: [deletion(missingNames)]) }
        for name in missingNames { files[name] = nil }
        loaded = files
        return files
    }

    private func deletion(_ names: [String]) -> SQL {
        "DELETE FROM watched_file WHERE household_id = \(household) AND name = ANY(\(names))"
    }
}
