import EventLoop
import Recognition

/// One job of a reader that is not stored: sends the files, gets the words, asks for no pictures.
struct ListReading: Sendable {
    let connection: ReaderConnection
    /// CPU seconds of the reader's child for each page. With little time it reads each line once.
    let deadline: Int

    /// The reader is killed if it sends nothing for this time.
    private static let patience = Duration.seconds(90)

    /// - Throws: `ReaderFailure`, `ReaderLost`; the connection is closed after the latter.
    func run(id: UInt64, files: [[UInt8]]) async throws -> RecognizedDocument {
        do {
            return try await converse(id, files)
        } catch let failure as ReaderFailure {
            throw failure
        } catch {
            connection.close()
            throw error
        }
    }

    private func converse(_ id: UInt64, _ files: [[UInt8]]) async throws -> RecognizedDocument {
        var until: Int64 { EventLoop.monotonicNow() + Self.patience.nanoseconds }
        var conversation = ReaderConversation(id: id, deadline: deadline, files: files.count)
        for file in files {
            conversation.handOver(file)
            while let bytes = conversation.nextToSend() { try await connection.send(bytes, until: until) }
        }
        var document: RecognizedDocument?
        while true {
            while let bytes = conversation.nextToSend() { try await connection.send(bytes, until: until) }
            let answers: [ReaderAnswer]
            do {
                answers = try conversation.receive(try await connection.receive(until: until))
            } catch let error as WireError {
                throw ReaderLost(description: "the reader's words make no sense: \(error)")
            }
            for answer in answers {
                switch answer {
                case .document(let read, _):
                    document = read
                    conversation.finish()
                case .finished:
                    guard let document else { throw ReaderLost(description: "a job without a document") }
                    return document
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: [])
                case .picture, .progress, .reread: break
                }
            }
        }
    }
}
