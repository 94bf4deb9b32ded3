import Domain
import HTTP
import JSON
import Postgres

/// Requests that read documents.
extension CouchController {
    /// Returns the revisions that the client has and the server lacks: `{id: [rev]}` → `{id: {"missing": [rev]}}`.
    func revisionsDifference(_ request: ClientRequest) async throws -> Response {
        guard let asked = request.json.object else { throw CouchRefusal.badRequest("the body must be an object") }
        guard asked.members.count <= SyncLimits.documents else {
            throw CouchRefusal.badRequest("the body must have at most \(SyncLimits.documents) members")
        }
        var lacking: [(id: String, missing: [String], ancestors: [RevisionID])] = []
        // A document may have many revisions, so only the revisions of one batch of documents are in memory.
        for part in asked.members.batches(of: 200) {
            let known = try await reading.load(
                part.compactMap { DocumentKey($0.name) }, request.member, bodiesOf: .none)
            for member in part {
                let document = DocumentKey(member.name).flatMap { known[$0] }
                let missing = (member.value.array ?? []).compactMap(\.string).filter { text in
                    RevisionID(text).map { document?.revisions[$0] == nil } ?? true
                }
                guard !missing.isEmpty else { continue }
                let newest = missing.compactMap { RevisionID($0)?.generation }.max() ?? 0
                lacking.append((member.name, missing, (document?.leaves ?? []).filter { $0.generation < newest }))
            }
        }
        var json = JSONWriter()
        json.object { json in
            for (id, missing, ancestors) in lacking {
                json.object(id) { json in
                    json.array("missing") { json in for revision in missing { json.value(revision) } }
                    guard !ancestors.isEmpty else { return }
                    json.array("possible_ancestors") { json in
                        for revision in ancestors { json.value(revision.description) }
                    }
                }
            }
        }
        return .json(json.bytes)
    }

