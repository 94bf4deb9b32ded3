import Postgres

/// An amount became too large when it was converted with an exchange rate or added to others.
struct AmountTooLarge: Error {
    /// Runs `body`, and replaces PostgreSQL's error about a number out of range.
    ///
    /// - Throws: `AmountTooLarge`; the errors of `body`.
    static func check<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error.sqlState == .numericValueOutOfRange {
            throw AmountTooLarge()
        }
    }
}
