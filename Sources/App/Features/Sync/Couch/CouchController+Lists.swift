import Domain
import HTTP
import JSON
import Postgres

/// `_all_docs`: documents sorted by identifier.
extension CouchController {
    func allDocuments(_ request: ClientRequest) async throws -> Response {
        let (head, member) = (request.head, request.member)
        func option(_ name: String) -> JSONValue? {
            request.json[name] ?? head.query(name).map { (try? JSONValue(reading: $0)) ?? .string($0) }
        }
        let documentOptions = option("include_docs")?.bool == true ? CouchDocumentWriter.Options(head) : nil
        let withSequence = option("update_seq")?.bool ?? false
        if let keys = option("keys")?.array {
            guard keys.count <= SyncLimits.documents else { throw CouchRefusal.badRequest("too many keys") }
            return try await requestedRows(keys.map { $0.string ?? "" }, documentOptions, withSequence, member)
        }
        let (low, high) = (
            (option("startkey") ?? option("start_key") ?? option("key"))?.string,
            (option("endkey") ?? option("end_key") ?? option("key"))?.string
        )
        let limit = option("limit")?.integer.map { max(0, $0) } ?? .max
        let name: SQL = "(s.document_type || ':' || s.document_id) COLLATE \"C\""
        let scope: SQL = """
            FROM sync_document s WHERE s.household_id = \(member.household) AND NOT s.deleted
                AND \(SyncDocumentQueries.isVisible(member))
            """
        let isDescending = option("descending")?.bool ?? false
        let direction: SQL = isDescending ? "DESC" : "ASC"
        let (first, last) = isDescending ? (high, low) : (low, high)
        // The end key can be excluded. In a descending list the end key is the smallest key.
        let isInclusive = option("inclusive_end")?.bool ?? true || option("key") != nil
        let excluded = isInclusive ? nil : high
        let results = try await database.read(
            member.household,
            batch: [
                "SELECT count(*) \(scope)",
                """
                SELECT \(name) \(scope) AND (\(first)::text IS NULL OR \(name) >= \(first)::text)
                    AND (\(last)::text IS NULL OR \(name) <= \(last)::text)
                    AND (\(excluded)::text IS NULL OR \(name) <> \(excluded)::text)
                ORDER BY 1 \(direction) LIMIT \(min(limit, 100_000))
                OFFSET \(option("skip")?.integer.map { max(0, $0) } ?? 0)
                """,
            ])
        let total = try results[0].first(Int64.self) ?? 0
        return try await rows(try results[1].decode(String.self), documentOptions, withSequence, total: total, member)
    }

    private func requestedRows(
        _ names: [String], _ documentOptions: CouchDocumentWriter.Options?, _ withSequence: Bool, _ member: Member
    ) async throws -> Response {
        let total =
            try await database.read(
                member.household,
                """
                SELECT count(*) FROM sync_document s WHERE s.household_id = \(member.household) AND NOT s.deleted
                    AND \(SyncDocumentQueries.isVisible(member))
                """
            ).first(Int64.self) ?? 0
        return try await rows(names, documentOptions, withSequence, total: total, member)
    }

    /// - Parameter documentOptions: the options for writing documents; nil for rows without documents.
    private func rows(
        _ names: [String], _ documentOptions: CouchDocumentWriter.Options?, _ withSequence: Bool, total: Int64,
        _ member: Member
    ) async throws -> Response {
        var sequence = ""
        if withSequence {
            let newest = try await database.read(
                member.household, "SELECT sync_seq FROM household WHERE id = \(member.household)"
            ).first(Int64.self)
            sequence = "\"update_seq\":\(newest ?? 0),"
        }
        let start = "{\"total_rows\":\(total),\"offset\":0,\(sequence)\"rows\":[\n"
        return Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in
                try await writer.send(Array(start.utf8))
                var isFirst = true
                for part in names.batches(of: documentOptions == nil ? 1_000 : 100) {
                    let documents = try await reading.load(
                        part.compactMap { DocumentKey($0) }, member, bodiesOf: documentOptions == nil ? .none : .leaves)
                    var json = JSONWriter(capacity: 256 * part.count)
                    for name in part {
                        if !isFirst { json.raw(",\n") }
                        isFirst = false
                        try await row(
                            name, DocumentKey(name).flatMap { documents[$0] }, documentOptions, member.household, &json)
                    }
                    try await send(json, documentOptions?.withData == true, member.household, to: writer)
                }
                try await writer.send(Array("\n]}\n".utf8))
            }, isCompressible: false)
    }

    private func row(
        _ name: String, _ document: DocumentRevisions?, _ documentOptions: CouchDocumentWriter.Options?,
        _ household: HouseholdID,
        _ json: inout JSONWriter
    ) async throws {
        var files: [String: BlobID] = [:]
        if let documentOptions, let stored = document?.winner.flatMap({ document?.revisions[$0] }) {
            files = try await reading.files(of: stored, documentOptions, household)
        }
        json.object { json in
            guard let document, let winner = document.winner, let stored = document.revisions[winner] else {
                json.member("key", name)
                json.member("error", "not_found")
                return
            }
            json.member("id", name)
            json.member("key", name)
            json.object("value") { json in
                json.member("rev", winner.description)
                if document.isDeleted { json.member("deleted", true) }
            }
            guard let documentOptions else { return }
            json.name("doc")
            if document.isDeleted {
                json.null()
            } else {
                CouchDocumentWriter.write(stored, of: document, documentOptions, files: files, into: &json)
            }
        }
    }
}
