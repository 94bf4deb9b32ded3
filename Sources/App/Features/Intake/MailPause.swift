import Postgres

/// The time between two rounds of the mail import. It doubles with each failure, because a mail server can lock an
/// account to which a wrong password is sent every minute.
struct MailPause {
    static let minimum = Duration.seconds(60)
    static let maximum = Duration.seconds(900)

    private var current = minimum

    /// Returns the pause after a round.
    ///
    /// - Parameter error: the error that ended the round; nil if there was none. Database errors do not double the
    ///   pause, because the mail server did not cause them.
    mutating func next(after error: (any Error)?) -> Duration {
        let isMailFailure = error != nil && !(error is PostgresError)
        current = isMailFailure ? min(current * 2, Self.maximum) : Self.minimum
        return current
    }
}
