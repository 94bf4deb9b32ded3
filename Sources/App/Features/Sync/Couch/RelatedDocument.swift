import HTTP
import JSON

/// A document with its attachments as `multipart/related` (RFC 2387). The first part is the document. The other parts
/// are the contents of those attachments that have `"follows": true`, in the same order.
enum RelatedDocument {
    /// Reads the document, and stores the contents of the attachments while they arrive.
    ///
    /// - Throws: `CouchRefusal`, `JSONError`, `UploadRefusal`, `FormError`.
    static func read(
        _ head: RequestHead, _ body: RequestBody, id: String, _ parser: CouchDocumentParser
    ) async throws -> CouchDocumentParser.Parsed {
        guard let type = head.headers[.contentType].flatMap(MediaType.init), let boundary = type["boundary"],
            (1...200).contains(boundary.utf8.count)
        else { throw CouchRefusal.badRequest("multipart/related must have a boundary of 1 to 200 bytes") }
        let parts = RelatedParts(body, boundary: boundary, parser.total)
        var document = ArrivingDocument()
        do {
            guard try await parts.next() else { throw CouchRefusal.badRequest("the first part must be the document") }
            try await document.read(parts.input, parser)
            var object = try parser.object(of: document)
            var listed = object["_attachments"]?.object ?? JSONObject()
            guard listed.members.count <= CouchDocumentParser.maximumAttachments else {
                throw CouchDocumentParser.tooManyAttachments
            }
            for member in listed where member.value["follows"]?.bool == true {
                guard try await parts.next() else { throw CouchRefusal.badRequest("an attachment is missing") }
                let file = try await parser.quarantine.receive(name: "", parser.household) { try await parts.chunk() }
                var attachment = member.value.object ?? JSONObject()
                attachment["data"] = .string(document.add(.stored(file)))
                listed[member.name] = .object(attachment)
            }
            while try await parts.next() {}
            object["_attachments"] = .object(listed)
            return await parser.parse(object, document, id: id)
        } catch let error as JSONError where CouchDocumentParser.refusedReasons.contains(error.reason) {
            await parser.discard(document)
            // Reads the other parts, so that the client gets the answer.
            while try await parts.next() {}
            return CouchDocumentParser.unreadable(document, id: id, error)
        } catch {
            await parser.discard(document)
            throw error
        }
    }
}

/// The parts of a `multipart/related` body.
private final class RelatedParts {
    // Not thread-safe: only the task that reads the request may use it.
    let input: BodyBytes
    private let delimiter: [UInt8]
    private let total: AttachmentTotal
    /// Whether the delimiter after the current part was skipped.
    private var isAtEndOfPart = false

    /// The maximum size of the header fields of a part, in bytes.
    private static let maximumHead = 4096

    init(_ body: RequestBody, boundary: String, _ total: AttachmentTotal) {
        // The first delimiter may be at the start of the body, without a line end before it.
        input = BodyBytes(body, after: [13, 10])
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.total = total
    }

    /// Skips the rest of the current part and the header fields of the next part. Returns false after the last part.
    func next() async throws -> Bool {
        while try await chunk() != nil {}
        isAtEndOfPart = false
        var head: [UInt8] = []
        while let bytes = try await input.bytes(before: [13, 10]) {
            head += bytes
            guard head.count <= Self.maximumHead else { throw Self.tooLong }
            if head.starts(with: [45, 45]) { return false }
        }
        // The header fields end with an empty line.
        var size = 0
        while true {
            var isEmpty = true
            while let bytes = try await input.bytes(before: [13, 10]) {
                isEmpty = false
                size += bytes.count
                guard size <= Self.maximumHead else { throw Self.tooLong }
            }
            if isEmpty { return true }
        }
    }

    private static let tooLong = CouchRefusal.badRequest("the header fields of a part are too long")

    /// Returns the next bytes of the current part, never empty; nil at the end of the part.
    ///
    /// This function and ``AttachmentTotal/add(_:)`` are not inlined, because the optimiser of Swift 6.3.1 crashes in
    /// release builds when it inlines them into `Quarantine.receive`.
    ///
    /// - Throws: `CouchRefusal` if the part has no end, or the parts of the request are too large; `FormError`.
    @inline(never)
    func chunk() async throws -> [UInt8]? {
        guard !isAtEndOfPart else { return nil }
        let bytes = try await input.bytes(before: delimiter)
        isAtEndOfPart = bytes == nil
        try total.add(bytes?.count ?? 0)
        return bytes
    }
}
