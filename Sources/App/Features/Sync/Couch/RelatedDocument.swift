import HTTP
import JSON

/// A document with its attachments as `multipart/related` (RFC 2387). The first part is the document. The other parts
/// are the contents of those attachments that have `"follows": true`, in the same order.
enum RelatedDocument {
    /// - Throws: `CouchRefusal`, `JSONError`, `UploadRefusal`, `FormError`.
    static func read(
        _ head: RequestHead, _ body: RequestBody, id: String, _ parser: CouchDocumentParser
    ) async throws -> CouchDocumentParser.Parsed {
        guard let type = head.headers[.contentType].flatMap(MediaType.init), let boundary = type["boundary"],
            (1...200).contains(boundary.utf8.count)
        else { throw CouchRefusal.badRequest("multipart/related must have a boundary of 1 to 200 bytes") }
        // All attachments of a document together may be as large as one file.
        let bytes = try await body.readAll(UploadLimits.fileBytes + SyncLimits.documentBytes)
        let parts = try split(bytes, boundary: Array("--\(boundary)".utf8))
        guard let first = parts.first,
            var object = try JSONValue(reading: first, limits: SyncLimits.document).object
        else { throw CouchRefusal.badRequest("the first part must be the document") }
        let listed = object["_attachments"]?.object ?? JSONObject()
        try CouchDocumentParser.requireAttachmentLimit(listed)
        var others = listed
        var files = parts.dropFirst()
        var stored: [IncomingAttachment] = []
        do {
            for member in listed where member.value["follows"]?.bool == true {
                guard let file = files.popFirst() else { throw CouchRefusal.badRequest("an attachment is missing") }
                stored.append(
                    try await parser.store(
                        Array(file), name: member.name,
                        type: member.value["content_type"]?.string ?? "application/octet-stream"))
                others[member.name] = nil
            }
            object["_attachments"] = .object(others)
            var parsed = try await parser.read(object, id: id)
            parsed.attachments += stored
            return parsed
        } catch {
            await parser.discard(stored)
            throw error
        }
    }

    /// Returns the bodies of the parts, without their header fields.
    private static func split(_ bytes: [UInt8], boundary: [UInt8]) throws -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var position = 0
        let end: [UInt8] = [13, 10, 13, 10]
        while let found = bytes.firstOffset(of: boundary, from: position) {
            if let start {
                let content = bytes[start..<max(start, found - 2)]
                guard let headers = Array(content).firstOffset(of: end, from: 0) else {
                    throw CouchRefusal.badRequest("a part has no empty line after its headers")
                }
                parts.append(content.dropFirst(headers + end.count))
            }
            position = found + boundary.count
            if bytes[position...].starts(with: [45, 45]) { return parts }
            start = position
        }
        throw CouchRefusal.badRequest("the last boundary is missing")
    }
}

extension [UInt8] {
    /// Returns the offset of the first occurrence of `pattern` at or after `start`.
    fileprivate func firstOffset(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        var position = start
        while position <= count - pattern.count {
            guard let next = self[position...].firstIndex(of: first), next <= count - pattern.count else { return nil }
            if self[next..<(next + pattern.count)].elementsEqual(pattern) { return next }
            position = next + 1
        }
        return nil
    }
}
