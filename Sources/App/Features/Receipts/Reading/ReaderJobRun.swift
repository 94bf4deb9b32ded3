import DocumentParsing
import EventLoop
import FoundationEssentials
import Recognition

/// What the reader made of one receipt's files.
struct ReaderResult: Sendable {
    var receipt: ParsedReceipt
    var pages: [ReaderPage]
    /// CPU time of the reader's confined process and its children, seconds.
    var cpuSeconds: Double
}

/// A page's pictures.
struct ReaderPage: Sendable {
    var pictures: [ReaderPicture.Role: (picture: ReaderPicture, bytes: [UInt8])] = [:]
}

/// One conversation with the reader: files in, pictures and words out, doubtful places once more.
struct ReaderJobRun: Sendable {
    let connection: ReaderConnection
    let parser: ReceiptParser
    /// The reader kills its own child before this; then the whole reader is given up.
    static let deadlineMilliseconds = 60_000
    private static let patience = Duration.seconds(75)

    /// - Parameter files: calls its argument with the pieces of each file, at most a megabyte each, the size first.
    /// - Throws: `ReaderFailure` when the job comes to nothing, `ReaderLost` when the reader does.
    func run(
        id: String, files: [(size: Int, pieces: @Sendable ((([UInt8]) async throws -> Void)) async throws -> Void)]
    ) async throws -> ReaderResult {
        let deadline = EventLoop.monotonicNow() + Self.patience.nanoseconds
        try await send(.job, ReaderJob(id: id, deadlineMilliseconds: Self.deadlineMilliseconds), deadline)
        for file in files {
            try await send(.file, ReaderBlob(count: file.size), deadline)
            try await file.pieces { bytes in
                for frame in ReaderFrame.chunks(of: bytes) { try await connection.send(frame, until: deadline) }
            }
        }
        try await connection.send(ReaderFrame(.go), until: deadline)
        var conversation = Conversation(run: self, deadline: deadline)
        return try await conversation.finish()
    }

    fileprivate func send(_ kind: ReaderFrame.Kind, _ value: some Encodable, _ deadline: Int64) async throws {
        try await connection.send(ReaderFrame(kind, Array(try JSONEncoder().encode(value))), until: deadline)
    }

    fileprivate static func decode<Value: Decodable>(_ frame: ReaderFrame) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(frame.payload))
        } catch {
            throw ReaderLost(description: "a \(frame.kind) frame makes no sense")
        }
    }
}

/// The answers to one job, in their order.
private struct Conversation {
    let run: ReaderJobRun
    let deadline: Int64
    private var pages: [Int: ReaderPage] = [:]

    init(run: ReaderJobRun, deadline: Int64) {
        self.run = run
        self.deadline = deadline
    }

    mutating func finish() async throws -> ReaderResult {
        var receipt: ParsedReceipt?
        var failure: ReaderFailure?
        while true {
            let frame = try await run.connection.receive(until: deadline)
            switch frame.kind {
            case .picture: try await take(try ReaderJobRun.decode(frame))
            case .document: receipt = try await understand(try ReaderJobRun.decode(frame))
            case .failure: failure = try ReaderJobRun.decode(frame)
            case .finished:
                let usage: ReaderUsage = try ReaderJobRun.decode(frame)
                if let failure { throw PartialFailure(failure: failure, pages: ordered) }
                guard let receipt else { throw ReaderLost(description: "a job without a document") }
                return ReaderResult(receipt: receipt, pages: ordered, cpuSeconds: usage.cpuSeconds)
            case .hello: continue
            default: throw ReaderLost(description: "an unexpected \(frame.kind) frame")
            }
        }
    }

    private var ordered: [ReaderPage] { pages.sorted { $0.key < $1.key }.map(\.value) }

    private mutating func take(_ picture: ReaderPicture) async throws {
        guard (0..<200).contains(picture.page), picture.width > 0, picture.height > 0 else {
            throw ReaderLost(description: "an impossible picture")
        }
        pages[picture.page, default: ReaderPage()].pictures[picture.role] = (picture, try await bytes(picture.count))
    }

    /// Reads the words, asks for doubtful places again, and lets the reader go.
    private func understand(_ blob: ReaderBlob) async throws -> ParsedReceipt {
        let document: RecognizedDocument
        do {
            document = try JSONDecoder().decode(RecognizedDocument.self, from: Data(try await bytes(blob.count)))
        } catch is DecodingError {
            throw ReaderLost(description: "a document that makes no sense")
        }
        var receipt = run.parser.parse(document)
        var answers: [RereadAnswer] = []
        for request in receipt.rereads {
            try await run.send(.reread, request, deadline)
            let frame = try await run.connection.receive(until: deadline)
            guard frame.kind == .rereadAnswer else { throw ReaderLost(description: "no answer to a second look") }
            answers.append(try ReaderJobRun.decode(frame))
        }
        if !answers.isEmpty { receipt = run.parser.parse(document, rereads: answers) }
        try await run.connection.send(ReaderFrame(.done), until: deadline)
        return receipt
    }

    /// What was announced, from the frames that follow.
    private func bytes(_ count: Int) async throws -> [UInt8] {
        guard (0...(64 << 20)).contains(count) else { throw ReaderLost(description: "too many bytes announced") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let frame = try await run.connection.receive(until: deadline)
            guard frame.kind == .bytes, bytes.count + frame.payload.count <= count else {
                throw ReaderLost(description: "bytes that were not announced")
            }
            bytes += frame.payload
        }
        return bytes
    }
}

/// A job that came to nothing, with the pictures that could be made.
struct PartialFailure: Error {
    let failure: ReaderFailure
    let pages: [ReaderPage]
}
