/// A job for the reader: files of one receipt that follow one by one.
package struct ReadingJob: Equatable, Sendable {
    /// Photos of one long receipt, mostly.
    package static let maximumFiles = 20
    /// 25 MiB, as the upload allows.
    package static let maximumFileBytes = 25 << 20
    /// Of one file.
    package static let maximumPages = 20
    /// Bytes of all pictures of a job together: a page of a photo makes two to four MiB.
    package static let maximumPictureBytes = 256 << 20
    /// In seconds.
    package static let deadlines = 1...300

    /// Repeated in the answers.
    package var id: UInt64
    /// Seconds of wall-clock time the child gets between two answers.
    package var deadline: Int
    /// How many follow, 1 to ``maximumFiles``.
    package var files: Int

    package init(id: UInt64, deadline: Int, files: Int) {
        self.id = id
        self.deadline = deadline
        self.files = files
    }
}

/// What the server says to the reader.
package enum ReaderRequest: Equatable, Sendable {
    /// The first of a job: so many files follow.
    case job(ReadingJob)
    /// The next file of the job; its kind is told by its content.
    case file([UInt8])
    /// Asks for places of the pages to be read once more.
    case reread([RereadRequest])
    /// Asks for the pictures of every page, with these places painted over.
    case pictures(covering: [CoveredPlace])
    /// The pages are not needed any more.
    case done

    /// The frame's number for `job`.
    package static let jobKind: UInt8 = 1
    /// The frame's number for `file`.
    package static let fileKind: UInt8 = 2
    /// The frame's number for `reread`.
    package static let rereadKind: UInt8 = 3
    /// The frame's number for `done`.
    package static let doneKind: UInt8 = 4
    /// The frame's number for `pictures`.
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
    /// - Throws: `messageTooLong` for a file beyond its limit, `malformed` for anything else that is not a message.
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
    /// A picture, but no text could be found; its pictures were sent.
    case unreadable = 1
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that opens by a password only.
    case encryptedPDF
    /// No kind of file that the reader reads.
    case unsupported
    /// Cut short or contradicting itself.
    case damaged
    /// More seconds than the job's deadline, or more CPU time than a child has.
    case timeout
    /// The child ended by a signal, broke the protocol, or its engine gave up.
    case crashed
    /// More memory than a child has.
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
    /// The sizes that are made of each page.
    package enum Variant: UInt8, Equatable, Sendable, CaseIterable {
        /// The one that boxes refer to, long side ≤ 4000 px.
        case reading
        /// Long side ≤ 1600 px.
        case display
        /// Long side ≤ 320 px.
        case preview
    }

    /// As large as what is kept may be.
    package static let maximumBytes = 25 << 20

    /// Counted over all files of the job, from 0.
    package var page: Int
    /// How large it is, and what for.
    package var variant: Variant
    /// In pixels, 1 to 65,536.
    package var width: Int
    /// In pixels, 1 to 65,536.
    package var height: Int
    /// 1 byte to ``maximumBytes``; whether it is JPEG is for the server to look at.
    package var jpeg: [UInt8]

    package init(page: Int, variant: Variant, width: Int, height: Int, jpeg: [UInt8]) {
        self.page = page
        self.variant = variant
        self.width = width
        self.height = height
        self.jpeg = jpeg
    }
}

/// What the reader says to the server. A job gets pictures and a document, answers to rereads, and always one end.
package enum ReaderAnswer: Equatable, Sendable {
    /// One size of one page.
    case picture(PagePicture)
    /// So many pages are read, of so many that are known of now; only where there are several, before the document.
    case progress(pages: Int, of: Int)
    /// All pages of all files; CPU time so far.
    case document(RecognizedDocument, cpuMilliseconds: Int)
    /// Answers to one `reread`, at most as many as it asked for; CPU time so far.
    case reread([RereadAnswer], cpuMilliseconds: Int)
    /// The end after `done`. CPU time is user and system, PDF programs included.
    case finished(id: UInt64, cpuMilliseconds: Int)
    /// The end when something went wrong; pictures may have come before.
    case failed(id: UInt64, ReadingFailureReason, cpuMilliseconds: Int)

    /// The frame's number for `finished`.
    package static let finishedKind: UInt8 = 20
    /// The frame's number for `failed`.
    package static let failedKind: UInt8 = 21
    /// The kinds a child may send; the ends are the parent's word alone.
    package static let childKinds: ClosedRange<UInt8> = 16...19
    /// Of one answer: 32 MiB, a picture's 25 and its head among them.
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
    /// - Throws: `malformed` for anything that is not an answer; places are only held to 65,536 pixels, not to their
    /// page.
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
