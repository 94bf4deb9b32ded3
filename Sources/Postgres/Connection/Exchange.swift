import EventLoop

/// Statements that go to the server together up to one Sync, and their answer: outside a transaction block they are one
/// implicit transaction. Confined to a loop.
final class Exchange: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.
    typealias Answer = Result<[Rows], PostgresError>

    let statements: [SQL]
    /// Leading statements whose results nobody asked for.
    let preamble: Int
    /// In the loop's nanoseconds.
    let deadline: Int64
    private let continuation: UnsafeContinuation<Answer, Never>
    private(set) var isAnswered = false
    /// Set when it goes out; what was never sent can be sent again.
    var wasSent = false
    var isExpired = false
    var rows: [Rows] = []
    private(set) var failure: PostgresError?

    init(statements: [SQL], preamble: Int, deadline: Int64, continuation: UnsafeContinuation<Answer, Never>) {
        self.statements = statements
        self.preamble = preamble
        self.deadline = deadline
        self.continuation = continuation
    }

    /// Keeps the first failure; the others follow from it.
    func fail(_ error: PostgresError) {
        if failure == nil { failure = error }
    }

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
