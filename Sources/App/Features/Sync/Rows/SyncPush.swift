import Domain
import HTTP
import JSON
import Postgres

/// Rows that a native client changed. All accepted documents are stored in one transaction.
struct SyncPush: Sendable {
    let database: Database
    let member: Member
    /// The sequence number of the client's last pull.
    let since: Int64

    /// A row has changed on the server since the client's last pull, or a backup was restored since then.
    struct StalePull: Error {}

    private struct DocumentChange {
        var isDeleted = false
        /// Rows of the document and of its lists, in the order of the tables.
        var rows: [(table: SyncTable, row: JSONObject)] = []
        var deletedParts: [(table: SyncTable, id: String)] = []

        /// The rows in the order of their positions, followed by the rows without a position. An element is inserted at
        /// its position, so the elements before it must be inserted first.
        var inOrder: [(table: SyncTable, row: JSONObject)] {
            let keys = rows.map { $0.row["position"]?.integer ?? .max }
            return rows.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { rows[$0] }
        }
    }

    /// The rejected documents, which are not stored, with the reasons.
    typealias Rejected = [DocumentKey: String]

    /// - Throws: `StalePull`; `DocumentFault` if the changes do not have the form of table rows; `APIProblem` for too
    ///   many documents; `Refusal`; `PostgresError`.
    func store(_ changes: JSONObject) async throws -> Rejected {
        let parsed = try await parse(changes)
        guard parsed.count <= SyncLimits.documents else {
            throw APIProblem(
                .contentTooLarge, .tooLarge, "A push must not change more than \(SyncLimits.documents) documents.")
        }
        return try await database.write(member.household, by: member.person) { transaction in
            try await write(parsed, transaction)
        }
    }

    /// Writes the members `experimentalRejectedIds`, by table, and `reasons`, by document.
    static func write(_ rejected: Rejected, into json: inout JSONWriter) {
        guard !rejected.isEmpty else { return }
        let keys = rejected.keys.sorted { $0.description < $1.description }
        let tables = Dictionary(grouping: keys) { key in
            SyncTable.all.first { $0.type == key.type && $0.parts == nil }?.name ?? key.type.rawValue
        }
        json.object("experimentalRejectedIds") { json in
            for (table, keys) in tables.sorted(by: { $0.key < $1.key }) {
                json.array(table) { json in for key in keys { json.value(key.id.description) } }
            }
        }
        json.object("reasons") { json in
            for key in keys { json.member(key.description, rejected[key] ?? "") }
        }
    }

    // MARK: Parsing

    /// Groups the changes by document.
    private func parse(_ changes: JSONObject) async throws -> [DocumentKey: DocumentChange] {
        var documents: [DocumentKey: DocumentChange] = [:]
        // Deleted list elements whose identifiers do not contain the identifier of their document.
        var unassigned: [(table: SyncTable, id: String)] = []
        for member in changes {
            guard let table = SyncTable.named(member.name) else {
                throw DocumentFault("\(member.name.prefix(100)): unknown table")
            }
            for list in ["created", "updated"] {
                for row in member.value[list]?.array ?? [] {
                    guard let row = row.object, let id = row["id"]?.string else {
                        throw DocumentFault("\(table.name): a row has no id")
                    }
                    documents[try Self.key(table, row, id), default: DocumentChange()].rows.append((table, row))
                }
            }
            for id in (member.value["deleted"]?.array ?? []).compactMap(\.string) {
                guard let parts = table.parts else {
                    // Ignores identifiers that no document can have.
                    guard let id = Identifier<Void>(id) else { continue }
                    documents[DocumentKey(table.type, id), default: DocumentChange()].isDeleted = true
                    continue
                }
                if parts.key != "id", let owner = Identifier<Void>(id.prefix(36)) {
                    documents[DocumentKey(table.type, owner), default: DocumentChange()].deletedParts.append(
                        (table, id))
                } else {
                    unassigned.append((table, id))
                }
            }
        }
        for table in SyncTable.all where table.parts?.key == "id" {
            let ids = unassigned.filter { $0.table.name == table.name }.compactMap { Identifier<Void>($0.id) }
            for (id, owner) in try await owners(of: ids, table) {
                documents[DocumentKey(table.type, owner), default: DocumentChange()].deletedParts.append(
                    (table, id.description))
            }
        }
        return documents
    }

