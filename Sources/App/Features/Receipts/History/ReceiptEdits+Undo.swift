import Domain
import HTTP
import Postgres

/// Undoes one change of a receipt by a new change.
extension ReceiptEdits {
    /// The result of undoing a change.
    enum UndoOutcome: Sendable {
        /// Undone. Parts that a later change has modified keep their values; the conflict lists these parts.
        case undone(Conflict)
        /// Nothing was changed: the change is already undone, or later changes have modified all its parts.
        case nothing(Conflict)
    }

    /// - Parameters:
    ///   - sequence: the sequence number of the change in the log.
    ///   - revision: the revision that the receipt must have; nil for any.
    /// - Throws: `Conflict`, `Refusal.notFound`, `MissingRequiredValues`; `Refusal` while the receipt is being read.
    func undo(
        _ id: ReceiptID, change sequence: Int64, revision: Int64? = nil, _ member: Member
    ) async throws -> UndoOutcome {
        try await database.write(member.household, by: member.person) { changes in
            var current = try await load(id, member, changes)
            try Conflict.requireRevision(current.revision, shown: revision)
            let versions = try LoggedVersion.decode(
                try await changes.query(
                    LoggedVersion.query(id, member.household, upTo: sequence, limit: 2)))
            guard versions.count == 2, versions[0].sequence == sequence else { throw Refusal.notFound }
            let change = ReceiptChange(before: versions[1], after: versions[0])
            guard change.isReversible, let before = change.before else { throw Refusal.notFound }
            guard current.stage != .reading else { throw Refusal(.conflict, "stillReading", isTemporary: true) }
            let stored = Set(current.draft.lines.lazy.map(\.key))
            let missingLines = before.draft.lines.filter { !stored.contains($0.key) }.compactMap {
                ReceiptLineID($0.key)
            }
            let movedLines = try await linesOfOtherReceipts(missingLines, than: id, changes)
            let (draft, conflict) = change.undone(in: current.draft, moved: movedLines)
            var isUndone = false
            var confirms = false
            if change.changesStage, current.stage == change.after.stage {
                isUndone = true
                if change.after.stage == .confirmed {
                    try await reopen([id], changes)
                    current = try await load(id, member, changes)
                } else {
                    confirms = true
                }
            }
            if draft != current.draft || confirms {
                if current.stage == .confirmed || confirms { try draft.checkRequiredValues(stored: current.draft) }
                try await write(id, draft, current, confirms: confirms, changes)
                isUndone = true
            }
            if before.isDiscarded != change.after.isDiscarded,
                (current.state.name == .discarded) == change.after.isDiscarded
            {
                try await Self.setDiscarded(before.isDiscarded, id, isReading: false, changes)
                isUndone = true
            }
            if isUndone { try await changes.query(ReviewDrafts.deletion(id, member)) }
            return isUndone ? .undone(conflict) : .nothing(conflict)
        }
    }

    /// Moves confirmed receipts back to the review.
    func reopen(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            UPDATE receipt SET stage = \(Stage.review), confirmed_at = NULL, revision = revision + 1
            WHERE household_id = \(changes.household) AND id = ANY(\(receipts))
            """)
        try await PriceHistory.update(receipts, changes)
        changes.changed(.receipt, receipts)
    }
}
