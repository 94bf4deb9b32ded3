import Crypto
import Domain
import HTTP
import JSON

/// Parses the documents that CouchDB clients send. Stores the contents of attachments in the quarantine immediately.
struct CouchDocumentParser: Sendable {
    let quarantine: Quarantine
    let household: HouseholdID

    /// A parsed document. It may still be malformed or not allowed.
    struct Parsed: Sendable {
        let id: String
        let key: DocumentKey?
        /// The revision in the field `_rev`.
        let revision: RevisionID?
        let ancestors: [RevisionID]
        let isDeleted: Bool
        let body: JSONObject
        var attachments: [IncomingAttachment]
        /// The reason why the document is refused; nil if it can be processed.
        var refusal: CouchRefusal?

        /// - Throws: `CouchRefusal` if the document is malformed or its identifier has a form that this server does not
        ///   use.
        func incoming(_ origin: IncomingDocument.Origin) throws(CouchRefusal) -> IncomingDocument {
            if let refusal { throw refusal }
            guard let key else {
                throw .forbidden("_id must be <type>:<uuid> with one of the types \(Self.types)")
            }
            return IncomingDocument(
                key: key, origin: origin, isDeleted: isDeleted, body: body, attachments: attachments)
        }

        private static let types = DocumentType.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// The largest size of a document with an attachment, in bytes: the largest file as Base64, and the other fields.
    static let maximumBytes = UploadLimits.fileBytes / 3 * 4 + SyncLimits.documentBytes

    /// - Throws: `JSONError`, `CouchRefusal`, `UploadRefusal`.
    func read(_ text: [UInt8], id named: String? = nil) async throws -> Parsed {
        let limits = JSONLimits(size: Self.maximumBytes, depth: 32, numberLength: 64)
        guard let object = try JSONValue(reading: text, limits: limits).object else {
            throw CouchRefusal.badRequest("Document must be a JSON object")
        }
        return try await read(object, id: named)
    }

    func read(_ object: JSONObject, id named: String? = nil) async throws -> Parsed {
        var body = JSONObject()
        for member in object where !member.name.hasPrefix("_") { body[member.name] = member.value }
        var id = named ?? object["_id"]?.string
        if id == nil, let type = body["type"]?.string.flatMap(DocumentType.init(rawValue:)) {
            id = DocumentKey(type, .new()).description
        }
        let revision = object["_rev"]?.string.flatMap { RevisionID($0) }
        var parsed = Parsed(
            id: id ?? "", key: id.flatMap { DocumentKey($0) }, revision: revision, ancestors: [],
            isDeleted: object["_deleted"]?.bool ?? false, body: body, attachments: [])
        // Keep the error with the document, so that the other documents of the batch are still stored.
        do {
            guard JSONValue.object(body).bytes.count <= SyncLimits.documentBytes else {
                throw CouchRefusal.forbidden("the document is larger than \(SyncLimits.documentBytes) bytes")
            }
            guard object["_rev"] == nil || revision != nil else { throw CouchRefusal.forbidden("Invalid rev format") }
            parsed = Parsed(
                id: parsed.id, key: parsed.key, revision: revision,
                ancestors: try Self.ancestors(object["_revisions"], of: revision), isDeleted: parsed.isDeleted,
                body: body, attachments: try await attachments(object["_attachments"]?.object ?? JSONObject()))
        } catch let refusal as CouchRefusal {
            parsed.refusal = refusal
        } catch let refusal as UploadRefusal {
            parsed.refusal = .forbidden("attachment: \(refusal.rawValue)")
        }
        return parsed
    }

    private static func ancestors(
        _ revisions: JSONValue?, of revision: RevisionID?
    ) throws(CouchRefusal) -> [RevisionID] {
        guard let revisions, let revision else { return [] }
        let hashes = (revisions["ids"]?.array ?? []).prefix(SyncLimits.ancestors).map(\.string)
        guard let start = revisions["start"]?.integer, start == revision.generation, hashes.first == revision.hash
        else {
            throw .forbidden("_revisions does not begin with _rev")
        }
        var ancestors: [RevisionID] = []
        for (index, hash) in hashes.enumerated().dropFirst() {
            guard let hash, let ancestor = RevisionID(generation: start - Int64(index), checked: hash) else {
                throw .forbidden("_revisions is malformed")
            }
            ancestors.append(ancestor)
        }
        return ancestors
    }

    /// The largest number of attachments of a document.
    private static let mostAttachments = 20

    /// - Throws: `CouchRefusal` if the document has too many attachments.
    static func requireAttachmentLimit(_ attachments: JSONObject) throws(CouchRefusal) {
        guard attachments.members.count <= mostAttachments else {
            throw .forbidden("a document must not have more than \(mostAttachments) attachments")
        }
    }

    /// If an attachment is refused, deletes the contents of those before it.
    private func attachments(_ object: JSONObject) async throws -> [IncomingAttachment] {
        try Self.requireAttachmentLimit(object)
        var attachments: [IncomingAttachment] = []
        do {
            for member in object.members { attachments.append(try await attachment(member)) }
        } catch {
            await discard(attachments)
            throw error
        }
        return attachments
    }

    private func attachment(_ member: JSONObject.Member) async throws -> IncomingAttachment {
        let type = member.value["content_type"]?.string ?? "application/octet-stream"
        guard let data = member.value["data"]?.string else {
            return IncomingAttachment(
                name: member.name, contentType: type, digest: member.value["digest"]?.string ?? "",
                length: member.value["length"]?.integer ?? 0, file: nil)
        }
        guard let bytes = Base64Bytes.decode(data) else {
            throw CouchRefusal.forbidden("Invalid attachment data for \(member.name.prefix(100))")
        }
        return try await store(bytes, name: member.name, type: type)
    }

    /// Stores the contents of an attachment until its document is stored.
    func store(_ bytes: [UInt8], name: String, type: String) async throws -> IncomingAttachment {
        guard bytes.count <= UploadLimits.fileBytes else { throw UploadRefusal.tooLarge }
        var rest = bytes[...]
        let file = try await quarantine.receive(name: name, household) {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(UploadLimits.chunkBytes) }
            return Array(rest.prefix(UploadLimits.chunkBytes))
        }
        return IncomingAttachment(
            name: name, contentType: type, digest: "md5-\(Base64Bytes.encode(md5(bytes)))", length: Int64(bytes.count),
            file: file)
    }

    /// Stores the contents of an attachment while they arrive, so that they are never completely in memory.
    ///
    /// - Throws: `UploadRefusal`, `FormError`.
    func store(_ body: RequestBody, name: String, type: String) async throws -> IncomingAttachment {
        let file = try await quarantine.receive(name: name, household) { () async throws -> [UInt8]? in
            do throws(BodyError) {
                return try await body.next()
            } catch {
                throw FormError.body(error)
            }
        }
        return IncomingAttachment(
            name: name, contentType: type, digest: "sha256-\(Hexadecimal.encode(file.hash))", length: Int64(file.size),
            file: file)
    }

    /// Deletes the attachment contents of documents that were not stored.
    func discard(_ attachments: [IncomingAttachment]) async {
        for attachment in attachments {
            guard let file = attachment.file else { continue }
            try? await quarantine.discard(file.blob, household)
        }
    }
}
