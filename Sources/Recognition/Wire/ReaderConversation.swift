/// The server's side of one job, without any I/O: bytes to send, bytes that arrived.
///
/// Hand the files over, send `nextToSend()` until it is nil, feed what arrives to `receive`; after the document ask for rereads and for
/// pictures, then call `finish()`, and go on until `isOver`. The next job on the same socket is a new conversation.
package struct ReaderConversation: Sendable {
    /// As it was announced; answers name it by its number.
    package let job: ReadingJob
    /// True once the reader said `finished` or `failed`; whatever comes after that is malformed.
    package private(set) var isOver = false
    private var outgoing: [FrameCutter]
    private var decoder = FrameDecoder()
    private var assembler = MessageAssembler(limit: ReaderAnswer.maximumBytes)
    /// What was asked for and may still be answered.
    private var expected = ExpectedAnswers()

    /// - Parameter files: how many are handed over one by one, 1…20.
    package init(id: UInt64, deadline: Int, files: Int) {
        job = ReadingJob(id: id, deadline: deadline, files: files)
        outgoing = [ReaderRequest.job(job).frames]
    }

    /// - Parameter files: 1…20 files of at most 25 MiB each.
    package init(id: UInt64, deadline: Int, files: [[UInt8]]) {
        self.init(id: id, deadline: deadline, files: files.count)
        for file in files { handOver(file) }
    }

    /// Gives the job its next file: at most 25 MiB, held until it is sent.
    package mutating func handOver(_ file: [UInt8]) {
        expected.files += 1
        outgoing.append(ReaderRequest.file(file).frames)
    }

    /// The next bytes for the socket, at most 64 KiB and a little; nil when there is nothing to say now.
    package mutating func nextToSend() -> [UInt8]? {
        while !outgoing.isEmpty {
            if let bytes = outgoing[0].next() { return bytes }
            outgoing.removeFirst()
        }
        return nil
    }

    /// The answers that these bytes complete, in order.
    ///
    /// - Throws: `WireError` for what was not asked for, too: the reader's child may have been taken over by a file, and
    ///   the server keeps what it says.
    package mutating func receive(_ bytes: some Sequence<UInt8>) throws(WireError) -> [ReaderAnswer] {
        decoder.append(bytes)
        var answers: [ReaderAnswer] = []
        while let frame = try decoder.next() {
            guard !isOver else { throw .malformed }
            guard let message = try assembler.take(frame) else { continue }
            let answer = try ReaderAnswer(kind: message.kind, payload: message.payload)
            try expected.take(answer, of: job)
            switch answer {
            case .finished(let id, _), .failed(let id, _, _):
                guard id == job.id else { throw .malformed }
                isOver = true
                outgoing = []
            default: break
            }
            answers.append(answer)
        }
        return answers
    }

    /// Asks for places to be read once more; only after the document.
    package mutating func reread(_ requests: [RereadRequest]) {
        expected.rereads.append(requests.count)
        outgoing.append(ReaderRequest.reread(requests).frames)
    }

    /// Asks for the pictures of every page with these places painted over; only after the document.
    package mutating func askForPictures(covering places: [CoveredPlace]) {
        expected.hasPictures = true
        outgoing.append(ReaderRequest.pictures(covering: places).frames)
    }

    /// Says that the pages are not needed any more; `finished` is the answer.
    package mutating func finish() {
        outgoing.append(ReaderRequest.done.frames)
    }
}
