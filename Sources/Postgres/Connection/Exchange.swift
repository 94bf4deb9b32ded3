import EventLoop

/// Statements that are sent together with one Sync, and their results. Outside a transaction block they are one
/// implicit transaction. Confined to a loop.
final class Exchange: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.
    typealias Answer = Result<[Rows], PostgresError>

    let statements: [SQL]
    /// Number of statements at the beginning whose results are dropped, such as BEGIN.
    let preamble: Int
    /// Deadline in the loop's nanoseconds.
    let deadline: Int64
    private let continuation: UnsafeContinuation<Answer, Never>
    private(set) var isAnswered = false
    /// Whether the deadline has passed.
    var isExpired = false
    var rows: [Rows] = []
    private(set) var failure: PostgresError?

    init(statements: [SQL], preamble: Int, deadline: Int64, continuation: UnsafeContinuation<Answer, Never>) {
        self.statements = statements
        self.preamble = preamble
        self.deadline = deadline
        self.continuation = continuation
    }

    /// Stores the first error. Ignores later ones, because they only follow from the first.
    func fail(_ error: PostgresError) {
        if failure == nil { failure = error }
    }

    /// Resumes the task that waits for the exchange.
    func answer() {
        guard !isAnswered else { return }
        isAnswered = true
        if let failure {
            continuation.resume(returning: .failure(failure))
        } else {
            if preamble > 0 { rows.removeFirst(min(preamble, rows.count)) }
            continuation.resume(returning: .success(rows))
        }
    }
}
