/// A statement prepared on one connection.
final class PreparedStatement {
    let name: String
    fileprivate let key: StatementKey
    fileprivate var lastUse = 0
    /// The error of PREPARE; nil on success.
    var failure: PostgresError?

    fileprivate init(name: String, key: StatementKey) {
        self.name = name
        self.key = key
    }
}

/// The key of a prepared statement: its text and the types of its values.
struct StatementKey: Hashable {
    let sql: SQL

    static func == (left: Self, right: Self) -> Bool {
        left.sql.text == right.sql.text
            && left.sql.parameters.entries.elementsEqual(right.sql.parameters.entries) { $0.type == $1.type }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(sql.text) }
}

/// The statements prepared on a connection, by text and types. The least recently used one is dropped when there are
/// too many.
struct StatementCache {
    private let capacity: Int
    private var statements: [StatementKey: PreparedStatement] = [:]
    private var uses = 0
    private var names = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { statements.count }

    func find(_ sql: SQL) -> PreparedStatement? { statements[StatementKey(sql: sql)] }

    /// Returns a prepared statement and marks it as the most recently used one.
    mutating func use(_ sql: SQL) -> PreparedStatement? {
        guard let statement = find(sql) else { return nil }
        uses += 1
        statement.lastUse = uses
        return statement
    }

    /// Adds a new statement. Returns the statement to be dropped, if any.
    mutating func insert(_ sql: SQL) -> (new: PreparedStatement, evicted: PreparedStatement?) {
        var evicted: PreparedStatement?
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[oldest.key] = nil
            evicted = oldest
        }
        names += 1
        uses += 1
        let statement = PreparedStatement(name: "s\(names)", key: StatementKey(sql: sql))
        statement.lastUse = uses
        statements[statement.key] = statement
        return (statement, evicted)
    }

    mutating func remove(_ statement: PreparedStatement) {
        guard statements[statement.key] === statement else { return }
        statements[statement.key] = nil
    }
}
