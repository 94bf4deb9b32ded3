import Postgres

/// The stage of a receipt: the column `stage`.
enum Stage: String, Sendable, CaseIterable, PostgresConvertible {
    /// Waits for the reader, or is being read.
    case reading
    /// Read, but not confirmed yet.
    case review
    /// Confirmed by a person. It counts in sums and prices, unless it is hidden.
    case confirmed

    /// The stage as SQL text. Partial indexes name a stage, and the planner does not match them with a bound value.
    var sql: SQL {
        switch self {
        case .reading: "'reading'"
        case .review: "'review'"
        case .confirmed: "'confirmed'"
        }
    }
}
