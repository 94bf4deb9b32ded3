import Domain
import Postgres

/// Confirming proven receipts without a review.
extension ReceiptEdits {
    /// The maximum number of receipts that one request confirms.
    private static let mostAtOnce: Int32 = 500

    /// Receipts that can be confirmed without a review, oldest first: proven, not a duplicate, with a store and with a
    /// day that is not in the future.
    private static func ready(_ member: Member) -> SQL {
        """
        SELECT r.id FROM receipt r WHERE r.household_id = \(member.household) AND r.stage = \(Stage.review.sql)
            AND r.verdict = \(Verdict.proven.sql) AND r.purchase_day <= \(WallClock.today())
            AND (r.store_id IS NOT NULL OR r.printed_store ->> 'name' <> '') AND NOT \(Duplicates.condition())
            AND r.discarded_at IS NULL AND \(Visibility.condition(member))
        ORDER BY r.created_at LIMIT \(mostAtOnce)
        """
    }

    /// The number of receipts that `confirmProven` would confirm.
    static func readyCount(_ member: Member) -> SQL { "SELECT count(*) FROM (\(ready(member))) ready" }

    /// The number of receipts in one transaction. Other members' writes wait until it ends.
    private static let batchSize = 8

    /// Confirms the receipts that `ready` selects, at most `mostAtOnce`. Other receipts are left unchanged.
    ///
    /// - Returns: the number of confirmed receipts. When a transaction fails, the receipts of earlier ones stay
    ///   confirmed.
    func confirmProven(_ member: Member) async throws -> Int {
        let waiting = try await database.read(member.household, Self.ready(member)).decode(ReceiptID.self)
        guard !waiting.isEmpty else { return 0 }
        // Loaded once, because the suggestions depend only on categories that people chose, and confirming without a
        // review adds no such choice.
        let suggestions = try await ExpenseSuggestions.load(member, database)
        var count = 0
        for batch in waiting.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes in
                // Another member may have changed or confirmed them since.
                let ids = try await changes.query(
                    "SELECT w.id FROM (\(Self.ready(member))) w WHERE w.id = ANY(\(Array(batch)))"
                ).decode(ReceiptID.self)
                var completed: Set<LocalDate> = []
                for id in ids {
                    let current = try await load(id, member, changes)
                    let isCompleted = try await write(
                        id, current.draft, current, confirms: true,
                        completion: ReviewPaper.suggestedChoice(for: current, suggestions), updatesPrices: false,
                        changes)
                    if isCompleted, let day = current.draft.day { completed.insert(day) }
                }
                try await PrintedPackages.record(of: ids, changes)
                try await PriceHistory.update(ids, changes)
                try await changes.query(batch: ExpenseSums.statements(days: completed, changes.household))
                return ids.count
            }
        }
        return count
    }
}