    private static func key(_ table: SyncTable, _ row: JSONObject, _ id: String) throws(DocumentFault) -> DocumentKey {
        let name = table.parts.map { row[$0.owner]?.string ?? "" } ?? id
        guard let id = Identifier<Void>(name) else {
            throw DocumentFault("\(table.name): \(table.parts?.owner ?? "id") must be a UUID")
        }
        return DocumentKey(table.type, id)
    }

    /// Finds the documents of deleted list elements, because a deletion contains only the identifier of the element.
    private func owners(
        of parts: [Identifier<Void>], _ table: SyncTable
    ) async throws -> [(part: Identifier<Void>, document: Identifier<Void>)] {
        guard !parts.isEmpty else { return [] }
        let household = member.household
        let columns: SQL =
            switch table.type {
            case .savingsGoal: "id, goal_id FROM savings_deposit"
            case .bankFile: "id, import_id FROM bank_booking"
            default: "id, receipt_id FROM receipt_line"
            }
        let query: SQL = "SELECT \(columns) WHERE household_id = \(household) AND id = ANY(\(parts))"
        return try await database.read(household, query).decode((Identifier<Void>, Identifier<Void>).self)
            .map { (part: $0.0, document: $0.1) }
    }

    // MARK: Writing

    private func write(
        _ changes: [DocumentKey: DocumentChange], _ transaction: HouseholdTransaction
    ) async throws -> Rejected {
        let levels = try await levels(of: changes, transaction)
        let places = changes.map { key, change in (key, Self.order(key, change, levels[key] ?? 0)) }
        let keys = places.sorted { $0.1 < $1.1 }.map(\.0)
        let stale = try await transaction.query(
            """
            SELECT 1 FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id))) AS n (type, id)
            JOIN sync_document s ON s.household_id = \(transaction.household) AND s.document_type = n.type
                AND s.document_id = n.id
            WHERE s.seq > \(since) AND \(SyncDocumentQueries.isVisible(member))
            UNION ALL SELECT 1 FROM household WHERE id = \(transaction.household) AND sync_seq < \(since) LIMIT 1
            """)
        guard stale.isEmpty else { throw StalePull() }
        var rejected: Rejected = [:]
        var createdAgain: [DocumentKey] = []
        let written = Set(keys)
        for key in keys {
            guard let change = changes[key] else { continue }
            do {
                if try await transaction.attempt({ try await write(key, change, deferred: written, transaction) }) {
                    createdAgain.append(key)
                }
            } catch let fault as DocumentFault {
                rejected[key] = fault.reason
            } catch let error as PostgresError {
                guard let fault = DocumentFault(refused: error) else { throw error }
                rejected[key] = fault.reason
            }
        }
        // Restores references only after all rows were written. The client's rows do not contain these references, so
        // writing the rows later would remove them again.
        for key in createdAgain {
            try await SyncEdits(database: database).restoreReferences(to: key, member, transaction)
        }
        return rejected
    }

