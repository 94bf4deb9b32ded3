import Crypto
import EventLoop
import Postgres

/// A temporary database for checking or upgrading an archive; dropped afterwards.
struct ScratchDatabase {
    private let creator: PostgresSettings
    private let name: String
    /// Settings for the role that created it.
    let owner: PostgresSettings
    /// Settings for the application's role.
    let application: PostgresSettings

    /// - Parameter creator: settings of a role that may create databases.
    init(_ creator: PostgresSettings, application: PostgresSettings) {
        self.creator = creator
        name = "allesteurer_scratch_\(Hexadecimal.encode(Random.bytes(8)))"
        var owner = creator
        owner["dbname"] = name
        self.owner = owner
        // The application's role connects to the same server.
        var own = owner
        own["user"] = application["user"]
        own["password"] = application["password"]
        own.statementTimeout = .seconds(600)
        own.maximumConnections = 2
        self.application = own
    }

    /// Creates the database, runs `body` and drops the database.
    func use<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'")
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        return try result.get()
    }

    /// Runs a statement that contains the name, which has only letters, digits and underscores.
    private func run(_ statement: String) throws {
        try SynchronousConnection(creator).query(SQL(uncheckedText: statement))
    }
}
