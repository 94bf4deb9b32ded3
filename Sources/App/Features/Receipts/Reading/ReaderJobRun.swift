import DocumentParsing
import EventLoop
import Recognition

/// What the reader made of one receipt's files.
struct ReaderResult: Sendable {
    let receipt: ParsedReceipt
    let pictures: [PagePicture]
    /// CPU time of the reader's confined process and its children.
    let cpuMilliseconds: Int
}

/// A job that came to nothing, with the pictures that could be made.
struct ReaderFailure: Error {
    let reason: ReadingFailureReason
    let pictures: [PagePicture]
}

/// One conversation with the reader: files in, pictures and words out, doubtful places once more.
struct ReaderJobRun: Sendable {
    let connection: ReaderConnection
    let parser: ReceiptParser

    /// Seconds until the reader gives its own child up; a while after that the whole reader is given up.
    private static let childDeadline = 60
    private static let patience = Duration.seconds(90)

    /// - Throws: `ReaderFailure` when the job comes to nothing, `ReaderLost` when the reader does.
    func run(id: UInt64, files: [[UInt8]]) async throws -> ReaderResult {
        let deadline = EventLoop.monotonicNow() + Self.patience.nanoseconds
        var conversation = ReaderConversation(id: id, deadline: Self.childDeadline, files: files)
        var pictures: [PagePicture] = []
        var document: RecognizedDocument?
        var rereads: [RereadAnswer] = []
        var hasAskedAgain = false
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
                case .picture(let picture): pictures.append(picture)
                case .document(let read, _):
                    document = read
                    let requests = parser.parse(read).rereads
                    if requests.isEmpty { conversation.finish() } else { conversation.reread(requests) }
                    hasAskedAgain = !requests.isEmpty
                case .reread(let answers, _):
                    rereads = answers
                    if hasAskedAgain { conversation.finish() }
                case .finished(_, let milliseconds):
                    guard let document else { throw ReaderLost(description: "a job without a document") }
                    return ReaderResult(
                        receipt: parser.parse(document, rereads: rereads), pictures: pictures,
                        cpuMilliseconds: milliseconds)
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: pictures)
                }
            }
        }
    }
}