    /// Returns a sort key: referenced documents are written first and deleted last.
    ///
    /// - Parameter level: for a category, its level as in `levels`; 0 for other documents.
    private static func order(_ key: DocumentKey, _ change: DocumentChange, _ level: Int) -> String {
        func digits(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
        let place = SyncTable.all.firstIndex { $0.type == key.type } ?? 0
        // Images come last. Deleting a receipt deletes its images; before that, the images cannot be deleted.
        let deletedPlace = key.type == .image ? 91 : 90 - place
        return change.isDeleted
            ? "\(digits(deletedPlace)) \(digits(maximumLevel - level)) \(key.id)"
            : "\(digits(place)) \(digits(level)) \(key.id)"
    }

    /// The maximum level of a category. Deeper categories are written in any order.
    private static let maximumLevel = 99

    /// Returns the level of each changed category: the number of changed categories above it, up to `maximumLevel`.
    /// Empty if fewer than two categories have changed.
    private func levels(
        of changes: [DocumentKey: DocumentChange], _ transaction: HouseholdTransaction
    ) async throws -> [DocumentKey: Int] {
        let categories = changes.filter { $0.key.type == .category }
        guard categories.count > 1 else { return [:] }
        var parents: [Identifier<Void>: Identifier<Void>] = [:]
        for (key, change) in categories {
            let parentID = change.rows.compactMap { $0.row["parent_id"]?.string }.last
            parents[key.id] = parentID.flatMap { Identifier<Void>($0) }
        }
        let deleted = categories.filter { $0.value.isDeleted }.map { $0.key.id }
        let stored = try await transaction.query(
            """
            SELECT id, parent_id FROM category
            WHERE household_id = \(transaction.household) AND id = ANY(\(deleted)) AND parent_id IS NOT NULL
            """)
        for (id, parent) in try stored.decode((Identifier<Void>, Identifier<Void>).self) { parents[id] = parent }
        return Dictionary(
            uniqueKeysWithValues: categories.keys.map { key -> (DocumentKey, Int) in
                var (id, level) = (key.id, 0)
                while level < Self.maximumLevel, let parent = parents[id] { (id, level) = (parent, level + 1) }
                return (key, level)
            })
    }

    /// - Parameter deferred: as in `SyncEdits.store`.
    /// - Returns: whether the write created a deleted document again.
    private func write(
        _ key: DocumentKey, _ change: DocumentChange, deferred: Set<DocumentKey>, _ transaction: HouseholdTransaction
    ) async throws -> Bool {
        let edits = SyncEdits(database: database)
        let stored = try await StoredDocument.load(key, transaction)
        try stored.requireVisible(to: member.person)
        var body = stored.isDeleted ? nil : stored.winner.flatMap { stored.tree[$0]?.body }
        if change.isDeleted, change.rows.allSatisfy({ $0.table.parts != nil }) {
            // The document does not exist or is already deleted.
            guard body != nil else { return false }
            _ = try await edits.store(
                IncomingDocument(key: key, origin: .edit(of: stored.winner), isDeleted: true, body: JSONObject()),
                member,
                transaction)
            return false
        }
        // Ignores deleted elements of a document that does not exist or is already deleted.
        guard body != nil || !change.rows.isEmpty else { return false }
        var object = body ?? JSONObject()
        object["type"] = .string(key.type.rawValue)
        for (table, row) in change.inOrder { try Self.write(table, row, into: &object) }
        for (table, id) in change.deletedParts { Self.delete(table, id, from: &object) }
        guard body != object else { return false }
        body = object
        _ = try await edits.store(
            IncomingDocument(key: key, origin: .edit(of: stored.winner), isDeleted: false, body: object), member,
            transaction, deferred: deferred)
        return stored.isDeleted && stored.winner != nil
    }

    private static func write(_ table: SyncTable, _ row: JSONObject, into object: inout JSONObject)
        throws(DocumentFault)
    {
        guard let parts = table.parts else { return try table.write(row, into: &object) }
        var list = object[parts.field]?.array ?? []
        let id = row["id"]?.string ?? ""
        let name = parts.key == "id" ? id : row[parts.key]?.string ?? String(id.dropFirst(37))
        let index = list.firstIndex { $0[parts.key]?.string == name }
        var part = index.flatMap { list[$0].object } ?? JSONObject()
        part[parts.key] = .string(name)
        try table.write(row, into: &part)
        if let index { list.remove(at: index) }
        let place = row["position"]?.integer.map { Int(max(0, min($0, 1 << 20))) } ?? index ?? list.count
        list.insert(.object(part), at: min(place, list.count))
        object[parts.field] = .array(list)
    }

    private static func delete(_ table: SyncTable, _ id: String, from object: inout JSONObject) {
        guard let parts = table.parts else { return }
        let name = parts.key == "id" ? id : String(id.dropFirst(37))
        object[parts.field] = .array((object[parts.field]?.array ?? []).filter { $0[parts.key]?.string != name })
    }
}
