import Domain
import Postgres

extension WineEdits {
    /// Moves all data of the household about the wine `id` to the wine `target`, and deletes the wine `id`. If both
    /// wines have a score by the same critic or a mark by the same member, keeps the score or mark of `target`.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`; `Refusal.badRequest` if both are the same wine.
    func merge(_ id: WineID, into target: WineID, by member: Member) async throws {
        guard id != target else { throw Refusal.badRequest }
        try await database.write(member.household, by: member.person) { changes in
            try await Self.copyFromShared(target, changes)
            try await Self.copyFromShared(id, changes)
            let move = try await WineMove.run(id, to: target, changes)
            try await move.store(of: id, to: target, changes)
            try await changes.query(batch: [
                """
                UPDATE wine SET discarded_at = now(), revision = revision + 1
                WHERE household_id = \(changes.household) AND id = \(id)
                """,
                "UPDATE wine SET revision = revision + 1 WHERE household_id = \(changes.household) AND id = \(target)",
            ])
            changes.changed(.wineBottle, move.bottles)
            try await Self.finish([id, target], changes)
        }
    }

    /// Restores a merged wine with the data that was moved from it, except data that was moved again or deleted since.
    /// Does nothing if the wine is not deleted.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func undoMerge(of id: WineID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            guard let (moved, target) = try await WineMove.load(of: id, changes) else {
                let rows = try await changes.query(
                    """
                    SELECT 1 FROM wine WHERE household_id = \(changes.household) AND id = \(id) AND discarded_at IS NULL
                    """)
                guard !rows.isEmpty else { throw Refusal.notFound }
                return
            }
            try await moved.undo(from: target, to: id, changes)
            try await WinePlan.requireRoom(for: 0, changes)
            changes.changed(.wineBottle, moved.bottles)
            try await Self.finish([id, target], changes)
        }
    }
}
