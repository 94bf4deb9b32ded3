import CPostgres
import EventLoop

extension Connection {
    /// Makes the timer fire at `deadline` or earlier.
    func armDeadline(_ deadline: Int64) {
        // A later exchange can have an earlier deadline, because an exchange that is sent again keeps its deadline.
        guard deadlineTimer == nil || deadline < armedDeadline else { return }
        deadlineTimer?.cancel()
        armedDeadline = deadline
        let delay = max(0, deadline - EventLoop.monotonicNow())
        deadlineTimer = loop.after(.nanoseconds(delay)) { [weak self] in
            self?.deadlineTimer = nil
            self?.expire()
        }
    }

    /// How long a cancelled statement has to answer before the connection is closed, in nanoseconds.
    private static let cancelGrace: Int64 = 2_000_000_000

    /// Fails the exchanges whose deadline has passed, and cancels the statement that is being executed if it is one of
    /// them.
    private func expire() {
        let now = EventLoop.monotonicNow()
        var nextDeadline = Int64.max
        for (index, exchange) in inProgress.elements.enumerated() {
            if exchange.deadline > now {
                nextDeadline = min(nextDeadline, exchange.deadline)
            } else if exchange.isExpired {
                if exchange.deadline + Self.cancelGrace <= now { return lost() }
                nextDeadline = min(nextDeadline, exchange.deadline + Self.cancelGrace)
            } else {
                exchange.isExpired = true
                exchange.fail(PostgresError(.timedOut, "the deadline passed", sqlState: .queryCanceled))
                // Only the first exchange is being executed. The others will be executed later, and their results are
                // ignored.
                if index == 0 { cancelRunningStatement() } else { exchange.answer() }
                nextDeadline = min(nextDeadline, exchange.deadline + Self.cancelGrace)
            }
        }
        if nextDeadline != .max { armDeadline(nextDeadline) }
    }

    private func cancelRunningStatement() {
        guard let handle, let cancel = PQgetCancel(handle) else { return lost() }
        retire()
        let request = CancelRequest(cancel)
        onThread { request.send() }
    }
}
