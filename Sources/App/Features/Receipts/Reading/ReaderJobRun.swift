import DocumentParsing
import EventLoop
import Recognition

/// What the reader made of one receipt's files.
struct ReaderResult: Sendable {
    let receipt: ParsedReceipt
    let document: RecognizedDocument
    let pictures: [PagePicture]
    /// CPU time of the reader's confined process and its children.
    let cpuMilliseconds: Int
}

/// A failed job, with the pictures that could be made.
struct ReaderFailure: Error {
    let reason: ReadingFailureReason
    let pictures: [PagePicture]
}

/// One job of the reader: sends the files, gets the words, has doubtful places read again, then gets the pictures.
struct ReaderJobRun: Sendable {
    /// The variant of the pages' pictures.
    enum Pictures: Sendable {
        case none
        /// As they were taken.
        case whole
        /// With personal details painted over.
        case covered
    }

    /// Progress by the reader's answers so far.
    enum Step: Sendable, Equatable {
        /// Pages that are read, and pages known so far; only when there are several.
        case words(pages: Int, of: Int)
        /// The words are complete: they are parsed, and doubtful places are read again.
        case sums
        case pictures
    }

    let connection: ReaderConnection
    let parser: ReceiptParser
    /// Parses a long receipt without delaying the loop.
    let parsing: SlowWork
    let pictures: Pictures
    /// Called when a step begins.
    var report: @Sendable (Step) async -> Void = { _ in }

    /// CPU seconds of the reader's child for each page. The reader kills it after 30 s more of wall-clock time.
    private static let childDeadline = 60
    /// The reader itself is killed if it sends nothing for this time, which is longer than its child's …
    private static let patience = Duration.seconds(120)
    /// … or if a whole job takes longer than this.
    private static let longest = Duration.seconds(1800)

    /// Reads files in memory.
    func run(id: UInt64, files: [[UInt8]]) async throws -> ReaderResult {
        try await run(id: id, files: files.count) { files[$0] }
    }

    /// Reads `files` files. Each is loaded after the one before was sent, so that one is in memory at a time.
    ///
    /// - Throws: `ReaderFailure` when the job fails, `ReaderLost` when the reader fails, and what `file` throws. The connection
    ///   is closed after all but the first, because the job is incomplete.
    func run(
        id: UInt64, files: Int, file: (_ number: Int) async throws -> [UInt8]
    ) async throws -> ReaderResult {
        do {
            return try await converse(id, files, file)
        } catch let failure as ReaderFailure {
            throw failure
        } catch {
            connection.close()
            throw error
        }
    }

    private func converse(
        _ id: UInt64, _ files: Int, _ file: (_ number: Int) async throws -> [UInt8]
    ) async throws -> ReaderResult {
        let end = EventLoop.monotonicNow() + Self.longest.nanoseconds
        var deadline: Int64 { min(end, EventLoop.monotonicNow() + Self.patience.nanoseconds) }
        var conversation = ReaderConversation(id: id, deadline: Self.childDeadline, files: files)
        for number in 0..<files {
            conversation.handOver(try await file(number))
            while let bytes = conversation.nextToSend() { try await connection.send(bytes, until: deadline) }
        }
        var received: [PagePicture] = []
        var document: RecognizedDocument?
        var receipt: ParsedReceipt?
        while true {
            while let bytes = conversation.nextToSend() { try await connection.send(bytes, until: deadline) }
            let answers: [ReaderAnswer]
            do {
                answers = try conversation.receive(try await connection.receive(until: deadline))
            } catch let error as WireError {
                throw ReaderLost(description: "the reader's words make no sense: \(error)")
            }
            for answer in answers {
                switch answer {
                case .picture(let picture): received.append(picture)
                case .progress(let pages, let count): await report(.words(pages: pages, of: count))
                case .document(let read, _):
                    document = read
                    await report(.sums)
                    let parsed = try await parsing.run { [parser] in parser.parse(read) }
                    guard parsed.rereads.isEmpty else {
                        conversation.reread(parsed.rereads)
                        continue
                    }
                    receipt = try await finish(&conversation, read, parsed)
                case .reread(let answers, _):
                    guard let document else { continue }
                    let parsed = try await parsing.run { [parser] in parser.parse(document, rereads: answers) }
                    receipt = try await finish(&conversation, document, parsed)
                case .finished(_, let milliseconds):
                    guard let document, let receipt else { throw ReaderLost(description: "a job without a document") }
                    return ReaderResult(
                        receipt: receipt, document: document, pictures: received, cpuMilliseconds: milliseconds)
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: received)
                }
            }
        }
    }

    /// Asks for the pictures and ends the job.
    ///
    /// - Returns: the receipt without lines of the payment.
    private func finish(
        _ conversation: inout ReaderConversation, _ document: RecognizedDocument, _ parsed: ParsedReceipt
    ) async throws -> ParsedReceipt {
        let (receipt, covered) = try await parsing.run { [facts = parser.facts, pictures] in
            let receipt = parsed.withoutPaymentLines(in: document, facts: facts)
            guard pictures == .covered else { return (receipt, [CoveredPlace]()) }
            let details = PersonalDetailFinder(facts: facts).details(in: document, sparing: receipt)
            return (receipt, details.map { CoveredPlace(page: $0.page, box: $0.box) })
        }
        if pictures != .none {
            await report(.pictures)
            conversation.askForPictures(covering: covered)
        }
        conversation.finish()
        return receipt
    }
}

extension JobQueue.Progress {
    init(_ step: ReaderJobRun.Step) {
        switch step {
        case .words(let pages, let count): self.init(step: "words", pages: Int32(pages), pageCount: Int32(count))
        case .sums: self.init(step: "sums")
        case .pictures: self.init(step: "pictures")
        }
    }
}
