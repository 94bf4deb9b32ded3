import Domain
import HTTP
import JSON
import Postgres

/// Requests that write documents.
extension CouchController {
    /// Stores the documents of `{"docs": […], "new_edits": …}` after all have arrived, because `new_edits`, which
    /// determines how the documents are stored, may follow `docs`.
    func bulkDocuments(_ request: ClientRequest) async throws -> Response {
        request.body.setPace(.upload)
        let parser = makeParser(request.member)
        let body = BulkBody(request.body)
        var documents: [CouchDocumentParser.Parsed] = []
        var size = 0
        do {
            while let parsed = try await body.next({ input in try await parser.read(input) }) {
                documents.append(parsed)
                size += parsed.text.count
                guard documents.count <= SyncLimits.documents, size <= SyncLimits.requestBytes else {
                    throw CouchRefusal(.contentTooLarge, "too_large", "too many or too large documents in one request")
                }
            }
        } catch {
            for document in documents { await parser.discard(document.attachments) }
            throw error
        }
        let isEdit = body.others["new_edits"]?.bool ?? true
        var json = JSONWriter()
        var outcomes = try await storeInOrder(documents, isEdit: isEdit, request.member)
        if isEdit {
            // Reads the newest revision, because a later document of the batch may have changed this document. For
            // example, an image changes its receipt.
            for (index, outcome) in outcomes {
                guard case .done(let revision) = outcome, let key = documents[index].key else { continue }
                outcomes[index] = .done(try await newest(after: revision, of: key, request.member))
            }
        }
        json.array { json in
            for (index, document) in documents.enumerated() {
                outcomes[index]?.write(document, isEdit: isEdit, &json)
            }
        }
        return .json(.created, json.bytes)
    }

    /// The result for one document of a batch.
    private enum DocumentOutcome {
        case done(RevisionID)
        case refused(CouchRefusal)

        /// Writes the result of one document: errors, and for edits (`new_edits` is true) also the new revision.
        func write(_ document: CouchDocumentParser.Parsed, isEdit: Bool, _ json: inout JSONWriter) {
            switch self {
            case .done(let revision):
                guard isEdit else { return }
                json.object { json in
                    json.member("ok", true)
                    json.member("id", document.id)
                    json.member("rev", revision.description)
                }
            case .refused(let refusal):
                json.object { json in
                    json.member("id", document.id)
                    if let revision = document.revision { json.member("rev", revision.description) }
                    json.member("error", refusal.error)
                    json.member("reason", refusal.reason)
                }
            }
        }
    }

    /// Stores the documents, each in a transaction. On an error, discards the attachments of the documents that were
    /// not stored.
    ///
    /// An edit can create a deleted document again. The references of other documents to it are then restored. If the
    /// batch contains an edit of such another document, its references are restored when the edit is stored, or at the
    /// end if the edit is refused. An earlier restoration would create a new revision, and the edit would be a
    /// conflict.
    private func storeInOrder(
        _ documents: [CouchDocumentParser.Parsed], isEdit: Bool, _ member: Member
    ) async throws -> [Int: DocumentOutcome] {
        var outcomes: [Int: DocumentOutcome] = [:]
        var waiting = Set(documents.indices)
        var conflicts = ResolvedConflicts(isEdit ? [] : documents)
        do {
            let order = try await order(of: documents, member.household)
            let recreated = isEdit ? try await deletedKeys(of: documents, member.household) : []
            for index in order {
                waiting.remove(index)
                if let refusal = conflicts.refusal(of: documents[index]) {
                    await makeParser(member).discard(documents[index].attachments)
                    outcomes[index] = .refused(refusal)
                    continue
                }
                let isRecreated = documents[index].key.map(recreated.contains) ?? false
                let deferred = isRecreated ? Set(waiting.compactMap { documents[$0].key }) : []
                outcomes[index] = try await store(
                    documents[index], isEdit: isEdit, deferred: deferred, conflicts, member)
                if case .refused? = outcomes[index] { conflicts.recordRefusal(of: documents[index]) }
            }
            for index in order {
                guard case .done? = outcomes[index], let key = documents[index].key, recreated.contains(key)
                else { continue }
                try await database.write(member.household, by: member.person) { changes in
                    try await edits.restoreReferences(to: key, member, changes)
                }
            }
        } catch {
            for index in waiting { await makeParser(member).discard(documents[index].attachments) }
            throw error
        }
        return outcomes
    }

