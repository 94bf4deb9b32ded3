import Domain
import Postgres

/// `allesteurer delete-household [ID NAME]`: deletes a household with all its data. Without arguments, lists the
/// households.
enum DeleteHouseholdCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty || arguments.count == 2 else {
            throw UsageError(description: "takes the ID and the name of a household, or nothing")
        }
        let config = try program.config()
        // Deleting a large household takes longer than the default timeout of a statement.
        let settings = try PoolSettings.of(config, statementTimeout: .seconds(600))
        guard let text = arguments.first, let name = arguments.last?.trimmed else {
            let lines = try await OneLoop.run(settings) { pool in try await list(Database(pools: [pool])) }
            if !lines.isEmpty { Console.print(lines.joined(separator: "\n")) }
            return 0
        }
        guard let household = HouseholdID(text) else {
            throw UsageError(description: "ID must be one that `allesteurer delete-household` prints")
        }
        let isDeleted = try await OneLoop.run(settings) { pool in
            try await delete(household, name: name, Database(pools: [pool]), archivesRoot: config.backupFolder)
        }
        guard isDeleted else {
            Console.error("allesteurer delete-household: no household has this ID and name")
            return 1
        }
        return 0
    }

    /// Returns a line for each household: its identifier, its number of members, and its name.
    static func list(_ database: Database) async throws -> [String] {
        let households = try await database.read(
            "SELECT household_id, count(*) FROM membership GROUP BY household_id ORDER BY min(joined_at), household_id"
        ).decode((HouseholdID, Int64).self)
        var lines: [String] = []
        for (household, members) in households {
            let name = try await Self.name(of: household, database) ?? ""
            lines.append("\(household)  \(members) \(members == 1 ? "member" : "members")  \(name)")
        }
        return lines
    }

    /// Deletes the household. Returns false, and changes nothing, if it does not exist or has another name.
    static func delete(
        _ household: HouseholdID, name: String, _ database: Database, archivesRoot: String?
    ) async throws -> Bool {
        let deletion = HouseholdDeletion(database: database, archivesRoot: archivesRoot)
        guard try await Self.name(of: household, database) == name else { return false }
        try await deletion.begin(household, by: nil)
        try await deletion.finish(household)
        return true
    }

    private static func name(of household: HouseholdID, _ database: Database) async throws -> String? {
        try await database.read(household, "SELECT name FROM household WHERE id = \(household)").first(String.self)
    }
}
