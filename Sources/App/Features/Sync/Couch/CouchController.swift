import Domain
import HTTP
import JSON
import Postgres

/// CouchDB's replication interface, in which each household is a database.
///
/// Sources: CouchDB's replication protocol, version 3. For requests that the protocol does not describe: CouchDB's API
/// reference.
struct CouchController: Sendable {
    let database: Database
    let edits: SyncEdits
    let reading: SyncDocumentQueries
    let makeParser: @Sendable (Member) -> CouchDocumentParser

    init(_ database: Database) {
        self.database = database
        edits = SyncEdits(database: database)
        reading = SyncDocumentQueries(database: database)
        makeParser = { CouchDocumentParser(quarantine: Quarantine(database: database), household: $0.household) }
    }

    private static let root = "/api/v1/couch"
    private static let base = "/api/v1/couch/{household}"
    /// A body with a list of revisions or identifiers.
    private static let listBody = Endpoint.Body.json(limit: 8 << 20)

    func register(_ routes: inout Routes) throws {
        typealias Handler = @Sendable (ClientRequest) async throws -> Response
        func add(
            _ method: Method, _ path: String, _ name: String, role: Member.Role? = nil, body: Endpoint.Body? = nil,
            _ handler: @escaping Handler
        ) throws {
            try routes.client(
                method, Self.base + path, "CouchController.\(name)", scope: .sync, role: role, body: body,
                guarded(handler))
        }
        try routes.client(.get, Self.root, "CouchController.welcome", scope: .sync, welcome)
        try add(.get, "", "information", information)
        try routes.client(
            .put, Self.base, "CouchController.create", scope: .sync, role: .viewer, body: Endpoint.Body.none, create)
        try add(.post, "", "post", body: .stream, post)
        try add(.get, "/_changes", "changes", changes)
        try add(.post, "/_changes", "postChanges", role: .viewer, body: Self.listBody, changes)
        try add(.post, "/_revs_diff", "revisionsDifference", role: .viewer, body: Self.listBody, revisionsDifference)
        try add(.post, "/_bulk_docs", "bulkDocuments", body: .stream, bulkDocuments)
        try add(.post, "/_bulk_get", "bulkGet", role: .viewer, body: Self.listBody, bulkGet)
        try add(.get, "/_all_docs", "allDocuments", allDocuments)
        try add(.post, "/_all_docs", "postAllDocuments", role: .viewer, body: Self.listBody, allDocuments)
        try add(.post, "/_ensure_full_commit", "ensureFullCommit", role: .viewer, body: .stream, ensureFullCommit)
        try add(.get, "/_local/{id}", "checkpoint", checkpoint)
        try add(.put, "/_local/{id}", "putCheckpoint", role: .viewer, body: .json(limit: 1 << 16), putCheckpoint)
        try add(.delete, "/_local/{id}", "deleteCheckpoint", role: .viewer, deleteCheckpoint)
        try add(.get, "/{document}", "document", document)
        try add(.put, "/{document}", "putDocument", body: .stream, putDocument)
        try add(.delete, "/{document}", "deleteDocument", deleteDocument)
        try add(.get, "/{document}/{attachment}", "attachment", attachment)
        try add(.put, "/{document}/{attachment}", "putAttachment", body: .stream, putAttachment)
    }

    /// Responds with 404 for households other than the client's, and converts errors to CouchDB's format.
    private func guarded(
        _ handler: @escaping @Sendable (ClientRequest) async throws -> Response
    ) -> @Sendable (ClientRequest) async throws -> Response {
        { request in
            do {
                guard HouseholdID(request.parameters["household"] ?? "") == request.household else {
                    throw CouchRefusal.noDatabase
                }
                return try await handler(request)
            } catch let refusal as CouchRefusal {
                return refusal.response
            } catch let fault as DocumentFault {
                return CouchRefusal.forbidden(fault.reason).response
            } catch is StaleRevision {
                return CouchRefusal.conflict.response
            } catch let error as JSONError {
                return CouchRefusal.badRequest(error.description).response
            } catch let refusal as UploadRefusal {
                return CouchRefusal(refusal.status, "forbidden", "attachment: \(refusal.rawValue)").response
            }
        }
    }

    // MARK: The database

    private func welcome(_ request: ClientRequest) async throws -> Response {
        let rows = try await database.read("SELECT uuid FROM installation")
        guard let row = rows.first else { throw Refusal.notFound }
        let installation: Identifier<Void> = try row[0]
        var json = JSONWriter()
        json.object { json in
            json.member("couchdb", "Welcome")
            json.member("uuid", installation.description.filter { $0 != "-" })
            json.member("version", "3.3.0")
            json.object("vendor") { $0.member("name", "AllesTeurer") }
        }
        return .json(json.bytes)
    }

    private func information(_ request: ClientRequest) async throws -> Response {
        let member = request.member
        let isDeleted = SyncDocumentQueries.isDeleted(member)
        let rows = try await database.read(
            member.household,
            batch: [
                "SELECT sync_seq FROM household WHERE id = \(member.household)",
                """
                SELECT count(*) FILTER (WHERE NOT \(isDeleted)), count(*) FILTER (WHERE \(isDeleted))
                FROM sync_document s
                WHERE s.household_id = \(member.household) AND \(SyncDocumentQueries.isReceived(member))
                """,
            ])
        let counts: (Int64, Int64) = try rows[1].first((Int64, Int64).self) ?? (0, 0)
        let newest: Int64 = try rows[0].first(Int64.self) ?? 0
        var json = JSONWriter()
        json.object { json in
            json.member("db_name", member.household.description)
            json.member("update_seq", newest)
            json.member("instance_start_time", "0")
            json.member("doc_count", counts.0)
            json.member("doc_del_count", counts.1)
        }
        return .json(json.bytes)
    }

    /// PouchDB tries to create a database that does not exist. Responds with 403, after which PouchDB stops; after 404,
    /// it would repeat the request.
    private func create(_ request: ClientRequest) async throws -> Response {
        guard HouseholdID(request.parameters["household"] ?? "") == request.household else {
            return CouchRefusal.forbidden("the key belongs to another household").response
        }
        return CouchRefusal(
            .preconditionFailed, "file_exists", "The database could not be created, the file already exists."
        ).response
    }

    private func ensureFullCommit(_ request: ClientRequest) async throws -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("ok", true)
            json.member("instance_start_time", "0")
        }
        return .json(.created, json.bytes)
    }

    // MARK: Changes

    private func changes(_ request: ClientRequest) async throws -> Response {
        let changes = try CouchChanges(request, database)
        return Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in try await changes.write(to: writer) }, isCompressible: false)
    }
}
