import Domain
import HTTP
import JSON
import Postgres

/// `_all_docs`: documents in the order of their identifiers.
extension CouchController {
    func allDocuments(_ request: ClientRequest) async throws -> Response {
        let (head, member) = (request.head, request.member)
        func option(_ name: String) -> JSONValue? {
            request.json[name] ?? head.query(name).map { (try? JSONValue(reading: $0)) ?? .string($0) }
        }
        let includes = option("include_docs")?.bool ?? false
        if let keys = option("keys")?.array {
            guard keys.count <= SyncLimits.documents else { throw CouchRefusal.badRequest("too many keys") }
            return try await named(keys.map { $0.string ?? "" }, includes, member)
        }
        let (low, high) = (
            (option("startkey") ?? option("start_key") ?? option("key"))?.string,
            (option("endkey") ?? option("end_key") ?? option("key"))?.string
        )
        let limit = option("limit")?.integer.map { max(0, $0) } ?? .max
        let name: SQL = "(s.document_type || ':' || s.document_id) COLLATE \"C\""
        let scope: SQL = """
            FROM sync_document s WHERE s.household_id = \(member.household) AND NOT s.deleted
                AND \(SyncReading.isVisible(member))
            """
        let isDescending = option("descending")?.bool ?? false
        let direction: SQL = isDescending ? "DESC" : "ASC"
        let (first, last) = isDescending ? (high, low) : (low, high)
        let results = try await database.read(
            member.household,
            batch: [
                "SELECT count(*) \(scope)",
                """
                SELECT \(name) \(scope) AND (\(first)::text IS NULL OR \(name) >= \(first)::text)
                    AND (\(last)::text IS NULL OR \(name) <= \(last)::text)
                ORDER BY 1 \(direction) LIMIT \(min(limit, 100_000))
                OFFSET \(option("skip")?.integer.map { max(0, $0) } ?? 0)
                """,
            ])
        let total = try results[0].first(Int64.self) ?? 0
        return try await rows(try results[1].decode(String.self), includes, total: total, member)
    }

    private func named(_ names: [String], _ includes: Bool, _ member: Member) async throws -> Response {
        let total =
            try await database.read(
                member.household,
                """
                SELECT count(*) FROM sync_document s WHERE s.household_id = \(member.household) AND NOT s.deleted
                    AND \(SyncReading.isVisible(member))
                """
            ).first(Int64.self) ?? 0
        return try await rows(names, includes, total: total, member)
    }

    private func rows(_ names: [String], _ includes: Bool, total: Int64, _ member: Member) async throws -> Response {
        Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in
                try await writer.send(Array("{\"total_rows\":\(total),\"offset\":0,\"rows\":[\n".utf8))
                var isFirst = true
                for part in names.batches(of: includes ? 100 : 1_000) {
                    let documents = try await reading.load(
                        part.compactMap { DocumentKey($0) }, member, bodiesOf: includes ? .leaves : .none)
                    var json = JSONWriter(capacity: 256 * part.count)
                    for name in part {
                        if !isFirst { json.raw(",\n") }
                        isFirst = false
                        Self.row(name, DocumentKey(name).flatMap { documents[$0] }, includes, &json)
                    }
                    try await writer.send(json.bytes)
                }
                try await writer.send(Array("\n]}\n".utf8))
            }, isCompressible: false)
    }

    private static func row(_ name: String, _ document: DocumentRevisions?, _ includes: Bool, _ json: inout JSONWriter)
    {
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
            guard includes else { return }
            json.name("doc")
            if document.isDeleted {
                json.null()
            } else {
                CouchText.write(stored, of: document, CouchText.Options(), into: &json)
            }
        }
    }
}
