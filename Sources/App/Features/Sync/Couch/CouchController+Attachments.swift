import Domain
import HTTP
import JSON
import Postgres

/// Requests for attachments and replication checkpoints.
extension CouchController {
    /// Sends the bytes of an attachment in chunks.
    func attachment(_ request: ClientRequest) async throws -> Response {
        guard let key = DocumentKey(request.parameters["document"] ?? ""),
            let document = try await reading.load([key], request.member, bodiesOf: .none)[key],
            let winner = document.winner
        else { throw CouchRefusal.missing }
        let revision = try request.head.query("rev").map { text throws -> RevisionID in
            guard let revision = RevisionID(text) else { throw CouchRefusal.badRequest("Invalid rev format") }
            return revision
        }
        guard let stored = document.revisions[revision ?? winner],
            let file = stored.attachments?[request.parameters["attachment"] ?? ""],
            let blob = file["blob"]?.string.flatMap({ BlobID($0) })
        else { throw CouchRefusal(.notFound, "not_found", "Document is missing attachment") }
        let household = request.household
        let rows = try await database.read(
            household, "SELECT size FROM blob WHERE household_id = \(household) AND id = \(blob)")
        guard let size = try rows.first(Int64.self) else {
            throw CouchRefusal(.notFound, "not_found", "Document is missing attachment")
        }
        let tag = EntityTag(blob.description)
        var headers: Headers = [
            "Content-Type": Self.safeMediaType(file["content_type"]?.string), "ETag": tag.description,
            "Cache-Control": "private, no-cache", "Content-Disposition": "attachment",
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": SecurityHeaders.sandbox,
        ]
        if request.head.isFresh(tag) { return Response(.notModified, headers: headers) }
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        let database = database
        return Response(
            headers: headers,
            body: .stream(length: Int(size)) { writer in
                try await PictureController.send(blob, household, database, to: writer)
            }, isCompressible: false)
    }

    /// Returns the media type to send. Replaces types that browsers could execute by `application/octet-stream`.
    static func safeMediaType(_ type: String?) -> String {
        let known = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "application/pdf"]
        return type.flatMap { known.contains($0) ? $0 : nil } ?? "application/octet-stream"
    }

    // MARK: Checkpoints

    func checkpoint(_ request: ClientRequest) async throws -> Response {
        let (member, id) = (request.member, request.parameters["id"] ?? "")
        let rows = try await database.read(
            member.household,
            """
            SELECT body, revision FROM sync_checkpoint
            WHERE household_id = \(member.household) AND person_id = \(member.person) AND id = \(id)
            """)
        guard let (body, revision) = try rows.first((PostgresJSON, Int64).self) else { throw CouchRefusal.missing }
        var json = JSONWriter()
        json.object(splicing: body.bytes) { json in
            json.member("_id", "_local/\(id)")
            json.member("_rev", "0-\(revision)")
        }
        return .json(json.bytes)
    }

    func putCheckpoint(_ request: ClientRequest) async throws -> Response {
        let (member, id) = (request.member, request.parameters["id"] ?? "")
        guard (1...240).contains(id.length), let object = request.json.object else {
            throw CouchRefusal.badRequest("a checkpoint must be an object, and its id must have 1 to 240 characters")
        }
        var body = JSONObject()
        for entry in object where !entry.name.hasPrefix("_") { body[entry.name] = entry.value }
        guard JSONValue.object(body).bytes.count <= SyncLimits.checkpointBytes / 2 else {
            throw CouchRefusal(.contentTooLarge, "too_large", "a checkpoint must not exceed 32 KiB")
        }
        let before = object["_rev"]?.string.flatMap { Int64($0.drop { $0 != "-" }.dropFirst()) } ?? 0
        let rows = try await database.store(
            member.household,
            """
            INSERT INTO sync_checkpoint AS c (household_id, person_id, id, body, revision)
            SELECT \(member.household), \(member.person), \(id), \(PostgresJSON(JSONValue.object(body).bytes)), 1
            WHERE \(before) = 0 OR EXISTS (SELECT 1 FROM sync_checkpoint o
                WHERE o.household_id = \(member.household) AND o.person_id = \(member.person) AND o.id = \(id))
            ON CONFLICT (household_id, person_id, id) DO UPDATE
            SET body = excluded.body, revision = c.revision + 1, written_at = now() WHERE c.revision = \(before)
            RETURNING revision
            """)
        guard let revision = try rows.first(Int64.self) else { throw CouchRefusal.conflict }
        if revision == 1 { try await removeOldCheckpoints(of: member) }
        return .json(.created, Self.checkpointAnswer(id, revision))
    }

    /// Deletes the checkpoints of the clients that have not replicated for the longest time.
    private func removeOldCheckpoints(of member: Member) async throws {
        _ = try await database.store(
            member.household,
            """
            DELETE FROM sync_checkpoint WHERE household_id = \(member.household) AND person_id = \(member.person)
                AND id IN (SELECT id FROM sync_checkpoint
                    WHERE household_id = \(member.household) AND person_id = \(member.person)
                    ORDER BY written_at DESC, id OFFSET \(SyncLimits.checkpoints))
            """)
    }

    func deleteCheckpoint(_ request: ClientRequest) async throws -> Response {
        let (member, id) = (request.member, request.parameters["id"] ?? "")
        let rows = try await database.store(
            member.household,
            """
            DELETE FROM sync_checkpoint
            WHERE household_id = \(member.household) AND person_id = \(member.person) AND id = \(id) RETURNING 1::bigint
            """)
        guard !rows.isEmpty else { throw CouchRefusal.missing }
        return .json(Self.checkpointAnswer(id, 0))
    }

    private static func checkpointAnswer(_ id: String, _ revision: Int64) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("ok", true)
            json.member("id", "_local/\(id)")
            json.member("rev", "0-\(revision)")
        }
        return json.bytes
    }
}
