/// The time between two rounds of the mail import. It doubles with each failure, because a mail server can lock an account
/// to which a wrong password is sent every minute.
struct MailPause {
    static let shortest = Duration.seconds(60)
    static let longest = Duration.seconds(900)

    private var current = shortest

    /// Returns the pause after a round.
    mutating func next(hasFailed: Bool) -> Duration {
        current = hasFailed ? min(current * 2, Self.longest) : Self.shortest
        return current
    }
}
