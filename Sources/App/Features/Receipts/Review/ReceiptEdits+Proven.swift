import Domain
import Postgres

/// Confirming proven receipts without a review.
extension ReceiptEdits {
    /// The maximum number of receipts that one request confirms.
    private static let maximumAtOnce: Int32 = 500

    /// Selects receipts that can be confirmed without a review, oldest first: proven receipts that are not duplicates,
    /// with a store and a day that is not in the future.
    private static func confirmableReceipts(_ member: Member) -> SQL {
        """
        SELECT r.id FROM receipt r WHERE r.household_id = \(member.household) AND r.stage = \(Stage.review.sql)
            AND r.verdict = \(Verdict.proven.sql) AND r.purchase_day <= \(WallClock.today())
            AND (r.store_id IS NOT NULL OR r.printed_store ->> 'name' <> '') AND NOT \(Duplicates.condition())
            AND r.discarded_at IS NULL AND \(Visibility.condition(member))
        ORDER BY r.created_at LIMIT \(maximumAtOnce)
        """
    }

    /// The number of receipts that `confirmProven` would confirm.
    static func readyCount(_ member: Member) -> SQL { "SELECT count(*) FROM (\(confirmableReceipts(member))) ready" }

    /// The number of receipts in one transaction. Writes of other members wait until the transaction ends.
    private static let batchSize = 8

    /// Confirms the receipts that `confirmableReceipts` selects, at most `maximumAtOnce`. Other receipts are left
    /// unchanged.
    ///
    /// When a transaction fails, receipts of earlier transactions stay confirmed.
    func confirmProven(_ member: Member) async throws -> ProvenConfirmation {
        let rows = try await database.read(
            member.household,
            batch: [Self.confirmableReceipts(member), "SELECT sync_seq FROM household WHERE id = \(member.household)"])
        let waiting = try rows[0].decode(ReceiptID.self)
        guard !waiting.isEmpty else { return ProvenConfirmation(count: 0, changes: nil) }
        // Loaded once: the suggestions depend only on categories that people chose, and this function stores no choices
        // of people.
        let suggestions = try await ExpenseSuggestions.load(member, database)
        var confirmed: [ReceiptID] = []
        for batch in waiting.batches(of: Self.batchSize) {
            confirmed += try await database.write(member.household, by: member.person) { changes -> [ReceiptID] in
                // Another member may have changed or confirmed the receipts since.
                let ids = try await changes.query(
                    "SELECT w.id FROM (\(Self.confirmableReceipts(member))) w WHERE w.id = ANY(\(Array(batch)))"
                ).decode(ReceiptID.self)
                for id in ids {
                    let current = try await load(id, member, changes)
                    try await write(
                        id, current.draft, current, confirms: true,
                        completion: ReviewPaper.suggestedChoice(for: current, suggestions), updatesPrices: false,
                        changes)
                }
                try await PrintedPackages.record(of: ids, changes)
                try await PriceHistory.update(ids, changes)
                return ids
            }
        }
        return ProvenConfirmation(
            count: confirmed.count,
            changes: try await loggedChanges(of: confirmed, since: try rows[1].first(Int64.self) ?? 0, member))
    }

    /// Returns the range of the change log that contains the member's changes of these receipts after `sequence`; nil
    /// if there are no changes.
    private func loggedChanges(
        of receipts: [ReceiptID], since sequence: Int64, _ member: Member
    ) async throws -> ClosedRange<Int64>? {
        let bounds = try await database.read(
            member.household,
            """
            SELECT min(seq), max(seq) FROM change_log
            WHERE household_id = \(member.household) AND document_id = ANY(\(receipts)) AND document_type = 'receipt'
                AND person_id = \(member.person) AND seq > \(sequence)
            """
        ).first((Int64?, Int64?).self)
        guard let first = bounds?.0, let last = bounds?.1, first <= last else { return nil }
        return first...last
    }

    /// Undoes `confirmProven`: moves its receipts back to the review, except receipts that were changed since.
    ///
    /// - Parameter logged: the range of the change log with the confirmations.
    /// - Returns: the number of receipts that wait again; 0 if the confirmation was undone before.
    func undoProven(_ logged: ClosedRange<Int64>, _ member: Member) async throws -> Int {
        let confirmed = Self.confirmed(in: logged, member)
        let receipts = try await database.read(member.household, confirmed).decode(ReceiptID.self)
        var count = 0
        for batch in receipts.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes -> Int in
                // Another member may have changed the receipts since.
                let ids = try await changes.query(
                    "SELECT c.id FROM (\(confirmed)) c WHERE c.id = ANY(\(Array(batch)))"
                ).decode(ReceiptID.self)
                guard !ids.isEmpty else { return 0 }
                try await reopen(ids, changes)
                return ids.count
            }
        }
        return count
    }

    /// Selects the proven receipts that the member confirmed in a range of the change log, except receipts that were
    /// changed since.
    private static func confirmed(in logged: ClosedRange<Int64>, _ member: Member) -> SQL {
        let household = member.household
        return """
            SELECT r.id FROM change_log c
            JOIN receipt r ON r.household_id = c.household_id AND r.id = c.document_id AND r.revision = c.revision
            WHERE c.household_id = \(household) AND c.seq BETWEEN \(logged.lowerBound) AND \(logged.upperBound)
                AND c.document_type = 'receipt' AND c.person_id = \(member.person) AND NOT c.deleted
                AND r.stage = \(Stage.confirmed.sql) AND r.verdict = \(Verdict.proven.sql) AND r.discarded_at IS NULL
                AND \(Visibility.condition(member))
                -- The change confirmed the receipt; it was not confirmed before.
                AND NOT EXISTS (SELECT 1 FROM (SELECT l.body FROM change_log l
                        WHERE l.household_id = \(household) AND l.document_id = c.document_id
                            AND l.document_type = 'receipt' AND l.revision < c.revision
                        ORDER BY l.revision DESC LIMIT 1) before
                    WHERE before.body ->> 'stage' = \(Stage.confirmed.sql))
            ORDER BY c.seq LIMIT \(maximumAtOnce)
            """
    }
}

/// The result of confirming all proven receipts.
struct ProvenConfirmation: Sendable {
    let count: Int
    /// The range of the change log with the confirmations; nil if no receipt was confirmed.
    let changes: ClosedRange<Int64>?

    /// The longest range of the log that an undo searches. The range also contains entries of images, of expenses and
    /// of other members.
    private static let maximumRange: Int64 = 50_000

    /// A path to which a POST undoes the confirmation.
    var undo: String? {
        changes.map { "/receipts/confirmations/removal?changes=\($0.lowerBound)-\($0.upperBound)" }
    }

    /// Parses the value of `changes` in the path.
    static func changes(parsing text: String) -> ClosedRange<Int64>? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first >= 0, first <= last,
            last - first <= maximumRange
        else { return nil }
        return first...last
    }
}