    /// Returns the documents of a batch that are deleted on the server and that the batch creates again.
    private func deletedKeys(
        of documents: [CouchDocumentParser.Parsed], _ household: HouseholdID
    ) async throws -> Set<DocumentKey> {
        let keys = documents.filter { !$0.isDeleted }.compactMap(\.key)
        let rows = try await database.read(
            household,
            """
            SELECT s.document_type, s.document_id
            FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id))) AS n (type, id)
            JOIN sync_document s ON s.household_id = \(household) AND s.document_type = n.type
                AND s.document_id = n.id AND s.deleted
            """)
        return Set(
            try rows.decode((String, Identifier<Void>).self).compactMap { type, id in
                DocumentType(rawValue: type).map { DocumentKey($0, id) }
            })
    }

    private func store(
        _ parsed: CouchDocumentParser.Parsed, isEdit: Bool, deferred: Set<DocumentKey>,
        _ conflicts: ResolvedConflicts, _ member: Member
    ) async throws -> DocumentOutcome {
        do {
            guard isEdit else {
                guard let revision = parsed.revision else { throw CouchRefusal.forbidden("_rev is required") }
                let incoming = try parsed.incoming(.replica(revision, ancestors: parsed.ancestors))
                return .done(try await storeOrDiscardFiles(conflicts.resolved(by: incoming), member))
            }
            return .done(
                try await storeOrDiscardFiles(
                    try parsed.incoming(.edit(of: parsed.revision)), member, deferred: deferred))
        } catch let refusal as CouchRefusal {
            await makeParser(member).discard(parsed.attachments)
            return .refused(refusal)
        } catch let fault as DocumentFault {
            return .refused(.forbidden(fault.reason))
        } catch is StaleRevision {
            return .refused(.conflict)
        }
    }

    /// Stores a document. If that fails, deletes the contents of its attachments.
    private func storeOrDiscardFiles(
        _ document: IncomingDocument, _ member: Member, deferred: Set<DocumentKey> = []
    ) async throws -> RevisionID {
        do {
            return try await edits.store(document, by: member, deferred: deferred)
        } catch {
            await makeParser(member).discard(document.attachments)
            throw error
        }
    }

    /// Returns the newest revision after a client has stored `revision`: the last of the descendants that the server
    /// created, or `revision` itself. The client's next edit must contain this revision.
    private func newest(
        after revision: RevisionID, of key: DocumentKey, _ member: Member
    ) async throws -> RevisionID {
        let last = try await database.read(
            member.household,
            """
            WITH RECURSIVE follows (generation, hash) AS (
                SELECT \(revision.generation)::bigint, \(revision.hash)::text
                UNION ALL
                SELECT d.generation, d.hash FROM follows f
                CROSS JOIN LATERAL (SELECT d.generation, d.hash FROM document_revision d
                    WHERE d.household_id = \(member.household) AND d.document_type = \(key.type.rawValue)
                        AND d.document_id = \(key.id) AND d.generation = f.generation + 1
                        AND d.parent = f.generation || '-' || f.hash AND d.person_id = \(member.person)
                    ORDER BY d.created_at LIMIT 1) d
                WHERE f.generation < \(revision.generation + 8))
            SELECT generation, hash FROM follows ORDER BY generation DESC LIMIT 1
            """
        ).first((Int64, String).self)
        return last.map { RevisionID(generation: $0.0, hash: $0.1) } ?? revision
    }

