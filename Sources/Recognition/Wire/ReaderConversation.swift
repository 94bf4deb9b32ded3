/// The server's side of one job, without I/O: takes received bytes and returns bytes to send.
///
/// Add the files, send `nextToSend()` until it returns nil, pass received bytes to `receive`. After the document,
/// request rereads and pictures, then call `finish()`, and continue until `isOver`. The next job on the same socket is
/// a new conversation.
package struct ReaderConversation: Sendable {
    /// The announced job; answers contain its id.
    package let job: ReadingJob
    /// True after `finished` or `failed`. Anything after that is malformed.
    package private(set) var isOver = false
    private var outgoingFrames: [FrameCutter]
    private var decoder = FrameDecoder()
    private var assembler = MessageAssembler(limit: ReaderAnswer.maximumBytes)
    /// The answers that may still arrive.
    private var expectedAnswers = ExpectedAnswers()

    /// - Parameters:
    ///   - cpuSecondsPerPage: see ``ReadingJob/cpuSecondsPerPage``.
    ///   - fileCount: number of files to be added one by one, 1 … 20.
    package init(id: UInt64, cpuSecondsPerPage: Int, fileCount: Int, isQuick: Bool = false) {
        job = ReadingJob(id: id, cpuSecondsPerPage: cpuSecondsPerPage, fileCount: fileCount, isQuick: isQuick)
        outgoingFrames = [ReaderRequest.job(job).frames]
    }

    /// - Parameter files: 1 … 20 files of at most 25 MiB each.
    package init(id: UInt64, cpuSecondsPerPage: Int, files: [[UInt8]]) {
        self.init(id: id, cpuSecondsPerPage: cpuSecondsPerPage, fileCount: files.count)
        for file in files { sendFile(file) }
    }

    /// Adds the next file, at most 25 MiB; held in memory until it is sent.
    package mutating func sendFile(_ file: [UInt8]) {
        expectedAnswers.fileCount += 1
        outgoingFrames.append(ReaderRequest.file(file).frames)
    }

    /// Returns the next bytes to send, about 64 KiB at most, or nil if there is nothing to send.
    package mutating func nextToSend() -> [UInt8]? {
        while !outgoingFrames.isEmpty {
            if let bytes = outgoingFrames[0].next() { return bytes }
            outgoingFrames.removeFirst()
        }
        return nil
    }

    /// Returns the answers that these bytes complete, in order.
    ///
    /// - Throws: `WireError`, also for answers that were not requested. The child may be controlled by a malicious
    ///   file, and the server stores its answers.
    package mutating func receive(_ bytes: some Sequence<UInt8>) throws(WireError) -> [ReaderAnswer] {
        decoder.append(bytes)
        var answers: [ReaderAnswer] = []
        while let frame = try decoder.next() {
            guard !isOver else { throw .malformed }
            guard let message = try assembler.take(frame) else { continue }
            let answer = try ReaderAnswer(kind: message.kind, payload: message.payload)
            try expectedAnswers.record(answer, of: job)
            switch answer {
            case .finished(let id, _), .failed(let id, _, _):
                guard id == job.id else { throw .malformed }
                isOver = true
                outgoingFrames = []
            default: break
            }
            answers.append(answer)
        }
        return answers
    }

    /// Requests areas to be recognised again; only after the document.
    package mutating func reread(_ requests: [RereadRequest]) {
        expectedAnswers.rereads.append(requests.count)
        outgoingFrames.append(ReaderRequest.reread(requests).frames)
    }

    /// Requests the pictures of all pages with these areas covered; only after the document.
    package mutating func requestPictures(covering places: [CoveredPlace]) {
        expectedAnswers.hasPictures = true
        outgoingFrames.append(ReaderRequest.pictures(covering: places).frames)
    }

    /// Ends the job; the reader answers `finished`.
    package mutating func finish() {
        outgoingFrames.append(ReaderRequest.done.frames)
    }
}
