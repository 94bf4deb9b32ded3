import CPostgres

/// The connection parameters of a database, and limits.
package struct PostgresSettings: Sendable {
    /// The parameters by libpq's keywords, including the password. Parameters that the URL lacks have defaults.
    package private(set) var parameters: [String: String]
    /// Time limit of a statement. A statement that takes longer is cancelled.
    package var statementTimeout: Duration = .seconds(10)
    /// How long a statement waits for a connection before it fails as `unavailable`.
    package var queueTimeout: Duration = .seconds(1)
    /// How long a transaction waits for a connection while all are in use. Longer than `queueTimeout`, because a
    /// transaction stores a user's input, and the writers of a household wait for each other. If no connection can be
    /// made, `queueTimeout` applies.
    package var transactionQueueTimeout: Duration = .seconds(5)
    /// Time limit for connecting on an event loop, including name resolution and TLS.
    package var connectTimeout: Duration = .seconds(5)
    /// The maximum number of connections of a pool, including those of transactions. Each event loop has one pool.
    package var maximumConnections = 4
    /// The number of connections of a pool that stay open without use: one for statements and one for transactions.
    package var coreConnections = 2
    /// How long other connections stay open without use. They are checked five times in this period.
    package var idleTimeout: Duration = .seconds(300)
    /// Whether statements are prepared. Must be false with a pooler that shares connections between transactions; then
    /// every statement is parsed each time.
    package var preparesStatements = true
    /// Number of prepared statements kept on a connection; the least recently used one is dropped.
    package var maximumStatements = 256

    /// Parses a URI (`postgresql://user@host/name?…`) or `key=value` pairs, as libpq does.
    ///
    /// - Throws: `PostgresError` of kind `invalid`; its message does not contain the URL.
    package init(url: String) throws(PostgresError) {
        var parameters: [String: String] = [:]
        guard let options = PQconninfoParse(url, nil) else {
            throw PostgresError(.invalid, "invalid database URL")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.parameters = Self.defaults.merging(parameters) { $1 }
    }

    /// A parameter of libpq: `password`, `dbname`, `user`, `application_name`.
    package subscript(parameter: String) -> String? {
        get { parameters[parameter] }
        set { parameters[parameter] = newValue }
    }

    private static let defaults = [
        "application_name": "allesteurer",
        "target_session_attrs": "read-write",
        // Kerberos authentication would block the loop.
        "gssencmode": "disable",
        // In seconds, for blocking connections only: libpq ignores it otherwise, and `connectTimeout` applies.
        "connect_timeout": "10",
        // Detects a dead peer after about 40 seconds.
        "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "4", "tcp_user_timeout": "40000",
    ]

    /// Calls `body` with parameters as `PQconnectStartParams` expects them.
    func withParameters<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        var allParameters = parameters
        allParameters["client_encoding"] = "UTF8"
        let pairs = allParameters.sorted { $0.key < $1.key }
        return withCStrings(pairs.map(\.key)) { keys in withCStrings(pairs.map(\.value)) { body(keys, $0) } }
    }
}

/// The settings without the password.
extension PostgresSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        ["user", "host", "port", "dbname"].compactMap { key in parameters[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(reflecting: description) }
}
