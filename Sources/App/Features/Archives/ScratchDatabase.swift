import Crypto
import EventLoop
import Postgres

/// A temporary database in which an archive is checked or upgraded. It is dropped afterwards.
struct ScratchDatabase {
    private let creator: PostgresSettings
    private let name: String
    /// Connection settings of the role that creates the database.
    let owner: PostgresSettings
    /// Connection settings of the application's role.
    let application: PostgresSettings

    /// - Parameter creator: connection settings of a role that may create databases.
    init(_ creator: PostgresSettings, application: PostgresSettings) {
        self.creator = creator
        name = "allesteurer_scratch_\(Hexadecimal.encode(Random.bytes(8)))"
        var owner = creator
        owner["dbname"] = name
        self.owner = owner
        // The application's role connects to the same server as the creator.
        var settings = owner
        settings["user"] = application["user"]
        settings["password"] = application["password"]
        settings.statementTimeout = .seconds(600)
        settings.maximumConnections = 2
        self.application = settings
    }

    /// Creates the database, runs `body` and drops the database.
    func use<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'")
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        return try result.get()
    }

    /// Runs a statement that contains the database name unquoted, which is safe because it has only letters, digits and
    /// underscores.
    private func run(_ statement: String) throws {
        try SynchronousConnection(creator).query(SQL(uncheckedText: statement))
    }
}
