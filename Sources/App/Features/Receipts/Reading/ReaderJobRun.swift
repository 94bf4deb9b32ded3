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

/// A job that came to nothing, with the pictures that could be made.
struct ReaderFailure: Error {
    let reason: ReadingFailureReason
    let pictures: [PagePicture]
}

/// One conversation with the reader: files in, words out, doubtful places once more, then the pictures.
struct ReaderJobRun: Sendable {
    /// What is wanted of the pages' pictures.
    enum Pictures: Sendable {
        case none
        /// As they were taken.
        case whole
        /// With personal details painted over.
        case covered
    }

    /// What the reader has answered so far says how far it is.
    enum Step: Sendable, Equatable {
        /// So many pages are read, of so many that are known of now; only where there are several.
        case words(pages: Int, of: Int)
        /// The words are there: they are understood and reckoned, and doubtful places are read once more.
        case sums
        case pictures
    }

    let connection: ReaderConnection
    let parser: ReceiptParser
    let pictures: Pictures
    /// Told when a step begins.
    var report: @Sendable (Step) async -> Void = { _ in }

    /// CPU seconds until the reader gives its own child up, by the clock four times as many; each page begins anew.
    private static let childDeadline = 60
    /// The whole reader is given up when it says nothing for so long …
    private static let patience = Duration.seconds(300)
    /// … or when all of a job takes longer.
    private static let longest = Duration.seconds(1800)

    /// Reads files that are at hand.
    func run(id: UInt64, files: [[UInt8]]) async throws -> ReaderResult {
        try await run(id: id, files: files.count) { files[$0] }
    }

    /// Reads `files` files; each is fetched when the one before is with the reader, so that one is in memory at a time.
    ///
    /// - Throws: `ReaderFailure` when the job comes to nothing, `ReaderLost` when the reader does, and what `file` throws.
    ///   After all but the first the connection is closed: it stands in the middle of a job.
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
        var rereads: [RereadAnswer] = []
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
                    let receipt = parser.parse(read)
                    guard receipt.rereads.isEmpty else {
                        conversation.reread(receipt.rereads)
                        continue
                    }
                    await finish(&conversation, read, receipt)
                case .reread(let answers, _):
                    rereads = answers
                    guard let document else { continue }
                    await finish(&conversation, document, parser.parse(document, rereads: rereads))
                case .finished(_, let milliseconds):
                    guard let document else { throw ReaderLost(description: "a job without a document") }
                    return ReaderResult(
                        receipt: parser.parse(document, rereads: rereads), document: document, pictures: received,
                        cpuMilliseconds: milliseconds)
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: received)
                }
            }
        }
    }

    private func finish(
        _ conversation: inout ReaderConversation, _ document: RecognizedDocument, _ receipt: ParsedReceipt
    ) async {
        if pictures != .none { await report(.pictures) }
        switch pictures {
        case .none: break
        case .whole: conversation.askForPictures(covering: [])
        case .covered:
            let details = PersonalDetailFinder(facts: parser.facts).details(in: document, sparing: receipt)
            conversation.askForPictures(covering: details.map { CoveredPlace(page: $0.page, box: $0.box) })
        }
        conversation.finish()
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
