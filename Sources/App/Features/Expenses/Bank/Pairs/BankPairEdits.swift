import Domain
import Postgres

/// Decisions about probable pairs. Each operation is one transaction.
struct BankPairEdits: Sendable {
    let database: Database

    /// Stores a person's decision about an expense of an import and another entry.
    ///
    /// If both are the same payment, the lines of the expense are linked with the other entry, as an import links a line
    /// with a matched entry, and the expense is marked as deleted.
    ///
    /// - Parameter other: the identifier of a receipt or of an expense.
    /// - Returns: the identifier of the decision, to undo it; nil if a person has decided before, or if the pair is no
    ///   longer probable.
    /// - Throws: `Refusal.notFound` if the member may not see the expense.
    func decide(_ expense: ExpenseID, _ other: ExpenseID, isSame: Bool, by member: Member) async throws -> BankPairID? {
        try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                BankPair.query(.pair(expense, other), member), StoredExpense.query([expense], member),
            ])
            guard !rows[1].isEmpty else { throw Refusal.notFound }
            guard let pair = try rows[0].decode(BankPair.self).first else { return nil }
            guard isSame else {
                return try await Self.refuse([(expense: pair.expense, other: pair.other)], changes).first
            }
            return try await Self.join(pair, changes)
        }
    }

    /// Stores that expenses of an import and other entries are different payments.
    ///
    /// - Returns: the identifiers of the new decisions.
    @discardableResult
    static func refuse(
        _ pairs: [(expense: ExpenseID, other: BankMatching.Candidate)], _ changes: HouseholdTransaction
    ) async throws -> [BankPairID] {
        guard !pairs.isEmpty else { return [] }
        let household = changes.household
        return try await changes.query(
            """
            INSERT INTO bank_pair (household_id, id, expense_id, receipt_id, other_id, is_same)
            SELECT \(household), t.id, t.expense, r.id, e.id, false
            FROM unnest(\(pairs.map { _ in BankPairID.new() })::uuid[], \(pairs.map { $0.expense })::uuid[],
                \(pairs.map { $0.other.id })::uuid[], \(pairs.map { $0.other.isReceipt })::boolean[])
                AS t (id, expense, other, is_receipt)
            LEFT JOIN receipt r ON r.household_id = \(household) AND r.id = t.other AND t.is_receipt
            LEFT JOIN expense e ON e.household_id = \(household) AND e.id = t.other AND NOT t.is_receipt
            WHERE (r.id IS NULL) <> (e.id IS NULL)
            ON CONFLICT DO NOTHING RETURNING id
            """
        ).decode(BankPairID.self)
    }

    private static func join(_ pair: BankPair, _ changes: HouseholdTransaction) async throws -> BankPairID? {
        let household = changes.household
        let other = pair.other
        let receipt: ReceiptID? = other.isReceipt ? other.id.relabelled(IdentifierTag.Receipt.self) : nil
        let expense: ExpenseID? = other.isReceipt ? nil : other.id
        var (days, months, hasStated) = (Set([pair.day]), Set<LocalDate>(), false)
        if let receipt {
            let stated = try await BankConfirmation.stateAmounts(
                of: [(receipt: receipt, amount: pair.booking.amount)], changes)
            (months, hasStated) = (stated.months, !stated.receipts.isEmpty)
        } else {
            let stated = try await BankConfirmation.storePayments(
                [(expense: other.id, booking: pair.booking)], changes)
            hasStated = !stated.isEmpty
            days.insert(other.day)
        }
        let lines = try await changes.query(
            """
            SELECT b.id, b.import_id FROM bank_booking b
            WHERE b.household_id = \(household) AND b.expense_id = \(pair.expense)
            ORDER BY b.is_made DESC, b.day, b.id
            """
        ).decode((BankBookingID, BankImportID).self)
        let ids = lines.map(\.0)
        let rows = try await changes.query(batch: [
            """
            UPDATE bank_booking b SET expense_id = \(expense)::uuid, receipt_id = \(receipt)::uuid, is_made = false,
                has_stated = \(hasStated) AND b.id = \(ids.first)::uuid
            WHERE b.household_id = \(household) AND b.id = ANY(\(ids))
            """,
            """
            INSERT INTO bank_pair (household_id, id, expense_id, receipt_id, other_id, is_same, booking_ids)
            VALUES (\(household), \(BankPairID.new()), \(pair.expense), \(receipt), \(expense), true, \(ids))
            RETURNING id
            """,
        ])
        try await BankConfirmation.recordChange(of: lines.map(\.1), changes)
        if !months.isEmpty { try await changes.query(batch: RollUps.spending(months.sorted(), household)) }
        try await ExpenseBulkEdits.update([pair.expense], days: days, "discarded_at = now()", changes)
        return try rows[1].first(BankPairID.self)
    }
}
