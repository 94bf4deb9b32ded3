import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// A sync client without HTTP, which writes and reads revisions of documents.
struct SyncScene {
    let database: Database
    let member: Member

    init(_ harness: AppHarness, _ browser: Browser, role: Member.Role = .owner) {
        database = harness.database
        member = Member(
            household: browser.household, person: browser.person, name: "", role: role, language: .german,
            country: .austria, zone: nil, session: .new(), csrfSecret: [])
    }

    init(_ harness: AppHarness, _ member: Member) { (database, self.member) = (harness.database, member) }

    private var edits: SyncEdits { SyncEdits(database: database) }

    /// Writes a child of the newest revision.
    @discardableResult
    func edit(_ key: DocumentKey, _ change: (inout JSONObject) -> Void) async throws -> RevisionID {
        var body = try await body(key) ?? JSONObject()
        change(&body)
        return try await edits.store(
            IncomingDocument(key: key, origin: .edit(of: try await winner(key)), isDeleted: false, body: body),
            by: member)
    }

    /// Writes a revision as a replica does.
    @discardableResult
    func replicate(
        _ key: DocumentKey, _ revision: String, after ancestors: [RevisionID] = [], deleted: Bool = false,
        _ body: JSONObject = JSONObject()
    ) async throws -> RevisionID {
        let revision = try #require(RevisionID(revision))
        return try await edits.store(
            IncomingDocument(
                key: key, origin: .replica(revision, ancestors: ancestors), isDeleted: deleted, body: body),
            by: member)
    }

    /// Deletes a document as a replica does.
    ///
    /// - Returns: the deleted revision.
    @discardableResult
    func delete(_ key: DocumentKey) async throws -> RevisionID {
        let base = try #require(try await winner(key))
        try await replicate(key, "\(base.generation + 1)-dddd", after: [base], deleted: true)
        return base
    }

    /// Returns the document as members see it; nil if it is deleted or does not exist.
    func body(_ key: DocumentKey) async throws -> JSONObject? {
        let rows = try await database.read(
            member.household,
            """
            SELECT d.body FROM sync_document s JOIN document_revision d ON d.household_id = s.household_id
                AND d.document_type = s.document_type AND d.document_id = s.document_id AND d.generation = s.generation
                AND d.hash = s.hash
            WHERE s.household_id = \(member.household) AND s.document_type = \(key.type.rawValue)
                AND s.document_id = \(key.id) AND NOT s.deleted
            """)
        return try rows.first(PostgresJSON.self).flatMap { try JSONValue(reading: $0.bytes).object }
    }

    func winner(_ key: DocumentKey) async throws -> RevisionID? { try await leaves(key).first }

    /// Returns the leaves of the revision tree, the winner first.
    func leaves(_ key: DocumentKey) async throws -> [RevisionID] {
        let rows = try await database.read(
            member.household,
            """
            SELECT leaves FROM sync_document WHERE household_id = \(member.household)
                AND document_type = \(key.type.rawValue) AND document_id = \(key.id)
            """)
        return try rows.first([String].self)?.compactMap { RevisionID($0) } ?? []
    }

    /// Returns the values that lost a merge, by field.
    func lostValues(_ key: DocumentKey) async throws -> [String: JSONValue] {
        let rows = try await database.read(
            member.household,
            "SELECT field, lost FROM lost_value WHERE household_id = \(member.household) AND document_id = \(key.id)")
        return try rows.decode((String, PostgresJSON).self).reduce(into: [:]) {
            $0[$1.0] = try JSONValue(reading: $1.1.bytes)
        }
    }

    static func key(_ type: DocumentType) -> DocumentKey { DocumentKey(type, .new()) }

    static func line(_ name: String, _ total: Int64, id: ReceiptLineID = .new()) -> JSONValue {
        ["id": .string(id.description), "kind": "item", "name": .string(name), "total_minor": .integer(total)]
    }

    /// A receipt that a person entered.
    static func receipt(_ lines: [JSONValue], store: String = "Testladen", stage: String = "review") -> JSONObject {
        [
            "type": "receipt", "stage": .string(stage), "store": .string(store), "day": "2026-03-05",
            "currency": "EUR", "total_minor": .integer(lines.compactMap { $0["total_minor"]?.integer }.reduce(0, +)),
            "lines": .array(lines),
        ]
    }
}
