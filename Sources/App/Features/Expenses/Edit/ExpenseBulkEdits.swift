import Domain
import Postgres

/// Deletes and restores any number of expenses without a receipt in one transaction. Also changes values of expenses
/// and receipts.
struct ExpenseBulkEdits: Sendable {
    let database: Database

    /// Marks expenses as deleted. They can be restored until the sweeper removes them.
    ///
    /// - Parameter revision: the expected revision of a single expense; nil for any.
    /// - Returns: the expenses that were not deleted before.
    /// - Throws: `Conflict` for another revision; `AlreadyDeleted`; `Refusal.notFound` if the member may not see one of
    ///   them.
    @discardableResult
    func discard(_ ids: [ExpenseID], revision: Int64? = nil, by member: Member) async throws -> [ExpenseID] {
        var discarded: [ExpenseID] = []
        try await change(ids, by: member) { stored, changes in
            if let revision, stored.count == 1, !stored[0].isDiscarded {
                try Conflict.requireRevision(stored[0].revision, shown: revision)
            }
            let undeleted = stored.filter { !$0.isDiscarded }
            try await Self.update(undeleted, "discarded_at = now()", changes)
            discarded = undeleted.map(\.id)
        }
        return discarded
    }

    /// Restores expenses. An expense of a bank file that was joined with another entry gets its lines back, so that both
    /// entries are separate payments again.
    func restore(_ ids: [ExpenseID], by member: Member) async throws {
        try await change(ids, by: member) { stored, changes in
            let discarded = stored.filter(\.isDiscarded)
            try await Self.update(discarded, "discarded_at = NULL", changes)
            try await BankPairEdits.separate(discarded.map(\.id), changes)
        }
    }

    /// Restores an expense and the others that were deleted in the same transaction.
    ///
    /// - Returns: the number of restored expenses.
    func restoreTogether(_ id: ExpenseID, by member: Member) async throws -> Int {
        let household = member.household
        let ids = try await database.read(
            household,
            """
            SELECT e.id FROM expense g
            JOIN expense e ON e.household_id = g.household_id AND e.discarded_at = g.discarded_at
            WHERE g.household_id = \(household) AND g.id = \(id) AND e.receipt_id IS NULL
                AND \(ExpenseVisibility.condition(member))
            """
        ).decode(ExpenseID.self)
        try await restore(ids, by: member)
        return ids.count
    }

    /// Runs `body` with the stored expenses, including deleted ones, in one transaction.
    ///
    /// - Throws: `AlreadyDeleted` if one of them was removed; `Refusal.notFound` if the member may not see one of them;
    ///   the errors of `body`.
    func change(
        _ ids: [ExpenseID], by member: Member,
        _ body: ([StoredExpense], HouseholdTransaction) async throws -> Void
    ) async throws {
        let ids = Set(ids).sorted()
        guard !ids.isEmpty else { return }
        try await database.write(member.household, by: member.person) { changes in
            let stored = try await changes.query(StoredExpense.query(ids, member)).decode(StoredExpense.self)
            let found = Set(stored.map(\.id))
            if let missing = ids.first(where: { !found.contains($0) }) {
                throw try await changes.errorForMissing(missing)
            }
            try await body(stored, changes)
        }
    }

    private static func update(
        _ stored: [StoredExpense], _ assignment: SQL, _ changes: HouseholdTransaction
    ) async throws {
        try await update(stored.map(\.id), days: Set(stored.map(\.day)), assignment, changes)
    }

    /// Writes an assignment to rows `e` of `expense`, and recomputes the sums of their days.
    ///
    /// - Parameters:
    ///   - days: the days of expenses without a receipt.
    ///   - receiptDays: the days of receipts.
    static func update(
        _ ids: [ExpenseID], days: Set<LocalDate>, receiptDays: Set<LocalDate> = [], _ assignment: SQL,
        _ changes: HouseholdTransaction
    ) async throws {
        guard !ids.isEmpty else { return }
        let household = changes.household
        try await changes.query(
            """
            UPDATE expense e SET \(assignment), revision = e.revision + 1, updated_at = now()
            WHERE e.household_id = \(household) AND e.id = ANY(\(ids))
            """)
        changes.changed(.expense, ids)
        try await changes.query(
            batch: RollUps.spending(days: receiptDays, household)
                + ExpenseSums.statements(days: days.subtracting(receiptDays), household))
    }

    /// Removes expenses that were marked as deleted longer ago than the retention period, which is the same as for
    /// receipts. Logs a tombstone for each, so that sync clients delete it.
    ///
    /// - Returns: the number of removed expenses.
    static func deleteDiscarded(_ household: HouseholdID, atMost maximum: Int32, _ database: Database) async throws
        -> Int32
    {
        let due = ReceiptRetention.isOver(household)
        // Check without a lock first, because usually there is nothing to delete.
        guard try await !database.read(household, "SELECT 1 FROM expense WHERE \(due) LIMIT 1").isEmpty else {
            return 0
        }
        return try await database.write(household, by: nil) { changes in
            let expenses = try await changes.query(
                """
                DELETE FROM expense e WHERE e.household_id = \(household) AND e.id = ANY(ARRAY(
                    SELECT id FROM expense WHERE \(due) ORDER BY discarded_at, id LIMIT \(maximum)))
                RETURNING e.id, e.revision, (SELECT date_trunc('month', r.purchase_day)::date FROM receipt r
                    WHERE r.household_id = \(household) AND r.id = e.receipt_id)
                """
            ).decode((ExpenseID, Int64, LocalDate?).self)
            try await changes.query(
                ForgottenDocuments.erasing(
                    "SELECT 'expense', id FROM unnest(\(expenses.map(\.0))::uuid[]) AS id", household))
            for (id, revision, _) in expenses { changes.deleted(.expense, id, lastRevision: revision) }
            // The row of a receipt has an effect on the sums until it is removed.
            let months = Set(expenses.compactMap(\.2)).sorted()
            if !months.isEmpty { try await changes.query(batch: RollUps.spending(months, household)) }
            return Int32(expenses.count)
        }
    }
}
