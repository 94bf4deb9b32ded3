import EventLoop
import Postgres
import Recognition

/// The consequences of an error during a reading: whether the attempt counts, whether another attempt may succeed, and
/// the reason shown to people.
struct ReadingFault: Equatable {
    var reason = Reason.Code.crashed
    /// Whether the failed attempt counts toward the receipt's limit of attempts. Attempts that fail because of a
    /// database outage, a reader that cannot run or an overloaded machine do not count.
    var counts = true
    /// Whether another attempt, or a later version of the reader, may succeed.
    var mayRetry = true
    /// Whether the machine was overloaded. These attempts have a separate limit.
    var isOverload = false
    /// Whether the reader has to be restarted.
    var isReaderLost = false
    /// Whether pictures that were made before the failure are stored when there is no other attempt. After an overload
    /// the uploaded file is kept instead, because some of the pages may be missing.
    var storesPictures: Bool { !isOverload }

    init(_ error: any Error) {
        switch error {
        case let failure as ReaderFailure:
            reason = Self.code(failure.reason)
            mayRetry = Self.isWorthTrying(failure.reason)
            isOverload = failure.reason == .overloaded
            counts = !isOverload
        case is ReaderLost, is SystemError: isReaderLost = true
        case is ReaderNotStarted: counts = false
        case let error as PostgresError: counts = error.refusesValues
        default: break
        }
    }

    /// Whether another attempt may succeed.
    private static func isWorthTrying(_ reason: ReadingFailureReason) -> Bool {
        switch reason {
        case .timeout, .crashed, .memory, .overloaded: true
        case .unreadable, .tooLarge, .encryptedPDF, .unsupported, .damaged: false
        }
    }

    private static func code(_ reason: ReadingFailureReason) -> Reason.Code {
        switch reason {
        case .unreadable: .unreadable
        case .tooLarge, .memory: .tooLarge
        case .encryptedPDF: .locked
        case .unsupported: .unsupported
        case .damaged: .damaged
        case .timeout: .timeout
        case .crashed: .crashed
        case .overloaded: .overloaded
        }
    }
}

/// A reading that the database refused, with the pages that were stored for it.
struct UnstorableReading: Error {
    let refusal: PostgresError
    let pages: [ReadingResults.PageBlobs]
}

extension PostgresError {
    /// Whether the same values would be refused again: a value outside its type's range, a violated constraint, a row
    /// too large for an index, or a value that cannot be sent.
    var refusesValues: Bool {
        kind == .invalid || sqlState.isClass("22") || sqlState.isClass("23") || sqlState.isClass("54")
    }
}
