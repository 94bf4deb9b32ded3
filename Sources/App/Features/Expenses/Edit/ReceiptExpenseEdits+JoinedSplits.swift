import Domain
import Postgres

/// The splits by line of receipts that are joined.
extension ReceiptExpenseEdits {
    /// A receipt that is split by line.
    private struct SplitPart {
        let expense: ExpenseID
        let split: LineSplit
        let lines: [SplitLine]
        /// The stored weights.
        let weights: [PersonID: Int64]
    }

    /// Gives the first receipt the splits by line of all receipts that are joined to it. Called before the lines are
    /// moved. The caller deletes the other receipts.
    ///
    /// The lines keep their people if all receipts are split by line, and the same people share their other lines. In
    /// other cases, only the shares are added, because one row cannot contain different people for different lines. If
    /// the first receipt has a split of another kind, this split stays.
    static func joinSplits(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard let first = receipts.first else { return }
        let rows = try await changes.query(
            """
            SELECT e.id, e.receipt_id, e.split, e.shared_by FROM expense e
            WHERE e.household_id = \(changes.household) AND e.receipt_id = ANY(\(receipts)) AND e.split <> ''
                AND e.discarded_at IS NULL
            ORDER BY array_position(\(receipts), e.receipt_id)
            """
        ).decode((ExpenseID, ReceiptID, String, [PersonID]).self)
        let byLine = rows.filter { $0.2 == SplitMethod.lines.rawValue }
        guard byLine.contains(where: { $0.1 != first }),
            byLine.contains(where: { $0.1 == first }) || !rows.contains(where: { $0.1 == first })
        else { return }
        var parts: [SplitPart] = []
        for (id, receipt, _, sharedBy) in byLine {
            parts.append(try await splitPart(id, receipt, sharedBy, changes))
        }
        let people = Set(parts[0].split.sharedBy)
        let keepsLines =
            parts.count == receipts.count
            && parts.allSatisfy { !$0.split.isEmpty && Set($0.split.sharedBy) == people }
        var joined = LineSplit()
        if keepsLines {
            joined.sharedBy = parts[0].split.sharedBy
            for part in parts { joined.taken.merge(part.split.taken) { first, _ in first } }
        }
        let weights = keepsLines ? joined.weights(parts.flatMap(\.lines)) : amounts(of: parts)
        guard !weights.isEmpty else { return }
        try await store(joined, weights, of: parts.map(\.expense), for: first, changes)
    }

    private static func splitPart(
        _ id: ExpenseID, _ receipt: ReceiptID, _ sharedBy: [PersonID], _ changes: HouseholdTransaction
    ) async throws -> SplitPart {
        let household = changes.household
        let rows = try await changes.query(batch: [
            SplitLine.query(receipt, household), LineSplit.query(id, household),
            "SELECT person_id, weight FROM expense_share WHERE household_id = \(household) AND expense_id = \(id)",
        ])
        let weights = try rows[2].decode((PersonID, Int64).self)
        return SplitPart(
            expense: id, split: LineSplit(taken: try LineSplit.taken(rows[1]), sharedBy: sharedBy),
            lines: try SplitLine.decode(rows[0]),
            weights: Dictionary(weights.map { ($0.0, $0.1) }) { first, _ in first })
    }

    /// Returns the amount that each person pays for the parts together, in minor units.
    private static func amounts(of parts: [SplitPart]) -> [PersonID: Int64] {
        var sums: [PersonID: Int64] = [:]
        for part in parts {
            let total = part.lines.reduce(0) { $0 + $1.amount }
            guard total > 0 else { continue }
            let weights = part.weights.sorted { $0.key < $1.key }
            for (weight, amount) in zip(weights, Division.parts(of: total, weights: weights.map(\.value))) {
                sums[weight.key, default: 0] += amount
            }
        }
        return sums.compactMapValues { $0 > 0 ? min($0, Amount.limit) : nil }
    }

    /// - Parameter expenses: the rows of the receipts that are split by line.
    private static func store(
        _ split: LineSplit, _ weights: [PersonID: Int64], of expenses: [ExpenseID], for receipt: ReceiptID,
        _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let stored = try await changes.query(
            """
            INSERT INTO expense AS e (household_id, id, receipt_id, person_id, split, shared_by)
            VALUES (\(household), \(ExpenseID.new()), \(receipt), \(changes.person), \(SplitMethod.lines.rawValue),
                \(split.sharedBy))
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET split = excluded.split, shared_by = excluded.shared_by, discarded_at = NULL, revision = e.revision + 1,
                updated_at = now()
            RETURNING e.id
            """
        ).first(ExpenseID.self)
        guard let id = stored else { return }
        let lines: SQL =
            split.isEmpty
            ? "DELETE FROM expense_line WHERE household_id = \(household) AND expense_id = ANY(\(expenses + [id]))"
            : """
            UPDATE expense_line SET expense_id = \(id)
            WHERE household_id = \(household) AND expense_id = ANY(\(expenses)) AND expense_id <> \(id)
            """
        try await changes.query(batch: [lines] + SplitEdits.shares(weights, of: id, household))
        changes.changed(.expense, id)
    }
}
