import CPostgres

extension PostgresError {
    /// Creates an error from a failed result.
    init(result: OpaquePointer?) {
        func field(_ code: Character) -> String? {
            guard let result, let value = PQresultErrorField(result, Int32(code.asciiValue ?? 0)) else { return nil }
            return String(cString: value)
        }
        let state = SQLState(field("C") ?? "")
        let message = field("M") ?? result.map { String(cString: PQresultErrorMessage($0)) } ?? "no result"
        self.init(.server, message, sqlState: state)
        detail = field("D")
        constraint = field("n")
        table = field("t")
        column = field("c")
        position = field("P").flatMap { Int($0) }
    }

    /// Returns libpq's error message of a connection on one line.
    static func message(of connection: OpaquePointer?) -> String {
        guard let connection, let message = PQerrorMessage(connection) else { return "out of memory" }
        var text = String(cString: message)
        while text.last?.isNewline == true { text.removeLast() }
        return text.isEmpty ? "the connection was closed" : text.split(separator: "\n").joined(separator: "; ")
    }
}
