import Domain
import HTTP
import JSON
import Postgres

/// Accepts or dismisses values that were discarded in a merge: stores them by a new change, or keeps the stored values.
///
/// Fields of one group, such as an amount and its currency, are accepted or dismissed together.
struct LostValueEdits: Sendable {
    let database: Database

    /// The result of accepting or dismissing a value. `alreadyDone`: the value had been accepted or
    /// dismissed before.
    enum Outcome: Sendable {
        case done, alreadyDone
        /// The line of the value no longer exists. The value was neither accepted nor dismissed.
        case lineMissing
    }

    /// Returns the document of a value. Also finds values that are already accepted or dismissed.
    ///
    /// - Throws: `Refusal.notFound`.
    func document(of id: Identifier<Void>, _ household: HouseholdID) async throws -> DocumentKey {
        let rows = try await database.read(
            household,
            "SELECT document_type, document_id FROM lost_value WHERE household_id = \(household) AND id = \(id)")
        guard let (name, document) = try rows.first((String, Identifier<Void>).self),
            let type = DocumentType(rawValue: name)
        else { throw Refusal.notFound }
        return DocumentKey(type, document)
    }

    /// Accepts a value: stores it by a new change, like a change by a sync client. If the discarded change was the
    /// deletion of the document, deletes the document. A receipt is only marked as discarded.
    ///
    /// - Parameter revision: the document's revision on the page, as in `LostValueDocument`.
    /// - Throws: `Conflict`, `DocumentFault`, `Refusal.notFound`; `Refusal` while a receipt is being read.
    func accept(
        _ id: Identifier<Void>, of key: DocumentKey, revision: Int64, _ member: Member
    ) async throws -> Outcome {
        do {
            return try await database.write(member.household, by: member.person) { changes in
                try await accept(id, of: key, revision: revision, member, changes)
            }
        } catch let error as PostgresError {
            if let fault = DocumentFault(refused: error) { throw fault }
            throw error
        }
    }

    private func accept(
        _ id: Identifier<Void>, of key: DocumentKey, revision: Int64, _ member: Member,
        _ changes: HouseholdTransaction
    ) async throws -> Outcome {
        let current = try await LostValueDocument.load(key, member, changes)
        let values = try await waitingValues(id, of: key, changes)
        guard let first = values.first else { return .alreadyDone }
        try Conflict.requireRevision(current.revision, shown: revision)
        guard !current.isBeingRead else { throw Refusal(.conflict, "stillReading", isTemporary: true) }
        if first.field == "deleted" {
            try await delete(key, member, changes)
        } else {
            guard try await store(values, of: key, member, changes) else { return .lineMissing }
        }
        try await changes.query(Self.markingAcceptedOrDismissed(values, changes.household))
        return .done
    }

    /// Dismisses a value: keeps the stored value.
    ///
    /// - Parameter revision: the revision that the document must have; nil for any.
    /// - Throws: `Conflict`, `Refusal.notFound`.
    func dismiss(
        _ id: Identifier<Void>, of key: DocumentKey, revision: Int64? = nil, _ member: Member
    ) async throws -> Outcome {
        try await database.write(member.household, by: member.person) { changes in
            let current = try await LostValueDocument.load(key, member, changes)
            let values = try await waitingValues(id, of: key, changes)
            guard !values.isEmpty else { return .alreadyDone }
            try Conflict.requireRevision(current.revision, shown: revision)
            try await changes.query(Self.markingAcceptedOrDismissed(values, changes.household))
            return .done
        }
    }

    /// Returns the value and the other values of its group; empty when the value has been accepted or dismissed.
    ///
    /// - Throws: `Refusal.notFound` for a value that this document does not have.
    private func waitingValues(
        _ id: Identifier<Void>, of key: DocumentKey, _ changes: HouseholdTransaction
    ) async throws -> [LostValue] {
        let (household, document) = (changes.household, LostValue.belongs(to: key))
        let rows = try await changes.query(batch: [
            LostValue.query(household, "\(document) AND v.id = \(id)"),
            LostValue.query(
                household,
                """
                \(document) AND v.rev = (SELECT rev FROM lost_value WHERE household_id = \(household) AND id = \(id))
                """),
            "SELECT 1 FROM lost_value v WHERE v.household_id = \(household) AND v.id = \(id) AND \(document)",
        ])
        guard !rows[2].isEmpty else { throw Refusal.notFound }
        guard let value = try LostValue.decode(rows[0]).first else { return [] }
        return [value] + (try LostValue.decode(rows[1]).filter { $0.id != id && value.isGrouped(with: $0) })
    }

    private func delete(_ key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction) async throws {
        guard key.type != .receipt else {
            return try await ReceiptEdits.setDiscarded(true, key.id.relabelled(), isReading: false, changes)
        }
        let writing = DocumentWriting(database: database, member: member, changes: changes, key: key)
        guard try await writing.delete() else { throw DocumentFault("deleted: other documents refer to this document") }
    }

    /// Replaces the current values with the discarded values.
    ///
    /// - Returns: false when a value's line no longer exists.
    private func store(
        _ values: [LostValue], of key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> Bool {
        let lostFields = try await SyncEdits(database: database).change(key, member, changes) { body in
            values.reduce(Optional(body)) { body, value in body.flatMap { value.path.setting(value.value, in: $0) } }
        }
        guard let lostFields else { return false }
        guard lostFields.isEmpty else { throw DocumentFault("\(values[0].field): refers to a deleted document") }
        return true
    }

    /// Returns a statement that marks the values as accepted or dismissed.
    private static func markingAcceptedOrDismissed(_ values: [LostValue], _ household: HouseholdID) -> SQL {
        "UPDATE lost_value SET settled_at = now() WHERE household_id = \(household) AND id = ANY(\(values.map(\.id)))"
    }
}

/// A document with values that were discarded in a merge.
struct LostValueDocument {
    /// The revision of a receipt, or the generation of another document. Each change increases it.
    let revision: Int64
    let isBeingRead: Bool

    /// - Throws: `Refusal.notFound` if the document does not exist, or the member must not read it.
    static func load(
        _ key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> LostValueDocument {
        guard key.type != .receipt else {
            let id: ReceiptID = key.id.relabelled()
            let receipt = try StoredReceiptQueries.decode(
                id, try await changes.query(batch: StoredReceiptQueries.statements(id, member)))
            return LostValueDocument(revision: receipt.revision, isBeingRead: receipt.stage == .reading)
        }
        let stored = try await StoredDocument.load(key, changes)
        guard let winner = stored.winner, !stored.isDeleted,
            stored.privateTo == nil || stored.privateTo == member.person
        else { throw Refusal.notFound }
        return LostValueDocument(revision: winner.generation, isBeingRead: false)
    }
}
