/// A message of the reader to the server. A job produces a document, pictures, answers to rereads, and exactly one end.
package enum ReaderAnswer: Equatable, Sendable {
    /// A picture of one page in one of its sizes.
    case picture(PagePicture)
    /// The number of pages read so far, and of all pages known so far. Sent before the document, only for several
    /// pages.
    case progress(pages: Int, of: Int)
    /// All pages of all files, with the CPU time so far.
    case document(RecognizedDocument, cpuMilliseconds: Int)
    /// Answers to one `reread`, at most one for each request, with the CPU time so far.
    case reread([RereadAnswer], cpuMilliseconds: Int)
    /// The end of a job, after the request `done`. `id` is the number of the job. CPU time is user and system time,
    /// including the PDF programs.
    case finished(id: UInt64, cpuMilliseconds: Int)
    /// The end of a job after a failure; the document and pictures may have been sent before.
    case failed(id: UInt64, ReadingFailureReason, cpuMilliseconds: Int)

    private static let pictureKind: UInt8 = 16
    private static let documentKind: UInt8 = 17
    private static let rereadKind: UInt8 = 18
    private static let progressKind: UInt8 = 19
    /// Frame kind of `finished`.
    package static let finishedKind: UInt8 = 20
    /// Frame kind of `failed`.
    package static let failedKind: UInt8 = 21
    /// The frame kinds that the reader's child process may send. Only the parent process sends `finished` and `failed`.
    package static let childKinds: ClosedRange<UInt8> = 16...19
    /// The maximum size of one answer: 32 MiB, enough for a picture of 25 MiB and its header.
    package static let maximumBytes = 32 << 20

    /// The frames of this message.
    package var frames: FrameCutter {
        var writer = WireWriter()
        switch self {
        case .picture(let picture):
            writer.write16(picture.page)
            writer.write8(Int(picture.variant.rawValue))
            writer.write32(picture.width)
            writer.write32(picture.height)
            return FrameCutter(kind: Self.pictureKind, head: writer.bytes, body: picture.jpeg)
        case .progress(let pages, let count):
            writer.write16(pages)
            writer.write16(count)
            return FrameCutter(kind: Self.progressKind, head: writer.bytes)
        case .document(let document, let cpu):
            writer.write32(cpu)
            document.write(to: &writer)
            return FrameCutter(kind: Self.documentKind, head: writer.bytes)
        case .reread(let answers, let cpu):
            writer.write32(cpu)
            writer.write32(answers.count)
            for answer in answers {
                answer.request.write(to: &writer)
                for words in [answer.readings, answer.secondEngineReadings] {
                    writer.write32(words.count)
                    for word in words { word.write(to: &writer) }
                }
            }
            return FrameCutter(kind: Self.rereadKind, head: writer.bytes)
        case .finished(let id, let cpu):
            writer.write64(id)
            writer.write32(cpu)
            return FrameCutter(kind: Self.finishedKind, head: writer.bytes)
        case .failed(let id, let reason, let cpu):
            writer.write64(id)
            writer.write8(Int(reason.rawValue))
            writer.write32(cpu)
            return FrameCutter(kind: Self.failedKind, head: writer.bytes)
        }
    }

    /// Reads a whole message, as ``MessageAssembler`` puts it together.
    ///
    /// - Throws: `malformed` for an invalid answer. The boxes of a `reread` are checked against a page of
    ///   65,536 × 65,536 pixels, not against their own page.
    package init(kind: UInt8, payload: [UInt8]) throws(WireError) {
        var reader = WireReader(payload)
        switch kind {
        case Self.pictureKind:
            let page = try reader.read16()
            guard let variant = PagePicture.Variant(rawValue: UInt8(try reader.read8())) else { throw .malformed }
            let width = try reader.read32()
            let height = try reader.read32()
            let jpeg = reader.rest()
            guard (1...65_536).contains(width), (1...65_536).contains(height),
                (1...PagePicture.maximumBytes).contains(jpeg.count)
            else { throw .malformed }
            self = .picture(PagePicture(page: page, variant: variant, width: width, height: height, jpeg: jpeg))
        case Self.documentKind:
            let cpu = try reader.read32()
            self = .document(try RecognizedDocument(from: &reader), cpuMilliseconds: cpu)
        case Self.rereadKind:
            let cpu = try reader.read32()
            var answers: [RereadAnswer] = []
            func words() throws(WireError) -> [RecognizedWord] {
                var words: [RecognizedWord] = []
                for _ in 0..<(try reader.readCount(minimumBytes: RecognizedWord.minimumBytes)) {
                    words.append(try RecognizedWord(from: &reader, width: 65_536, height: 65_536))
                }
                return words
            }
            // A request and the counts of two lists of words.
            for _ in 0..<(try reader.readCount(minimumBytes: RereadRequest.minimumBytes + 8)) {
                let request = try RereadRequest(from: &reader)
                answers.append(RereadAnswer(request: request, readings: try words(), secondEngineReadings: try words()))
            }
            self = .reread(answers, cpuMilliseconds: cpu)
        case Self.progressKind:
            self = .progress(pages: try reader.read16(), of: try reader.read16())
        case Self.finishedKind:
            self = .finished(id: try reader.read64(), cpuMilliseconds: try reader.read32())
        case Self.failedKind:
            let id = try reader.read64()
            guard let reason = ReadingFailureReason(rawValue: UInt8(try reader.read8())) else { throw .malformed }
            self = .failed(id: id, reason, cpuMilliseconds: try reader.read32())
        default:
            throw .malformed
        }
        try reader.end()
    }
}
