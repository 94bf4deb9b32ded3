import Domain
import HTTP
import JSON
import Postgres

/// Lists, shows, accepts and dismisses values that were discarded in merges, for all documents including receipts.
/// Responds with 404 for values that are already accepted or dismissed.
struct LostValueAPI: EditedResource {
    /// A value that waits for a member, and the revision of its document as in `LostValueDocument`.
    struct Resource: Sendable {
        let value: LostValue
        let documentRevision: Int64
    }

    static let name = "lost-values"
    static let parameters = "{value}"
    /// The name of the author can change.
    static let mayAnswerNotModified = false

    private let database: Database
    private let edits: LostValueEdits
    private let cursors: Cursors

    init(_ database: Database) {
        self.database = database
        edits = LostValueEdits(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "LostValueAPI.list", scope: .read, list)
        try registerOne(&routes)
        try routes.client(.post, Self.one, "LostValueAPI.take", scope: .write, accept)
    }

    // MARK: Reading

    /// Lists the values that wait, the newest first.
    private func list(_ request: ClientRequest) async throws -> Response {
        let limit = try request.number("limit", 1...200, default: 50)
        let list = Self.name + request.filterText
        let skipped = try await cursors.offset(request, of: list)
        var values = try await load(request.member, skipping: skipped, limit: limit + 1)
        var next: String?
        if values.count > limit {
            values.removeLast()
            next = try await cursors.make(String(skipped + limit), of: list, for: request.member)
        }
        return request.answer(list: Self.listMember, next: next) { json in
            for value in values { json.object { Self.write(value, &$0) } }
        }
    }

    func key(_ request: ClientRequest) throws -> Identifier<Void> { try request.identifier("value") }

    func find(_ key: Identifier<Void>, _ request: ClientRequest) async throws -> Resource {
        guard let value = try await load(request.member, "v.id = \(key)").first else { throw Refusal.notFound }
        return value
    }

    func revision(_ stored: Resource) -> Int64 { stored.documentRevision }

    func document(_ stored: Resource, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { Self.write(stored, &$0) })
    }

    private func load(
        _ member: Member, _ condition: SQL = "true", skipping skipped: Int = 0, limit: Int = 1
    ) async throws -> [Resource] {
        let household = member.household
        let rows = try await database.read(
            household,
            """
            SELECT \(LostValue.columns), coalesce(r.revision, s.generation) FROM lost_value v
            LEFT JOIN person p ON p.id = v.person_id
            LEFT JOIN receipt r ON r.household_id = v.household_id AND r.id = v.document_id
                AND v.document_type = 'receipt' AND \(Visibility.condition(member))
            LEFT JOIN sync_document s ON s.household_id = v.household_id AND s.document_type = v.document_type
                AND s.document_id = v.document_id AND s.document_type <> 'receipt' AND NOT s.deleted
                AND \(SyncDocumentQueries.isVisible(member))
            WHERE v.household_id = \(household) AND v.settled_at IS NULL
                AND coalesce(r.revision, s.generation) IS NOT NULL AND \(condition)
            ORDER BY v.lost_at DESC, v.id OFFSET \(Int32(skipped)) LIMIT \(Int32(limit))
            """)
        return try rows.compactMap { row in
            guard let value = try LostValue(row) else { return nil }
            return Resource(value: value, documentRevision: try row[8, as: Int64.self])
        }
    }

    private static func write(_ stored: Resource, _ json: inout JSONWriter) {
        json.member("document", stored.value.document.description)
        json.member("document_revision", stored.documentRevision)
        stored.value.write(&json)
    }

    // MARK: Changing

    /// Replaces the current value of the field with the discarded value.
    private func accept(_ request: ClientRequest) async throws -> Response {
        let stored = try await loadForChange(request)
        try request.requireEmptyObject()
        try await edits.acceptForClient(
            stored.value.id, of: stored.value.document, revision: stored.documentRevision, request.member)
        return Response(.noContent)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        _ = try await edits.dismiss(
            stored.value.id, of: stored.value.document, revision: stored.documentRevision, request.member)
    }
}

extension LostValue {
    func write(_ json: inout JSONWriter) {
        json.member("id", id.description)
        json.member("field", field)
        json.member("value", value)
        json.member("by", personName)
        json.member("at", WallClock.iso(lostAt.microsecondsSince1970))
    }
}

extension LostValueEdits {
    /// Accepts a value for a client of the API.
    ///
    /// - Throws: `APIProblem` if the value cannot be stored; the errors of `accept`.
    func acceptForClient(
        _ id: Identifier<Void>, of key: DocumentKey, revision: Int64, _ member: Member
    ) async throws {
        do {
            guard case .lineMissing = try await accept(id, of: key, revision: revision, member) else { return }
            throw APIProblem(.conflict, .conflict, "The line no longer exists.")
        } catch let fault as DocumentFault {
            throw APIProblem.invalid("value", fault.reason)
        }
    }
}
