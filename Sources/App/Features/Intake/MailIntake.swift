import Domain
import EventLoop
import HTTPClient
import Mail
import Postgres

/// Imports receipts from a mailbox. Each picture and each PDF in a message from a member's address becomes a receipt.
/// If no file is accepted, the text of the message becomes a receipt, provided that it contains an amount.
///
/// A message is marked as seen after its files are stored. If the server is killed before that, the next round finds
/// the files in the household by their digests, and does not store them again.
struct MailIntake {
    let mailbox: Mailbox
    let password: String
    let connections: OutgoingConnections
    let database: Database
    let quarantine: Quarantine
    let intake: ReceiptIntake
    let log: Log
    /// The times at which postponed messages are read again. A message is postponed if it could not be fetched, stored
    /// or marked as seen, or if the queue of its household is full.
    private var postponed: [UInt32: (until: ContinuousClock.Instant, pause: Duration)] = [:]

    /// The time limit of a round. A round reads the unseen messages once.
    private static let deadline = Duration.seconds(300)
    /// The maximum number of messages that a round imports or refuses.
    private static let maximumMessages = 50
    /// The maximum number of messages that a round reads.
    private static let maximumRead = 200
    /// The maximum size of a message, in bytes: the largest file as Base64, and 1 MiB for the rest of the message.
    private static let maximumBytes = UploadLimits.fileBytes / 3 * 4 + (1 << 20)
    /// The maximum number of files of a message.
    private static let maximumFiles = 20
    /// The time after which a postponed message is read again. Reading may download the whole message. The time doubles
    /// with each failure.
    private static let postponement = Duration.seconds(600)
    private static let maximumPostponement = Duration.seconds(3_600)

    init(
        _ mailbox: Mailbox, password: String, _ connections: OutgoingConnections, _ database: Database, _ log: Log
    ) {
        self.mailbox = mailbox
        self.password = password
        self.connections = connections
        self.database = database
        self.log = log
        quarantine = Quarantine(database: database)
        intake = ReceiptIntake(database: database, quarantine: quarantine)
    }

    /// - Throws: `MailError`, `ClientError`, `PostgresError`.
    mutating func round() async throws {
        let connection = try await connections.open(
            mailbox.host, mailbox.port, isSecure: true, within: Self.deadline)
        defer { connection.close() }
        let session = try await IMAPSession(connection, mailbox, password: password)
        try await importUnseen(session)
        await session.logOut()
    }

    /// - Throws: `MailError`, `ClientError`, `PostgresError`.
    mutating func importUnseen(_ session: IMAPSession) async throws {
        var done = 0
        let now = ContinuousClock.now
        let unseenNumbers = try await session.unseenMessages()
        let numbers = Set(unseenNumbers)
        postponed = postponed.filter { numbers.contains($0.key) }
        let unseen = unseenNumbers.filter { number in postponed[number].map { $0.until <= now } ?? true }
        for number in unseen.prefix(Self.maximumRead) where done < Self.maximumMessages {
            switch try await importMessage(number, session) {
            case .postponed: continue
            case .imported:
                log.event(.info, "mail", [("messages", "1")])
                try await markSeen(number, isFlagged: false, session)
            case .refused(let reason):
                log.event(.warning, "mail", [("refused", reason)])
                try await markSeen(number, isFlagged: true, session)
            }
            done += 1
        }
    }

    private enum Outcome {
        case imported
        case refused(String)
        /// The message stays unseen for a later round.
        case postponed
    }

    /// Imports a message. Downloads it only if it is from the address of a member.
    ///
    /// - Throws: `MailError`, `ClientError` if the session cannot be used further; `PostgresError`.
    private mutating func importMessage(_ number: UInt32, _ session: IMAPSession) async throws -> Outcome {
        guard let start = try await fetch(number, { try await session.start(of: number) }) else { return .postponed }
        guard start.size <= Self.maximumBytes else { return .refused("too large") }
        do {
            if let header = start.header, try await member(MailSender(header: header)) == nil {
                return .refused(Self.unknownSender)
            }
        } catch {
            return try postponing(number, after: error)
        }
        guard let bytes = try await fetch(number, { try await session.message(number) }) else { return .postponed }
        do {
            guard let refusal = try await importMessage(bytes) else { return .imported }
            guard refusal == Self.full else { return .refused(refusal) }
            // Too many receipts of the household wait for the reader.
            postponed[number] = (ContinuousClock.now.advanced(by: Self.postponement), Self.postponement)
            return .postponed
        } catch {
            return try postponing(number, after: error)
        }
    }

