import HTTPClient

/// One session with a mailbox (RFC 9051, and RFC 3501 for older servers). Confined to its connection's loop.
package final class IMAPSession {
    private let connection: ClientConnection
    private var answers = IMAPAnswers()
    private var commands = 0

    /// The maximum number of answers to one command.
    private static let maximumAnswers = 10_000

    /// Signs in and opens the folder.
    ///
    /// - Throws: `MailError`, `ClientError`. The caller closes the connection.
    package init(_ connection: ClientConnection, _ mailbox: Mailbox, password: String) async throws {
        self.connection = connection
        let greeting = try await answers.next(connection.read).text
        guard greeting.hasPrefix("* OK") else { throw MailError.malformedAnswer }
        try await command("LOGIN", "LOGIN \(Self.quoted(mailbox.user)) \(Self.quoted(password))")
        try await command("SELECT", "SELECT \(Self.quoted(mailbox.folder))")
    }

    /// The unique identifiers of messages that are neither seen nor deleted, oldest first.
    package func unseenMessages() async throws -> [UInt32] {
        let answers = try await command("SEARCH", "UID SEARCH UNSEEN UNDELETED")
        var messages: [UInt32] = []
        for answer in answers where answer.text.uppercased().hasPrefix("* SEARCH") {
            for word in answer.text.dropFirst(8).split(separator: " ") {
                guard let number = UInt32(word), number > 0 else { throw MailError.malformedAnswer }
                messages.append(number)
            }
        }
        return messages.sorted()
    }

    /// The data that decides whether a message is fetched.
    package struct Start: Sendable, Equatable {
        /// The size of the message in bytes according to the server.
        package let size: Int
        /// The fields that `MailSender` reads; nil if the server does not send them.
        package let header: [UInt8]?
    }

    /// Fetches the size and the sender of a message without marking it as seen; nil if the message no longer exists.
    package func start(of message: UInt32) async throws -> Start? {
        let answers = try await command(
            "FETCH",
            "UID FETCH \(message) (RFC822.SIZE BODY.PEEK[HEADER.FIELDS (FROM AUTHENTICATION-RESULTS)])")
        for answer in answers {
            guard let match = answer.text.firstMatch(of: #/RFC822\.SIZE ([0-9]{1,10})[ )]/#.ignoresCase()),
                let size = Int(match.1)
            else { continue }
            guard answer.literals.count <= 1 else { throw MailError.malformedAnswer }
            return Start(size: size, header: answer.literals.first)
        }
        return nil
    }

    /// Fetches a message without marking it as seen; nil if it no longer exists.
    package func message(_ message: UInt32) async throws -> [UInt8]? {
        let answers = try await command("FETCH", "UID FETCH \(message) (BODY.PEEK[])")
        for answer in answers where !answer.literals.isEmpty && answer.text.uppercased().contains(" FETCH ") {
            // If the text after the literal is not `)` or the next item, the length of the literal was wrong.
            guard answer.literals.count == 1, answer.text.contains(#/BODY\[\] (\)| .*\))$/#.ignoresCase()) else {
                throw MailError.malformedAnswer
            }
            return answer.literals[0]
        }
        return nil
    }

    /// Marks a message as seen.
    ///
    /// - Parameter isFlagged: whether to flag the message too, so that the owner of the mailbox notices it.
    package func markSeen(_ message: UInt32, isFlagged: Bool) async throws {
        let flags = isFlagged ? "(\\Seen \\Flagged)" : "(\\Seen)"
        try await command("STORE", "UID STORE \(message) +FLAGS.SILENT \(flags)")
    }

    package func logOut() async {
        try? await connection.write(Array("z LOGOUT\r\n".utf8))
    }

    /// Sends a command and returns the answers before its result.
    ///
    /// - Parameters:
    ///   - name: the name of the command, for error messages.
    ///   - text: the command with its arguments. Error messages must not contain it, because it may contain the
    ///     password.
    @discardableResult
    private func command(_ name: String, _ text: String) async throws -> [IMAPAnswers.Answer] {
        commands += 1
        let tag = "a\(commands)"
        try await connection.write(Array("\(tag) \(text)\r\n".utf8))
        var receivedAnswers: [IMAPAnswers.Answer] = []
        var size = 0
        while true {
            let answer = try await answers.next(connection.read)
            if answer.text.hasPrefix("\(tag) ") {
                guard answer.text.dropFirst(tag.count + 1).uppercased().hasPrefix("OK") else {
                    throw MailError.refused(name)
                }
                return receivedAnswers
            }
            guard answer.text.hasPrefix("* ") else { throw MailError.malformedAnswer }
            guard !answer.text.uppercased().hasPrefix("* BYE") else { throw MailError.ended }
            // The maximum size of one answer also applies to all answers to a command together.
            size += answer.text.utf8.count + answer.literals.reduce(0) { $0 + $1.count }
            guard receivedAnswers.count < Self.maximumAnswers, size <= answers.maximumAnswerBytes else {
                throw MailError.tooLong
            }
            receivedAnswers.append(answer)
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
