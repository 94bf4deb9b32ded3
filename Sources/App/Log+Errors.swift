import EventLoop
import HTTPClient
import Mail
import Postgres
import Recognition

extension Log {
    /// The text for an error in the log: types and codes, without contents of rows, forms, receipts or files.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as PostgresError: error.description
        case let error as SystemError: error.description
        case let error as ClientError: error.description
        case let error as MailError: error.description
        case let error as ReaderLost: error.description
        case let error as ReaderNotStarted: error.description
        case let failure as ReaderFailure: failure.reason.name
        case let reading as UnstorableReading: reading.refusal.description
        case let refusal as Refusal: refusal.key
        case let problem as APIProblem: problem.type.rawValue
        default: String(reflecting: type(of: error))
        }
    }
}
