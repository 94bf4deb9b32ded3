import Postgres

/// The stage of a receipt: the column `stage`.
enum Stage: String, Sendable, CaseIterable, PostgresConvertible {
    /// Waits for the reader, or is being read.
    case reading
    /// Read, but not confirmed yet.
    case review
    /// Confirmed by a person. It counts in sums and prices, unless it is hidden.
    case confirmed

    /// The stage as SQL text. The conditions of partial indexes contain a stage. The planner uses such an index only if
    /// the statement has the stage as text, not as a bound value.
    var sql: SQL {
        switch self {
        case .reading: "'reading'"
        case .review: "'review'"
        case .confirmed: "'confirmed'"
        }
    }
}