    /// Returns documents by identifier and revision. The body is `{"docs": [{"id","rev"}]}`.
    func bulkGet(_ request: ClientRequest) async throws -> Response {
        guard let asked = request.json["docs"]?.array, asked.count <= SyncLimits.documents else {
            throw CouchRefusal.badRequest("docs must be a list of at most \(SyncLimits.documents) elements")
        }
        let options = CouchDocumentWriter.Options(request.head)
        let isLatest = request.head.query("latest") == "true"
        let wanted = asked.compactMap { entry in
            entry["id"]?.string.map { (id: $0, revision: entry["rev"]?.string) }
        }
        let member = request.member
        // Reads and sends the documents in batches, so that only one batch is in memory.
        return Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in
                try await writer.send(Array("{\"results\":[".utf8))
                var isFirst = true
                for part in wanted.batches(of: 100) {
                    let documents = try await reading.load(
                        part.compactMap { DocumentKey($0.id) }, member,
                        bodiesOf: .named(part.compactMap { $0.revision.flatMap { RevisionID($0) } }))
                    var json = JSONWriter(capacity: 4096 * part.count)
                    for entry in part {
                        if !isFirst { json.raw(",\n") }
                        isFirst = false
                        try await write(
                            entry.id, entry.revision, DocumentKey(entry.id).flatMap { documents[$0] }, options,
                            isLatest: isLatest, member.household, &json)
                    }
                    try await send(json, options.withData, member.household, to: writer)
                }
                try await writer.send(Array("]}\n".utf8))
            }, isCompressible: false)
    }

    /// - Parameter withData: whether the documents contain marks for the contents of attachments (`InlineContents`),
    ///   which are then replaced by the contents.
    func send(
        _ json: JSONWriter, _ withData: Bool, _ household: HouseholdID, to writer: any ResponseWriter
    ) async throws {
        guard withData else { return try await writer.send(json.bytes) }
        try await InlineContents.send(json.bytes, household, database, to: writer)
    }

    /// - Parameter requested: the revision that the client requested; nil for the winner.
    private func write(
        _ id: String, _ requested: String?, _ document: DocumentRevisions?, _ options: CouchDocumentWriter.Options,
        isLatest: Bool,
        _ household: HouseholdID, _ json: inout JSONWriter
    ) async throws {
        var found: [StoredRevision] = []
        if let document {
            var revisions = requested.map { [RevisionID($0)].compactMap { $0 } } ?? Array(document.leaves.prefix(1))
            if isLatest, let first = revisions.first, document.revisions[first] != nil {
                revisions = document.leaves(below: first)
            }
            found = revisions.compactMap { document.revisions[$0] }.filter { $0.isDeleted || $0.body != nil }
        }
        var files: [RevisionID: [String: BlobID]] = [:]
        for stored in found { files[stored.revision] = try await reading.files(of: stored, options, household) }
        json.object { json in
            json.member("id", id)
            json.array("docs") { json in
                if let document {
                    for stored in found {
                        json.object { json in
                            json.name("ok")
                            CouchDocumentWriter.write(
                                stored, of: document, options, files: files[stored.revision] ?? [:], into: &json)
                        }
                    }
                }
                guard found.isEmpty else { return }
                json.object { json in
                    json.object("error") { json in
                        json.member("id", id)
                        json.member("rev", requested ?? "undefined")
                        json.member("error", "not_found")
                        json.member("reason", "missing")
                    }
                }
            }
        }
    }

    /// Returns a document, or several of its revisions.
    func document(_ request: ClientRequest) async throws -> Response {
        let head = request.head
        guard let key = DocumentKey(request.parameters["document"] ?? "") else { throw CouchRefusal.missing }
        let options = CouchDocumentWriter.Options(head)
        // A document may have thousands of revisions, so only the requested revisions are loaded.
        let list = head.query("open_revs").flatMap { (try? JSONValue(reading: $0))?.array } ?? []
        let named = (list.compactMap(\.string) + [head.query("rev")].compactMap { $0 }).compactMap { RevisionID($0) }
        let document = try await reading.load([key], request.member, bodiesOf: .named(named))[key]
        guard let document, let winner = document.winner else { throw CouchRefusal.missing }
        if let open = head.query("open_revs") {
            return try await openRevisions(open, document, options, request)
        }
        var revision = winner
        if let text = head.query("rev") {
            guard let named = RevisionID(text) else { throw CouchRefusal.badRequest("Invalid rev format") }
            revision = head.query("latest") == "true" ? document.leaves(below: named).first ?? named : named
        } else if document.isDeleted {
            throw CouchRefusal.deleted
        }
        guard let stored = document.revisions[revision], stored.isDeleted || stored.body != nil else {
            throw CouchRefusal.missing
        }
        let tag = EntityTag(revision.description)
        var response = Response.json([])
        response.headers[.etag] = tag.description
        response.headers[.cacheControl] = "private, no-cache"
        if head.isFresh(tag), !options.withConflicts {
            return Response(.notModified, headers: response.headers)
        }
        var json = JSONWriter(capacity: 4096)
        let files = try await reading.files(of: stored, options, request.household)
        CouchDocumentWriter.write(stored, of: document, options, files: files, into: &json)
        guard !files.isEmpty else {
            response.body = .bytes(json.bytes)
            return response
        }
        return Response(headers: response.headers, body: body(json, request.household), isCompressible: false)
    }

    /// Returns a response body in which the contents of attachments replace their marks.
    private func body(_ json: JSONWriter, _ household: HouseholdID) -> Response.Body {
        let (database, text) = (database, json.bytes)
        return .stream(length: nil) { writer in
            try await InlineContents.send(text, household, database, to: writer)
        }
    }

    private func openRevisions(
        _ text: String, _ document: DocumentRevisions, _ options: CouchDocumentWriter.Options, _ request: ClientRequest
    ) async throws -> Response {
        let head = request.head
        var wanted = document.leaves.map(\.description)
        if text != "all" {
            guard let list = (try? JSONValue(reading: text))?.array else {
                throw CouchRefusal.badRequest("open_revs must be all or a list")
            }
            wanted = list.compactMap(\.string)
            if head.query("latest") == "true" {
                wanted = wanted.flatMap { text in
                    let below = RevisionID(text).map { document.leaves(below: $0).map(\.description) } ?? []
                    return below.isEmpty ? [text] : below
                }
            }
        }
        let found = wanted.map { text -> (text: String, stored: StoredRevision?) in
            let stored = RevisionID(text).flatMap { document.revisions[$0] }
            return (text: text, stored: stored?.isDeleted == true || stored?.body != nil ? stored : nil)
        }
        if MixedRevisions.isWanted(by: head) {
            return MixedRevisions(found, of: document, options, request.household, database).response
        }
        var files: [String: [String: BlobID]] = [:]
        for (text, stored) in found {
            if let stored { files[text] = try await reading.files(of: stored, options, request.household) }
        }
        var json = JSONWriter(capacity: 4096)
        json.array { json in
            for (text, stored) in found {
                json.object { json in
                    if let stored {
                        json.name("ok")
                        CouchDocumentWriter.write(stored, of: document, options, files: files[text] ?? [:], into: &json)
                    } else {
                        json.member("missing", text)
                    }
                }
            }
        }
        if files.values.contains(where: { !$0.isEmpty }) {
            return Response(
                headers: ["Content-Type": "application/json"], body: body(json, request.household),
                isCompressible: false)
        }
        return .json(json.bytes)
    }
}
