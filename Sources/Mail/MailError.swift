/// The reason why a mailbox or a message could not be read.
package enum MailError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server answered NO or BAD to this command.
    case refused(String)
    /// The server's answer is not IMAP (RFC 9051).
    case malformedAnswer
    /// A line, a message, the number of answers, or the number or depth of a message's parts exceeds its limit.
    case tooLong
    /// The connection ended before the answer was complete.
    case ended

    package var description: String {
        switch self {
        case .refused(let command): "the mail server refused \(command)"
        case .malformedAnswer: "the mail server sent a malformed answer"
        case .tooLong: "the mail server's answer or a message exceeds a limit"
        case .ended: "the mail server closed the connection"
        }
    }
}
