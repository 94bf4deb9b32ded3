/// A job for the reader: the files of one receipt, which are sent one by one.
package struct ReadingJob: Equatable, Sendable {
    /// Usually several photos of one long receipt.
    package static let maximumFiles = 20
    /// 25 MiB, the limit of uploads.
    package static let maximumFileBytes = 25 << 20
    /// Of one file.
    package static let maximumPages = 20
    /// Bytes of all pictures of a job together. The pictures of one photo have two to four MiB.
    package static let maximumPictureBytes = 256 << 20
    /// In seconds.
    package static let deadlines = 1...300

    /// Repeated in the answers.
    package var id: UInt64
    /// CPU seconds that the child may use between two answers; see `Child` for the wall-clock limit.
    package var deadline: Int
    /// Number of files that follow, 1 … ``maximumFiles``.
    package var files: Int

    package init(id: UInt64, deadline: Int, files: Int) {
        self.id = id
        self.deadline = deadline
        self.files = files
    }
}

/// A message of the server to the reader.
package enum ReaderRequest: Equatable, Sendable {
    /// Begins a job.
    case job(ReadingJob)
    /// The next file of the job.
    case file([UInt8])
    /// Requests areas to be recognised again.
    case reread([RereadRequest])
    /// Requests the pictures of all pages, with these areas covered.
    case pictures(covering: [CoveredPlace])
    /// Ends the job.
    case done

    /// Frame kind of `job`.
    package static let jobKind: UInt8 = 1
    /// Frame kind of `file`.
    package static let fileKind: UInt8 = 2
    /// Frame kind of `reread`.
    package static let rereadKind: UInt8 = 3
    /// Frame kind of `done`.
    package static let doneKind: UInt8 = 4
    /// Frame kind of `pictures`.
    package static let picturesKind: UInt8 = 5

    /// The frames of this message.
    package var frames: FrameCutter {
        var writer = WireWriter()
        switch self {
        case .job(let job):
            writer.write64(job.id)
            writer.write16(job.deadline)
            writer.write8(job.files)
            return FrameCutter(kind: Self.jobKind, head: writer.bytes)
        case .file(let bytes):
            return FrameCutter(kind: Self.fileKind, head: [], body: bytes)
        case .reread(let requests):
            writer.write32(requests.count)
            for request in requests { request.write(to: &writer) }
            return FrameCutter(kind: Self.rereadKind, head: writer.bytes)
        case .pictures(let places):
            writer.write32(places.count)
            for place in places {
                writer.write16(place.page)
                writer.write(place.box)
            }
            return FrameCutter(kind: Self.picturesKind, head: writer.bytes)
        case .done:
            return FrameCutter(kind: Self.doneKind, head: [])
        }
    }

    /// Reads a whole message, as ``MessageAssembler`` puts it together.
    ///
    /// - Throws: `messageTooLong` for a file over the limit, `malformed` for any other invalid message.
    package init(kind: UInt8, payload: [UInt8]) throws(WireError) {
        var reader = WireReader(payload)
        switch kind {
        case Self.jobKind:
            let job = ReadingJob(id: try reader.read64(), deadline: try reader.read16(), files: try reader.read8())
            guard ReadingJob.deadlines.contains(job.deadline), (1...ReadingJob.maximumFiles).contains(job.files) else {
                throw .malformed
            }
            self = .job(job)
        case Self.fileKind:
            guard payload.count <= ReadingJob.maximumFileBytes else { throw .messageTooLong }
            self = .file(reader.rest())
        case Self.rereadKind:
            var requests: [RereadRequest] = []
            for _ in 0..<(try reader.readCount(of: 19)) { requests.append(try RereadRequest(from: &reader)) }
            self = .reread(requests)
        case Self.picturesKind:
            var places: [CoveredPlace] = []
            for _ in 0..<(try reader.readCount(of: 18)) {
                let page = try reader.read16()
                places.append(CoveredPlace(page: page, box: try reader.readBox(width: 65_536, height: 65_536)))
            }
            self = .pictures(covering: places)
        case Self.doneKind:
            self = .done
        default:
            throw .malformed
        }
        try reader.end()
    }
}

/// Why a job ended without a document.
package enum ReadingFailureReason: UInt8, Equatable, Sendable, CaseIterable {
    /// No text was found; the pictures can still be requested.
    case unreadable = 1
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that requires a password.
    case encryptedPDF
    /// Unsupported type of file.
    case unsupported
    /// Truncated or inconsistent file.
    case damaged
    /// The job's deadline or the child's CPU time has passed.
    case timeout
    /// The child was ended by a signal, violated the protocol, or the OCR engine failed.
    case crashed
    /// Out of memory.
    case memory

    /// The name used in logs and texts.
    package var name: String {
        switch self {
        case .unreadable: "unreadable"
        case .tooLarge: "too-large"
        case .encryptedPDF: "encrypted-pdf"
        case .unsupported: "unsupported"
        case .damaged: "damaged"
        case .timeout: "timeout"
        case .crashed: "crashed"
        case .memory: "memory"
        }
    }
}

