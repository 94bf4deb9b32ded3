import EventLoop
import Glibc
import Postgres

/// The PostgreSQL server whose URL is in `ALLESTEURER_TEST_DATABASE_URL`, such as
/// `postgresql:///postgres?host=/path&user=…` with a superuser. `bin/test` starts a server and sets the variable.
package enum TestServer {
    package static let ownerRole = "allesteurer_owner"

    struct MissingURL: Error, CustomStringConvertible {
        let description = "ALLESTEURER_TEST_DATABASE_URL is not set: run the tests with bin/test"
    }

    /// A connection stays open to a database that must have no connections.
    struct Busy: Error, CustomStringConvertible {
        let description = "a database cannot be copied, renamed or dropped, because a connection to it stays open"
    }

    package static func settings() throws -> PostgresSettings {
        guard let url = getenv("ALLESTEURER_TEST_DATABASE_URL").map({ String(cString: $0) }), !url.isEmpty else {
            throw MissingURL()
        }
        var settings = try PostgresSettings(url: url)
        // Hundreds of tests share the server and few processors, so connecting may take long.
        (settings.connectTimeout, settings.queueTimeout) = (.seconds(60), .seconds(30))
        (settings.statementTimeout, settings.transactionQueueTimeout) = (.seconds(60), .seconds(30))
        return settings
    }

    /// Settings for the same server with another user and database. The server must trust connections on its socket.
    package static func settings(user: String, database: String) throws -> PostgresSettings {
        var settings = try settings()
        settings["user"] = user
        settings["dbname"] = database
        settings["password"] = nil
        return settings
    }

    /// Serialises the creation of templates in this process. An advisory lock serialises it between processes.
    private static let lock = Lock()
    nonisolated(unsafe) private static var templates: [String: String] = [:]

    /// The name of a template database with these migrations. It is created if it does not exist.
    ///
    /// - Parameter directory: the folder of the migrations; nil for an empty database.
    static func template(migrations directory: String?) throws -> String {
        try lock.withLock { () throws(any Error) in
            if let name = templates[directory ?? ""] { return name }
            let migrations = try directory.map { try Migration.read(directory: $0) } ?? []
            let connection = try SynchronousConnection(settings())
            try connection.query("SELECT pg_advisory_lock(7261)")
            try makeRoles(connection)
            let name = "template_" + (try checksum(migrations, connection))
            if try connection.query("SELECT 1 FROM pg_database WHERE datname = \(name)").isEmpty {
                try make(name, migrations, connection)
            }
            templates[directory ?? ""] = name
            return name
        }
    }

    private static func makeRoles(_ connection: SynchronousConnection) throws {
        for role in [ownerRole, Migrator.applicationRole]
        where try connection.query("SELECT 1 FROM pg_roles WHERE rolname = \(role)").isEmpty {
            try connection.query(SQL(uncheckedText: "CREATE ROLE \(role) LOGIN"))
        }
    }

    private static func checksum(_ migrations: [Migration], _ connection: SynchronousConnection) throws -> String {
        let all = migrations.map { "\($0.label)\n\($0.script)" }.joined(separator: "\n")
        let rows = try connection.query("SELECT left(encode(sha256(\(Array(all.utf8))), 'hex'), 16)")
        return try rows.first(String.self) ?? ""
    }

    private static func make(_ name: String, _ migrations: [Migration], _ connection: SynchronousConnection) throws {
        let building = name + "_building"
        try connection.query(SQL(uncheckedText: "DROP DATABASE IF EXISTS \(building) WITH (FORCE)"))
        try connection.query(SQL(uncheckedText: "CREATE DATABASE \(building) OWNER \(ownerRole) TEMPLATE template0"))
        if !migrations.isEmpty {
            let owner = try SynchronousConnection(settings(user: ownerRole, database: building))
            _ = try Migrator(migrations, connection: owner).migrate()
        }
        try runWithoutConnections("ALTER DATABASE \(building) RENAME TO \(name)", connection)
    }

    /// Runs a statement that needs a database without connections. Closed connections may need some time to end.
    static func runWithoutConnections(_ statement: String, _ connection: SynchronousConnection) throws {
        for _ in 0..<100 {
            do {
                try connection.query(SQL(uncheckedText: statement))
                return
            } catch {
                guard error.sqlState == SQLState("55006") else { throw error }
                usleep(10_000)
            }
        }
        throw Busy()
    }
}
