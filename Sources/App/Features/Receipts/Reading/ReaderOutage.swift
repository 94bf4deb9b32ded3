/// Decides when to log that the reader cannot run: at the first failure, once per hour during the outage, and when the
/// reader works again.
struct ReaderOutage {
    /// The time of the last log entry on the monotonic clock, in nanoseconds; nil while the reader works.
    private var loggedAt: Int64?

    /// The time between two log entries of one outage, in nanoseconds.
    private static let interval: Int64 = 3_600 * 1_000_000_000

    /// Records that the reader cannot run. Returns whether to log it.
    ///
    /// - Parameter now: the monotonic clock, in nanoseconds.
    mutating func recordFailure(at now: Int64) -> Bool {
        if let loggedAt, now - loggedAt < Self.interval { return false }
        loggedAt = now
        return true
    }

    /// Records that the reader has run. Returns whether this ends an outage.
    mutating func recordSuccess() -> Bool {
        defer { loggedAt = nil }
        return loggedAt != nil
    }
}
