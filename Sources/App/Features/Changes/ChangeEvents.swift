import Domain
import EventLoop
import HTTP
import JSON
import Postgres

/// The server-sent events of one open page. Holds no database connection while it waits.
struct ChangeEvents: Sendable {
    let database: Database
    let member: Member
    let version: String
    /// The sequence number of the last change that the browser has received; nil for a new page.
    let since: Int64?
    /// The milliseconds since the browser requested the page.
    let age: Int64

    /// The longest time between two checks of the session. After a pause without a change, a comment is sent, which
    /// also detects a closed connection.
    private static let pause = Duration.seconds(20)
    /// The number of pauses and changes after which a stream ends. The browser then reconnects automatically.
    private static let maximumRounds = 60
    /// The maximum number of changes in one event. If there are more, only the newest are listed, and `isMany` is set.
    private static let maximumChanges = 100
    /// The number of recent changes among which a new page looks for changes made while it was loading.
    private static let recentChanges: Int32 = 50

    /// A changed document, with its newest change.
    private struct ChangedDocument: RowDecodable {
        let sequence: Int64
        let type: String
        let document: Identifier<Void>
        let person: PersonID?
        let name: String?

        init(from row: inout RowReader) throws(PostgresError) {
            sequence = try row.next()
            type = try row.next()
            document = try row.next()
            person = try row.next()
            name = try row.next()
        }
    }

    func send(to writer: any ResponseWriter) async throws {
        guard var position = try await inChildTask(start) else { return try await end(writer) }
        try await writer.send(event("hello", position) { $0.member("version", version) })
        for _ in 0..<Self.maximumRounds {
            let result = try await inChildTask { [position] in try await changes(after: position) }
            guard let newChanges = result else { return try await end(writer) }
            if newChanges.position != position {
                let isReported = !newChanges.changes.isEmpty || newChanges.position < position
                position = newChanges.position
                if isReported { try await writer.send(changesEvent(newChanges)) }
            }
            let woken = await database.waitForChange(of: member.household, after: position, atMost: Self.pause)
            if woken == nil {
                guard !Task.isCancelled, !database.signal.hasStopped else { return }
                try await writer.send(Array(": idle\n\n".utf8))
            }
        }
    }

    /// Tells the browser that the session has ended or the member was removed. The browser then deletes its local data.
    private func end(_ writer: any ResponseWriter) async throws {
        try await writer.send(Array("event: ended\ndata: {}\n\n".utf8))
    }

    // MARK: Queries

    private var isMember: SQL {
        """
        SELECT 1 FROM session s JOIN membership m ON m.household_id = s.household_id AND m.person_id = s.person_id
        WHERE s.id = \(member.session) AND s.household_id = \(member.household) AND s.expires_at > now()
        """
    }

    /// Returns the sequence number after which changes are sent; nil if the session has ended.
    private func start() async throws -> Int64? {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                isMember, "SELECT sync_seq FROM household WHERE id = \(household)",
                """
                SELECT min(c.seq) - 1
                FROM (SELECT seq, changed_at, person_id FROM change_log WHERE household_id = \(household)
                    ORDER BY seq DESC LIMIT \(Self.recentChanges)) c
                WHERE c.changed_at > now() - \(age + 1_000) * interval '1 millisecond'
                    AND c.person_id IS DISTINCT FROM \(member.person)
                """,
            ])
        guard !rows[0].isEmpty, let last = try rows[1].first(Int64.self) else { return nil }
        if let since { return since }
        return try rows[2].first(Int64?.self).flatMap { $0 } ?? last
    }

    private struct NewChanges {
        let position: Int64
        let changes: [ChangedDocument]
        /// Whether there are too many changes to list. Also true if the database was restored from a backup, because
        /// its sequence numbers are then lower than before.
        let isMany: Bool
    }

    /// The types of documents that sync clients receive. The column `private_to` of `sync_document` is valid for these
    /// types only.
    private static let publishedTypes = DocumentSchema.all.map(\.type.rawValue)

    /// Returns the changes after `position`, without documents that only another member sees; nil if the session has
    /// ended.
    private func changes(after position: Int64) async throws -> NewChanges? {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                isMember, "SELECT sync_seq FROM household WHERE id = \(household)",
                """
                SELECT c.seq, c.document_type, c.document_id, c.person_id, p.name
                FROM change_log c
                LEFT JOIN person p ON p.id = c.person_id
                LEFT JOIN sync_document s ON s.household_id = \(household) AND s.document_type = c.document_type
                    AND s.document_id = c.document_id AND s.document_type = ANY(\(Self.publishedTypes))
                LEFT JOIN receipt r ON r.household_id = \(household)
                    AND r.id = CASE c.document_type WHEN 'receipt' THEN c.document_id WHEN 'image' THEN s.owner_id END
                WHERE c.household_id = \(household) AND c.seq > \(position)
                    AND (r.id IS NULL OR \(Visibility.condition(member)))
                    AND (s.private_to IS NULL OR s.private_to = \(member.person))
                    AND ((c.body ->> 'is_personal') IS DISTINCT FROM 'true'
                        OR (c.body ->> 'person_id')::uuid = \(member.person))
                ORDER BY c.seq DESC LIMIT \(Int32(Self.maximumChanges + 1))
                """,
            ])
        guard !rows[0].isEmpty, let last = try rows[1].first(Int64.self) else { return nil }
        let changes: [ChangedDocument] = try rows[2].decode()
        // Clients choose identifiers, so documents of several types may have the same identifier.
        var seen: Set<String> = []
        return NewChanges(
            position: last < position ? last : max(last, changes.first?.sequence ?? 0),
            changes: changes.filter { seen.insert("\($0.type):\($0.document)").inserted },
            isMany: changes.count > Self.maximumChanges || last < position)
    }

    // MARK: Events

    private func changesEvent(_ newChanges: NewChanges) -> [UInt8] {
        event("changes", newChanges.position) { json in
            json.member("isMany", newChanges.isMany)
            json.array("changes") { json in
                for change in newChanges.changes.prefix(Self.maximumChanges) {
                    json.object { json in
                        json.member("type", change.type)
                        json.member("id", change.document.description)
                        json.member("isOwn", change.person == member.person)
                        json.member("by", change.name)
                    }
                }
            }
        }
    }

    private func event(_ name: String, _ position: Int64, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(body)
        return Array("id: \(position)\nretry: 2000\nevent: \(name)\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
    }
}
