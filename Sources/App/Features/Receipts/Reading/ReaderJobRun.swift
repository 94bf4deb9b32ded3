import DocumentParsing
import EventLoop
import Recognition

/// The reader's result for the files of one receipt.
struct ReaderResult: Sendable {
    let receipt: ParsedReceipt
    let document: RecognizedDocument
    let pictures: [PagePicture]
    /// CPU time of the reader's confined process and its children.
    let cpuMilliseconds: Int
}

/// One job of the reader: sends the files, receives the words, lets the reader read doubtful parts of the pictures
/// again, and receives the pictures.
struct ReaderJobRun: Sendable {
    /// The variant of the pages' pictures.
    enum Pictures: Sendable {
        case none
        /// With nothing painted over.
        case whole
        /// With personal details painted over.
        case covered
    }

    /// The progress, derived from the reader's answers.
    enum Step: Sendable, Equatable {
        /// The number of pages that were read, and the number of all pages known so far. Reported only if there are
        /// several pages.
        case words(pages: Int, of: Int)
        /// All words have arrived. The words are parsed, and doubtful parts of the pictures are read again.
        case sums
        case pictures
    }

    let connection: ReaderConnection
    let parser: ReceiptParser
    /// Parses long receipts on another thread, so that the loop is not delayed.
    let parsing: SlowWork
    let pictures: Pictures
    /// Called when a step begins, and after each page of `words`.
    var report: @Sendable (Step) async -> Void = { _ in }

    /// The limit for each page, in CPU seconds of the reader's child process.
    private static let cpuSecondsPerPage = 60
    /// The reader is killed when a job takes longer than this.
    private static let maximumJobTime = Duration.seconds(1800)

    /// Reads files in memory.
    func run(id: UInt64, files: [[UInt8]]) async throws -> ReaderResult {
        try await run(id: id, files: files.count) { files[$0] }
    }

    /// Reads `files` files. Loads each file after the previous one was sent, so that only one file is in memory at a
    /// time.
    ///
    /// - Throws: `ReaderFailure` when the job fails, `ReaderLost` when the reader fails, and the errors of `file`. All
    ///   errors except `ReaderFailure` close the connection, because the job is incomplete.
    func run(
        id: UInt64, files: Int, file: (_ number: Int) async throws -> [UInt8]
    ) async throws -> ReaderResult {
        do {
            return try await exchangeMessages(id, files, file)
        } catch let failure as ReaderFailure {
            throw failure
        } catch {
            connection.close()
            throw error
        }
    }

    private func exchangeMessages(
        _ id: UInt64, _ files: Int, _ file: (_ number: Int) async throws -> [UInt8]
    ) async throws -> ReaderResult {
        let end = EventLoop.monotonicNow() + Self.maximumJobTime.nanoseconds
        var conversation = ReaderConversation(id: id, cpuSecondsPerPage: Self.cpuSecondsPerPage, fileCount: files)
        let silence = ReaderConnection.maximumSilence(in: conversation.job).nanoseconds
        let fileWait = ReaderConnection.maximumWait(toSendFileOf: conversation.job).nanoseconds
        var deadline: Int64 { min(end, EventLoop.monotonicNow() + silence) }
        for number in 0..<files {
            conversation.sendFile(try await file(number))
            while let bytes = conversation.nextToSend() {
                let wait = number == 0 ? silence : fileWait
                try await connection.send(bytes, until: min(end, EventLoop.monotonicNow() + wait))
            }
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
                throw ReaderLost(description: "the reader sent an invalid message: \(error)")
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
                    guard let document, let receipt else {
                        throw ReaderLost(description: "the job ended without a document")
                    }
                    return ReaderResult(
                        receipt: receipt, document: document, pictures: received, cpuMilliseconds: milliseconds)
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: received)
                }
            }
        }
    }

    /// Requests the pictures, unless `pictures` is `none`, and ends the job.
    ///
    /// - Returns: the receipt without its payment lines.
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
            conversation.requestPictures(covering: covered)
        }
        conversation.finish()
        return receipt
    }
}

extension JobQueue.Progress {
    init(_ step: ReaderJobRun.Step) {
        switch step {
        case .words(let pages, let count):
            self.init(step: "words", readPageCount: Int32(pages), pageCount: Int32(count))
        case .sums: self.init(step: "sums")
        case .pictures: self.init(step: "pictures")
        }
    }
}
