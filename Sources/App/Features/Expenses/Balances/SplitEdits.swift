import Domain
import Postgres

/// Splits expenses between members.
struct SplitEdits: Sendable {
    let database: Database

    /// - Parameters:
    ///   - method: the method of the split; nil to remove the split.
    ///   - byLine: the people of each line, for a split by line.
    ///   - paidBy: the payer, who must be a member or the stored payer; nil to keep the stored payer.
    ///   - isDefault: whether the split becomes the default split of the expense's category; false to remove the
    ///     default split, nil to keep it.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`, `Refusal.badRequest`.
    func split(
        _ entry: Entry, _ method: SplitMethod?, _ weights: [PersonID: Int64], byLine: LineSplit = LineSplit(),
        paidBy: PersonID?, isDefault: Bool? = nil, revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let people = try await changes.query(
                "SELECT person_id FROM membership WHERE household_id = \(household)"
            ).decode(PersonID.self)
            guard weights.keys.allSatisfy(people.contains), byLine.sharedBy.allSatisfy(people.contains),
                byLine.taken.values.allSatisfy(people.contains),
                paidBy == nil || paidBy == entry.paidBy || paidBy.map(people.contains) == true
            else {
                throw Refusal.badRequest
            }
            let (id, day) = try await row(of: entry, revision: revision, member, changes)
            try await changes.query(
                batch: [
                    """
                    UPDATE expense SET split = \(method?.rawValue ?? ""), paid_by = coalesce(\(paidBy), paid_by),
                        revision = revision + 1, updated_at = now() WHERE household_id = \(household) AND id = \(id)
                    """
                ] + Self.shares(weights, of: id, household) + byLine.replacing(on: id, household))
            changes.changed(.expense, id)
            if let isDefault, let category = entry.ownCategory {
                let split = isDefault ? method.map { CategorySplit(method: $0, weights: weights) } : nil
                try await CategorySplit.store(split, for: category, changes)
            }
            try await changes.query(batch: ExpenseSums.statements(days: [day], household))
        }
    }

    /// - Throws: `AlreadyDeleted`, `Refusal.notFound`.
    func removeDefault(of category: CategoryID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            guard try await CategorySplit.store(nil, for: category, changes) else {
                throw try await changes.errorForMissing(category)
            }
        }
    }

    /// Returns statements that replace the shares.
    static func shares(_ weights: [PersonID: Int64], of id: ExpenseID, _ household: HouseholdID) -> [SQL] {
        [
            "DELETE FROM expense_share WHERE household_id = \(household) AND expense_id = \(id)",
            """
            INSERT INTO expense_share (household_id, expense_id, person_id, weight)
            SELECT \(household), \(id), t.person_id, t.weight
            FROM unnest(\(weights.keys.sorted())::uuid[], \(weights.sorted { $0.key < $1.key }.map(\.value))::bigint[])
                AS t (person_id, weight)
            """,
        ]
    }

    /// Returns the row of `expense` to which the shares refer, and the stored day, which may have changed since the
    /// entry was shown. Creates the row of a receipt that has none.
    private func row(
        of entry: Entry, revision: Int64, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> (id: ExpenseID, day: LocalDate) {
        guard entry.isReceipt else {
            let stored = try await changes.query(StoredExpense.query([entry.id], member)).decode(StoredExpense.self)
                .first
            guard let stored, !stored.isDiscarded else { throw try await changes.errorForMissing(entry.id) }
            try Conflict.requireRevision(stored.revision, shown: revision)
            guard !stored.isPersonal, stored.kind != .withdrawal else { throw Refusal.badRequest }
            return (entry.id, stored.day)
        }
        return try await ReceiptExpenseEdits.row(of: entry.id.relabelled(), revision: revision, member, changes)
    }
}
