import Domain
import HTTP
import JSON
import Postgres

/// Accepts or dismisses values that a merge did not keep: stores them by a new change, or keeps the stored values.
struct LostValueEdits: Sendable {
    let database: Database

    /// The result of accepting or dismissing a value. `already` if it was accepted or dismissed before.
    enum Outcome: Sendable {
        case done, already
        /// The line of the value no longer exists. The value was neither accepted nor dismissed.
        case lineMissing
    }

    /// Accepts a value: stores it by a new change, like a change by a sync client. If the value is the deletion of the
    /// receipt, the receipt is discarded.
    ///
    /// - Parameter revision: the receipt's revision on the page.
    /// - Throws: `Conflict`, `DocumentFault`, `Refusal.notFound`; `Refusal` while the receipt is being read.
    func take(
        _ id: Identifier<Void>, of receipt: ReceiptID, revision: Int64, _ member: Member
    ) async throws -> Outcome {
        try await database.write(member.household, by: member.person) { changes in
            let current = try StoredReceiptQueries.decode(
                receipt, try await changes.query(batch: StoredReceiptQueries.statements(receipt, member)))
            guard let value = try await unsettledValue(id, of: receipt, changes) else { return .already }
            try Conflict.requireRevision(current.revision, shown: revision)
            guard current.stage != .reading else { throw Refusal(.conflict, "stillReading", isTemporary: true) }
            if value.field == "deleted" {
                try await ReceiptEdits.discard(receipt, true, isReading: false, changes)
            } else {
                guard try await store(value, of: receipt, member, changes) else { return .lineMissing }
            }
            try await changes.query(Self.settling(id, changes.household))
            return .done
        }
    }

    /// Dismisses a value: keeps the stored value.
    ///
    /// - Throws: `Refusal.notFound`.
    func dismiss(_ id: Identifier<Void>, of receipt: ReceiptID, _ member: Member) async throws -> Outcome {
        try await database.write(member.household, by: member.person) { changes in
            _ = try StoredReceiptQueries.decode(
                receipt, try await changes.query(batch: StoredReceiptQueries.statements(receipt, member)))
            guard try await unsettledValue(id, of: receipt, changes) != nil else { return .already }
            try await changes.query(Self.settling(id, changes.household))
            return .done
        }
    }

    /// Returns the value; nil when it has been accepted or dismissed.
    ///
    /// - Throws: `Refusal.notFound` for a value that this receipt does not have.
    private func unsettledValue(
        _ id: Identifier<Void>, of receipt: ReceiptID, _ changes: HouseholdTransaction
    ) async throws -> LostValue? {
        let rows = try await changes.query(batch: [
            LostValue.query(receipt, changes.household, id),
            """
            SELECT 1 FROM lost_value
            WHERE household_id = \(changes.household) AND id = \(id) AND document_id = \(receipt)
            """,
        ])
        guard !rows[1].isEmpty else { throw Refusal.notFound }
        return try LostValue.decode(rows[0]).first
    }

    /// Stores the value in place of the current one.
    ///
    /// - Returns: false when the value's line no longer exists.
    private func store(
        _ value: LostValue, of receipt: ReceiptID, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> Bool {
        let key = DocumentKey(.receipt, receipt.relabelled())
        let stored = try await StoredDocument.load(key, changes)
        guard let winner = stored.winner, let body = stored.tree[winner]?.body else { throw Refusal.notFound }
        guard let edited = value.replacing(in: body) else { return false }
        try DocumentSchema.receipt.check(edited)
        try await stored.setWinner(winner, DocumentExtra(of: edited, .receipt), changes)
        let lost = try await DocumentWriting(database: database, member: member, changes: changes, key: key)
            .write(edited, over: body, hasConflicts: false)
        guard lost.isEmpty else { throw DocumentFault("\(value.field): refers to a deleted document") }
        return true
    }

    /// Marks the value as accepted or dismissed.
    private static func settling(_ id: Identifier<Void>, _ household: HouseholdID) -> SQL {
        "UPDATE lost_value SET settled_at = now() WHERE household_id = \(household) AND id = \(id)"
    }
}
