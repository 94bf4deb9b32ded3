import Crypto
import Domain
import HTTP
import JSON

/// Parses the documents that CouchDB clients send. Stores the contents of attachments in the quarantine while they
/// arrive.
struct CouchDocumentParser: Sendable {
    let quarantine: Quarantine
    let household: HouseholdID
    /// The number of attachment bytes of the request so far.
    var total = AttachmentTotal()

    /// A parsed document. It may still be malformed or not allowed.
    struct Parsed: Sendable {
        let id: String
        let key: DocumentKey?
        /// The revision in the field `_rev`.
        let revision: RevisionID?
        let ancestors: [RevisionID]
        let isDeleted: Bool
        /// The fields as JSON text, because a batch of parsed documents would need several times as much memory.
        let text: [UInt8]
        let attachments: [IncomingAttachment]
        /// The reason why the document is refused; nil if it can be processed.
        var refusal: CouchRefusal?

        /// - Throws: `CouchRefusal` if the document is malformed, or if its identifier is not valid on this server.
        func incoming(_ origin: IncomingDocument.Origin) throws(CouchRefusal) -> IncomingDocument {
            if let refusal { throw refusal }
            guard let key else {
                throw .forbidden("_id must be <type>:<uuid> with one of the types \(Self.types)")
            }
            let body = (try? JSONValue(reading: text, limits: SyncLimits.storedDocument))?.object ?? JSONObject()
            return IncomingDocument(
                key: key, origin: origin, isDeleted: isDeleted, body: body, attachments: attachments)
        }

        private static let types = DocumentType.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Reads a document from a request.
    ///
    /// - Parameter named: the identifier in the path; nil if only the document contains it.
    /// - Throws: `JSONError`, `CouchRefusal`; `FormError` if the body does not arrive. If the request is valid but the
    ///   document is refused, the result contains the reason.
    func read(_ input: BodyBytes, id named: String? = nil) async throws -> Parsed {
        var document = ArrivingDocument()
        do {
            try await document.read(input, self)
            let fields = try object(of: document)
            return await parse(fields, document, id: named)
        } catch let error as JSONError where Self.refusedReasons.contains(error.reason) {
            await discard(document)
            return Self.unreadable(document, id: named, error)
        } catch {
            await discard(document)
            throw error
        }
    }

    /// Errors for which only the document is refused, for example because a text ends in the middle of an emoji. The
    /// end of the document is known, so the other documents of the batch can be read. If the whole batch were refused,
    /// clients would repeat it forever.
    static let refusedReasons: Set<JSONError.Reason> = [
        .tooLarge, .tooDeep, .notUTF8, .loneSurrogate, .duplicateName, .numberOutOfRange,
    ]

    /// A refused document that cannot be parsed. It counts as a live revision, because it may be one: the batch may
    /// contain deletions that end the other branches of the same document.
    static func unreadable(_ document: ArrivingDocument, id named: String?, _ error: JSONError) -> Parsed {
        let id = named ?? document.statedID ?? ""
        return Parsed(
            id: id, key: DocumentKey(id), revision: nil, ancestors: [], isDeleted: false, text: [], attachments: [],
            refusal: .forbidden(error.description))
    }

    /// - Throws: `JSONError`, `CouchRefusal`.
    func object(of document: ArrivingDocument) throws -> JSONObject {
        guard !document.isTooLarge else { throw JSONError(.tooLarge, offset: ArrivingDocument.maximumText) }
        let limits = JSONLimits(size: 2 * ArrivingDocument.maximumText, depth: 32, numberLength: 64)
        guard let object = try JSONValue(reading: document.text, limits: limits).object else {
            throw CouchRefusal.badRequest("Document must be a JSON object")
        }
        return object
    }

    /// Parses a document. If it is refused, deletes the contents of its attachments.
    func parse(_ object: JSONObject, _ document: ArrivingDocument, id named: String?) async -> Parsed {
        var body = JSONObject()
        for member in object where !member.name.hasPrefix("_") { body[member.name] = member.value }
        var id = named ?? object["_id"]?.string
        if id == nil, let type = body["type"]?.string.flatMap(DocumentType.init(rawValue:)) {
            id = DocumentKey(type, .new()).description
        }
        let revision = object["_rev"]?.string.flatMap { RevisionID($0) }
        func parsed(
            _ ancestors: [RevisionID], _ text: [UInt8], _ attachments: [IncomingAttachment], _ refusal: CouchRefusal?
        ) -> Parsed {
            Parsed(
                id: id ?? "", key: id.flatMap { DocumentKey($0) }, revision: revision, ancestors: ancestors,
                isDeleted: object["_deleted"]?.bool ?? false, text: text, attachments: attachments, refusal: refusal)
        }
        // Stores the error in the result, so that the other documents of the batch are still stored.
        do throws(CouchRefusal) {
            let text = JSONValue.object(body).bytes
            guard text.count <= SyncLimits.documentBytes else {
                throw CouchRefusal.forbidden("the document is larger than \(SyncLimits.documentBytes) bytes")
            }
            guard object["_rev"] == nil || revision != nil else {
                throw CouchRefusal.forbidden("Invalid rev format")
            }
            let ancestors = try Self.ancestors(object["_revisions"], of: revision)
            let attachments = try Self.attachments(object["_attachments"]?.object ?? JSONObject(), document)
            return parsed(ancestors, text, attachments, nil)
        } catch {
            await discard(document)
            return parsed([], [], [], error)
        }
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

    /// The maximum number of attachments of a document.
    static let maximumAttachments = 20
    static let tooManyAttachments = CouchRefusal.forbidden(
        "a document must not have more than \(maximumAttachments) attachments")

    private static func attachments(
        _ object: JSONObject, _ document: ArrivingDocument
    ) throws(CouchRefusal) -> [IncomingAttachment] {
        guard object.members.count <= maximumAttachments else { throw tooManyAttachments }
        var attachments: [IncomingAttachment] = []
        for member in object.members { attachments.append(try attachment(member, document)) }
        return attachments
    }

    private static func attachment(
        _ member: JSONObject.Member, _ document: ArrivingDocument
    ) throws(CouchRefusal) -> IncomingAttachment {
        let type = member.value["content_type"]?.string ?? "application/octet-stream"
        guard let key = member.value["data"]?.string else {
            return IncomingAttachment(
                name: member.name, contentType: type, digest: member.value["digest"]?.string ?? "",
                length: member.value["length"]?.integer ?? 0, file: nil)
        }
        switch document.contents[key] {
        case .stored(let file): return IncomingAttachment(file, name: member.name, type: type)
        case .refused(let refusal as CouchRefusal): throw refusal
        case .refused(let refusal as UploadRefusal): throw .forbidden("attachment: \(refusal.rawValue)")
        case .refused, nil: throw .forbidden("Invalid attachment data for \(member.name.prefix(100))")
        }
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
        return IncomingAttachment(file, name: name, type: type)
    }

    /// Deletes the attachment contents of a document that is refused.
    func discard(_ document: ArrivingDocument) async {
        for file in document.stored { try? await quarantine.discard(file.blob, household) }
    }

    /// Deletes the attachment contents of documents that were not stored.
    func discard(_ attachments: [IncomingAttachment]) async {
        for attachment in attachments {
            guard let file = attachment.file else { continue }
            try? await quarantine.discard(file.blob, household)
        }
    }
}

extension IncomingAttachment {
    fileprivate init(_ file: Quarantine.ReceivedFile, name: String, type: String) {
        self.init(
            name: name, contentType: type, digest: "sha256-\(Hexadecimal.encode(file.hash))", length: Int64(file.size),
            file: file)
    }
}