/// A JPEG without metadata that belongs to a page.
package struct PagePicture: Equatable, Sendable {
    /// The sizes made of each page.
    package enum Variant: UInt8, Equatable, Sendable, CaseIterable {
        /// The picture that boxes refer to; longer side at most 4,000 px.
        case reading
        /// Longer side at most 1,600 px.
        case display
        /// Longer side at most 320 px.
        case preview
    }

    /// The limit of stored pictures.
    package static let maximumBytes = 25 << 20

    /// Counted over all files of the job, from 0.
    package var page: Int
    /// The size of the picture.
    package var variant: Variant
    /// In pixels, 1 to 65,536.
    package var width: Int
    /// In pixels, 1 to 65,536.
    package var height: Int
    /// 1 … ``maximumBytes`` bytes. The server checks that it is a JPEG.
    package var jpeg: [UInt8]

    package init(page: Int, variant: Variant, width: Int, height: Int, jpeg: [UInt8]) {
        self.page = page
        self.variant = variant
        self.width = width
        self.height = height
        self.jpeg = jpeg
    }
}

/// A message of the reader to the server. A job produces a document, pictures, answers to rereads, and exactly one end.
package enum ReaderAnswer: Equatable, Sendable {
    /// One size of one page.
    case picture(PagePicture)
    /// Number of pages read and known so far. Sent before the document, only for several pages.
    case progress(pages: Int, of: Int)
    /// All pages of all files, with the CPU time so far.
    case document(RecognizedDocument, cpuMilliseconds: Int)
    /// Answers to one `reread`, at most one for each request, with the CPU time so far.
    case reread([RereadAnswer], cpuMilliseconds: Int)
    /// The end after `done`. CPU time is user and system time, including the PDF programs.
    case finished(id: UInt64, cpuMilliseconds: Int)
    /// The end after a failure; pictures may have been sent before.
    case failed(id: UInt64, ReadingFailureReason, cpuMilliseconds: Int)

    /// Frame kind of `finished`.
    package static let finishedKind: UInt8 = 20
    /// Frame kind of `failed`.
    package static let failedKind: UInt8 = 21
    /// The kinds that a child may send. Only the parent sends the ends.
    package static let childKinds: ClosedRange<UInt8> = 16...19
    /// Bytes of one answer: 32 MiB, enough for a picture of 25 MiB and its header.
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
            return FrameCutter(kind: 16, head: writer.bytes, body: picture.jpeg)
        case .progress(let pages, let count):
            writer.write16(pages)
            writer.write16(count)
            return FrameCutter(kind: 19, head: writer.bytes)
        case .document(let document, let cpu):
            writer.write32(cpu)
            document.write(to: &writer)
            return FrameCutter(kind: 17, head: writer.bytes)
        case .reread(let answers, let cpu):
            writer.write32(cpu)
            writer.write32(answers.count)
            for answer in answers {
                answer.request.write(to: &writer)
                writer.write32(answer.readings.count)
                for word in answer.readings { word.write(to: &writer) }
            }
            return FrameCutter(kind: 18, head: writer.bytes)
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
    /// - Throws: `malformed` for an invalid answer. Boxes of areas are limited to 65,536 pixels, not to their page.
    package init(kind: UInt8, payload: [UInt8]) throws(WireError) {
        var reader = WireReader(payload)
        switch kind {
        case 16:
            let page = try reader.read16()
            guard let variant = PagePicture.Variant(rawValue: UInt8(try reader.read8())) else { throw .malformed }
            let width = try reader.read32()
            let height = try reader.read32()
            let jpeg = reader.rest()
            guard (1...65_536).contains(width), (1...65_536).contains(height),
                (1...PagePicture.maximumBytes).contains(jpeg.count)
            else { throw .malformed }
            self = .picture(PagePicture(page: page, variant: variant, width: width, height: height, jpeg: jpeg))
        case 17:
            let cpu = try reader.read32()
            self = .document(try RecognizedDocument(from: &reader), cpuMilliseconds: cpu)
        case 18:
            let cpu = try reader.read32()
            var answers: [RereadAnswer] = []
            for _ in 0..<(try reader.readCount(of: 23)) {
                let request = try RereadRequest(from: &reader)
                var readings: [RecognizedWord] = []
                for _ in 0..<(try reader.readCount(of: 21)) {
                    readings.append(try RecognizedWord(from: &reader, width: 65_536, height: 65_536))
                }
                answers.append(RereadAnswer(request: request, readings: readings))
            }
            self = .reread(answers, cpuMilliseconds: cpu)
        case 19:
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
