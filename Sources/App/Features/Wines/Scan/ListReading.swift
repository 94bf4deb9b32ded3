import EventLoop
import Recognition

/// Reads the photos of a wine list: sends the files to the reader and receives the words, but no pictures. Stores
/// nothing.
struct ListReading: Sendable {
    let connection: ReaderConnection
    /// The limit of CPU seconds of the reader's child process for each page.
    let cpuSecondsPerPage: Int
    /// Whether each line is read only once: by the second recognition engine if there is one, otherwise by the first.
    let isQuick: Bool

    /// - Throws: `ReaderFailure`; `ReaderLost` and connection errors, after which the connection is closed.
    func run(id: UInt64, files: [[UInt8]]) async throws -> RecognizedDocument {
        do {
            return try await exchangeMessages(id, files)
        } catch let failure as ReaderFailure {
            throw failure
        } catch {
            connection.close()
            throw error
        }
    }

    private func exchangeMessages(_ id: UInt64, _ files: [[UInt8]]) async throws -> RecognizedDocument {
        var conversation = ReaderConversation(
            id: id, cpuSecondsPerPage: cpuSecondsPerPage, fileCount: files.count, isQuick: isQuick)
        let silence = ReaderConnection.maximumSilence(in: conversation.job).nanoseconds
        let fileWait = ReaderConnection.maximumWait(toSendFileOf: conversation.job).nanoseconds
        var until: Int64 { EventLoop.monotonicNow() + silence }
        for (number, file) in files.enumerated() {
            conversation.sendFile(file)
            while let bytes = conversation.nextToSend() {
                let wait = number == 0 ? silence : fileWait
                try await connection.send(bytes, until: EventLoop.monotonicNow() + wait)
            }
        }
        var document: RecognizedDocument?
        while true {
            while let bytes = conversation.nextToSend() { try await connection.send(bytes, until: until) }
            let answers: [ReaderAnswer]
            do {
                answers = try conversation.receive(try await connection.receive(until: until))
            } catch let error as WireError {
                throw ReaderLost(description: "malformed answer from the reader: \(error)")
            }
            for answer in answers {
                switch answer {
                case .document(let read, _):
                    document = read
                    conversation.finish()
                case .finished:
                    guard let document else { throw ReaderLost(description: "the job ended without a document") }
                    return document
                case .failed(_, let reason, _): throw ReaderFailure(reason: reason, pictures: [])
                case .picture, .progress, .reread: break
                }
            }
        }
    }
}
