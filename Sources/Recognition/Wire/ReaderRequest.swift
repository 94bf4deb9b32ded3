/// A message of the server to the reader.
package enum ReaderRequest: Equatable, Sendable {
    /// Begins a job.
    case job(ReadingJob)
    /// The next file of the job.
    case file([UInt8])
    /// Requests rereadings of areas.
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
            writer.write16(job.cpuSecondsPerPage)
            writer.write8(job.fileCount)
            writer.write8(job.isQuick ? 1 : 0)
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
            var job = ReadingJob(
                id: try reader.read64(), cpuSecondsPerPage: try reader.read16(), fileCount: try reader.read8())
            let quickMark = try reader.read8()
            job.isQuick = quickMark == 1
            guard quickMark <= 1, ReadingJob.allowedCPUSecondsPerPage.contains(job.cpuSecondsPerPage),
                (1...ReadingJob.maximumFiles).contains(job.fileCount)
            else {
                throw .malformed
            }
            self = .job(job)
        case Self.fileKind:
            guard payload.count <= ReadingJob.maximumFileBytes else { throw .messageTooLong }
            self = .file(reader.rest())
        case Self.rereadKind:
            var requests: [RereadRequest] = []
            for _ in 0..<(try reader.readCount(minimumBytes: RereadRequest.minimumBytes)) {
                requests.append(try RereadRequest(from: &reader))
            }
            self = .reread(requests)
        case Self.picturesKind:
            var places: [CoveredPlace] = []
            // A page number and a box.
            for _ in 0..<(try reader.readCount(minimumBytes: 18)) {
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