    /// Postpones a message after an error that may affect only the household of the message.
    ///
    /// - Throws: the error if it affects all households.
    private mutating func postponing(_ number: UInt32, after error: any Error) throws -> Outcome {
        if let error = error as? PostgresError, error.isUnavailable || error.sqlState == .diskFull { throw error }
        postpone(number)
        log.event(.warning, "mail", [("error", Log.text(of: error))])
        return .postponed
    }

    /// Fetches a message or a part of it. Returns nil, and postpones the message, if the server refuses to send it, or
    /// its answer does not contain it.
    ///
    /// - Throws: `MailError`, `ClientError` if the session cannot be used further. The message is then postponed, so
    ///   that it does not prevent the import of later messages in each round.
    private mutating func fetch<Value>(_ number: UInt32, _ read: () async throws -> Value?) async throws -> Value? {
        do {
            if let value = try await read() { return value }
        } catch {
            guard let refusal = error as? MailError, case .refused = refusal else {
                postpone(number)
                throw error
            }
            log.event(.warning, "mail", [("error", Log.text(of: error))])
        }
        postpone(number)
        return nil
    }

    /// Postpones a message after a failure.
    private mutating func postpone(_ number: UInt32) {
        let pause = min(postponed[number].map { $0.pause * 2 } ?? Self.postponement, Self.maximumPostponement)
        postponed[number] = (ContinuousClock.now.advanced(by: pause), pause)
    }

    /// The reason when too many receipts wait for the reader. The message is imported in a later round.
    private static let full = "full"

    /// Marks a message as seen. If the server refuses the change, for example without the permission to change flags,
    /// the message is postponed, so that it does not prevent the import of later messages.
    private mutating func markSeen(_ number: UInt32, isFlagged: Bool, _ session: IMAPSession) async throws {
        do {
            try await session.markSeen(number, isFlagged: isFlagged)
        } catch {
            postpone(number)
            guard let refusal = error as? MailError, case .refused = refusal else { throw error }
            log.event(.warning, "mail", [("error", Log.text(of: error))])
        }
    }

    /// - Returns: the reason why the message is not imported; nil if it was imported, now or earlier.
    func importMessage(_ bytes: [UInt8]) async throws -> String? {
        let message: MailMessage
        do { message = try MailMessage(bytes) } catch { return "too many parts" }
        guard let member = try await member(message.sender) else { return Self.unknownSender }
        var hasStored = false
        for file in message.files.filter({ !$0.isInText }).prefix(Self.maximumFiles) {
            switch try await store(file.name, file.bytes, member) {
            case .refused(.full): return Self.full
            case .refused: continue
            case .arrived, .duplicate: hasStored = true
            }
        }
        if hasStored { return nil }
        guard Self.hasAmount(message.text) else { return "no receipt" }
        return try await store("E-Mail.pdf", TextPDF.document(message.text), member) == .refused(.full)
            ? Self.full : nil
    }

    private static let unknownSender = "unknown sender"

    /// The member whose address is that of the sender; nil if there is none, or the message is forged.
    private func member(_ sender: MailSender) async throws -> Member? {
        guard !sender.isForged, let address = sender.address else { return nil }
        return try await UploaderChoice.sender(address, database)
    }

    private func store(_ name: String, _ bytes: [UInt8], _ member: Member) async throws -> UploadOutcome {
        do {
            var rest: [UInt8]? = bytes
            let received = try await quarantine.receive(name: name, member.household) {
                defer { rest = nil }
                return rest
            }
            return try await intake.register(received, by: member)
        } catch let refusal as UploadRefusal {
            return .refused(refusal)
        }
    }

    /// Whether the text contains an amount of money, as every receipt does.
    private static func hasAmount(_ text: String) -> Bool {
        text.firstMatch(of: #/[0-9][.,][0-9]{2}(?![0-9])/#) != nil
    }
}
