import DocumentParsing
import Postgres

/// The result of reading a receipt: the column `verdict`, NULL before it is read.
enum Verdict: String, Sendable, CaseIterable, PostgresConvertible {
    /// Independent evidence confirms every value.
    case proven
    /// A person has to check the values.
    case review
    /// No receipt was found on the pages.
    case unreadable

    init(_ state: ParsedReceipt.State) {
        switch state {
        case .proven: self = .proven
        case .review: self = .review
        case .unreadable: self = .unreadable
        }
    }

    /// The verdict as SQL text.
    var sql: SQL {
        switch self {
        case .proven: "'proven'"
        case .review: "'review'"
        case .unreadable: "'unreadable'"
        }
    }
}
