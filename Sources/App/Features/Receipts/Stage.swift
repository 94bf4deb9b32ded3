import Postgres

/// How far a receipt has come: the column `stage`.
enum Stage: String, Sendable, CaseIterable, PostgresConvertible {
    /// Waits for the reader, or is being read.
    case reading
    /// Read; waits for a person to confirm it.
    case review
    /// Booked.
    case confirmed

    /// As SQL text. Partial indexes name a stage, and the planner does not match them with a bound value.
    var sql: SQL {
        switch self {
        case .reading: "'reading'"
        case .review: "'review'"
        case .confirmed: "'confirmed'"
        }
    }
}