    // MARK: Single documents

    func post(_ request: ClientRequest) async throws -> Response {
        request.body.setPace(.upload)
        let parsed = try await Self.single(request, makeParser(request.member))
        return try await edit(parsed, request, status: .created)
    }

    func putDocument(_ request: ClientRequest) async throws -> Response {
        request.body.setPace(.upload)
        let id = request.parameters["document"] ?? ""
        let parser = makeParser(request.member)
        let type = request.head.headers[.contentType].flatMap(MediaType.init)
        let parsed =
            type?.essence == "multipart/related"
            ? try await RelatedDocument.read(request.head, request.body, id: id, parser)
            : try await Self.single(request, id: id, parser)
        return try await edit(parsed, request, status: .created)
    }

    /// Reads a body that is one document.
    private static func single(
        _ request: ClientRequest, id: String? = nil, _ parser: CouchDocumentParser
    ) async throws -> CouchDocumentParser.Parsed {
        let input = BodyBytes(request.body)
        let parsed = try await parser.read(input, id: id)
        do {
            try await input.expectEnd()
        } catch {
            await parser.discard(parsed.attachments)
            throw error
        }
        return parsed
    }

    func deleteDocument(_ request: ClientRequest) async throws -> Response {
        let parsed = CouchDocumentParser.Parsed(
            id: request.parameters["document"] ?? "", key: DocumentKey(request.parameters["document"] ?? ""),
            revision: nil, ancestors: [], isDeleted: true, text: [], attachments: [])
        guard let key = parsed.key, let stored = try await reading.load([key], request.member, bodiesOf: .none)[key],
            !stored.isDeleted
        else { throw CouchRefusal.missing }
        return try await edit(parsed, request, status: .ok)
    }

    func putAttachment(_ request: ClientRequest) async throws -> Response {
        request.body.setPace(.upload)
        let id = request.parameters["document"] ?? ""
        let parser = makeParser(request.member)
        let attachment = try await parser.store(
            request.body, name: request.parameters["attachment"] ?? "",
            type: request.head.headers[.contentType] ?? "application/octet-stream")
        let parsed = CouchDocumentParser.Parsed(
            id: id, key: DocumentKey(id), revision: nil, ancestors: [], isDeleted: false, text: [],
            attachments: [attachment])
        return try await edit(parsed, request, status: .created)
    }

    private static func incoming(
        _ parsed: CouchDocumentParser.Parsed, _ head: RequestHead, isEdit: Bool
    ) throws -> IncomingDocument {
        var requestedRevision = parsed.revision
        if let text = head.query("rev") ?? head.headers[.ifMatch]?.filter({ $0 != "\"" }) {
            guard let revision = RevisionID(text) else { throw CouchRefusal.badRequest("Invalid rev format") }
            requestedRevision = revision
        }
        if isEdit { return try parsed.incoming(.edit(of: requestedRevision)) }
        guard let revision = requestedRevision else { throw CouchRefusal.badRequest("_rev is required") }
        return try parsed.incoming(.replica(revision, ancestors: parsed.ancestors))
    }

    private func edit(_ parsed: CouchDocumentParser.Parsed, _ request: ClientRequest, status: Status) async throws
        -> Response
    {
        let isEdit = request.head.query("new_edits") != "false"
        let incoming: IncomingDocument
        do {
            incoming = try Self.incoming(parsed, request.head, isEdit: isEdit)
        } catch {
            await makeParser(request.member).discard(parsed.attachments)
            throw error
        }
        var revision = try await storeOrDiscardFiles(incoming, request.member)
        if isEdit { revision = try await newest(after: revision, of: incoming.key, request.member) }
        var json = JSONWriter()
        json.object { json in
            json.member("ok", true)
            json.member("id", parsed.id)
            json.member("rev", revision.description)
        }
        return .json(status, json.bytes)
    }
}
