import CPostgres

/// How to reach a database, as libpq's connection parameters.
package struct PostgresSettings: Sendable {
    /// By libpq's keywords, with the defaults below where the URL is silent. Holds the password.
    package private(set) var parameters: [String: String]
    /// For a statement that has no other; it is cancelled when this has passed.
    package var statementTimeout: Duration = .seconds(10)
    /// How long a request waits for a connection before it fails as unavailable.
    package var queueTimeout: Duration = .seconds(1)
    /// How long a transaction waits for a connection while others are at work: it carries what somebody typed, and the
    /// writers of one household stand in line. Where no connection can be made, `queueTimeout` counts.
    package var transactionQueueTimeout: Duration = .seconds(5)
    /// For making one connection, names looked up and TLS included; after it the connection counts as failed.
    package var connectTimeout: Duration = .seconds(5)
    /// For each pool, so for each event loop, transactions' connections included.
    package var maximumConnections = 4
    /// False behind a pooler that shares server connections by transaction: then every statement is parsed anew.
    package var preparesStatements = true
    /// Prepared statements kept on a connection; the least recently used one makes room.
    package var maximumStatements = 256

    /// Reads a URI (`postgresql://user@host/name?…`) or `key=value` pairs, as libpq understands them.
    ///
    /// - Throws: `PostgresError` of kind `invalid`; its text never holds the URL.
    package init(url: String) throws(PostgresError) {
        var parameters: [String: String] = [:]
        guard let options = PQconninfoParse(url, nil) else {
            throw PostgresError(.invalid, "the database URL is not one that libpq understands")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.parameters = Self.defaults.merging(parameters) { $1 }
    }

    /// One of libpq's parameters: `password`, `dbname`, `user`, `application_name`.
    package subscript(parameter: String) -> String? {
        get { parameters[parameter] }
        set { parameters[parameter] = newValue }
    }

    private static let defaults = [
        "application_name": "allesteurer",
        "target_session_attrs": "read-write",
        // Kerberos would block the loop.
        "gssencmode": "disable",
        // A dead peer is noticed after about 40 seconds instead of hours.
        "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "4", "tcp_user_timeout": "40000",
    ]

    /// Calls `body` with parameters as libpq's `PQconnectStartParams` takes them.
    func withParameters<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        var all = parameters
        all["client_encoding"] = "UTF8"
        let pairs = all.sorted { $0.key < $1.key }
        return withCStrings(pairs.map(\.key)) { keys in withCStrings(pairs.map(\.value)) { body(keys, $0) } }
    }
}

/// Written without the password.
extension PostgresSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        ["user", "host", "port", "dbname"].compactMap { key in parameters[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(reflecting: description) }
}

/// Calls `body` with C strings, terminated by a null pointer.
func withCStrings<Value>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
    var bytes: [CChar] = []
    var offsets: [Int] = []
    for string in strings {
        offsets.append(bytes.count)
        bytes.append(contentsOf: string.utf8CString)
    }
    return bytes.withUnsafeBufferPointer { buffer in
        var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0) }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { pointers in
            // Never empty: the terminating nil was appended above.
            body(pointers.baseAddress!)
        }
    }
}
