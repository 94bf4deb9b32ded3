import Domain
import Postgres

/// An expense or a confirmed receipt, with its split.
struct SplitExpense: Sendable {
    let entry: Entry
    /// The lines of the receipt; empty for an expense without a receipt.
    let lines: [SplitLine]
    /// Empty unless the receipt is split by line.
    let byLine: LineSplit
    let method: SplitMethod?
    let weights: [PersonID: Int64]
    let choices: ExpenseChoices
    /// The name of the payer, who can be a former member.
    let payerName: String?

    /// - Throws: `Refusal.notFound`.
    static func find(_ id: ExpenseID, _ member: Member, _ database: Database) async throws -> SplitExpense {
        let household = member.household
        let receipt: ReceiptID = id.relabelled()
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(Entry.columns) FROM \(Entries.source(
                    member, expenses: "e.id = \(id)", receipts: "r.id = \(receipt)", limit: 1)) n LIMIT 1
                """,
                SplitLine.query(receipt, household),
                """
                SELECT e.split, s.person_id, s.weight FROM expense e
                JOIN expense_share s ON s.household_id = e.household_id AND s.expense_id = e.id
                WHERE e.household_id = \(household) AND (e.id = \(id) OR e.receipt_id = \(receipt))
                """,
                """
                SELECT x.line_id, x.person_id FROM expense e
                JOIN expense_line x ON x.household_id = e.household_id AND x.expense_id = e.id
                WHERE e.household_id = \(household) AND e.receipt_id = \(receipt)
                """,
                "SELECT e.shared_by FROM expense e WHERE e.household_id = \(household) AND e.receipt_id = \(receipt)",
                """
                SELECT p.name FROM person p WHERE p.id = coalesce(
                    (SELECT e.paid_by FROM expense e
                        WHERE e.household_id = \(household) AND (e.id = \(id) OR e.receipt_id = \(receipt))),
                    (SELECT r.person_id FROM receipt r WHERE r.household_id = \(household) AND r.id = \(receipt)))
                """,
            ] + ExpenseChoices.queries(household))
        guard let entry = try rows[0].decode(Entry.self).first else { throw Refusal.notFound }
        let shares = try rows[2].decode((String, PersonID, Int64).self)
        return SplitExpense(
            entry: entry,
            lines: entry.isReceipt ? try SplitLine.decode(rows[1]) : [],
            byLine: LineSplit(
                taken: try LineSplit.taken(rows[3]), sharedBy: try rows[4].first([PersonID].self) ?? []),
            method: SplitMethod(rawValue: entry.split),
            weights: Dictionary(shares.map { _, person, weight in (person, weight) }) { first, _ in first },
            choices: try ExpenseChoices(rows[6...]), payerName: try rows[5].first(String.self))
    }

    /// Each member's share in minor units.
    var parts: [PersonID: Int64] {
        let people = weights.keys.sorted()
        let parts = Division.parts(of: entry.amount.minorUnits, weights: people.map { weights[$0] ?? 0 })
        return Dictionary(uniqueKeysWithValues: zip(people, parts))
    }
}
