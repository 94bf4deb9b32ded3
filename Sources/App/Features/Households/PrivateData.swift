import Domain
import Postgres

/// Deletes the private data of a member who leaves. No other member can see or delete these data.
enum PrivateData {
    /// Deletes the bank files of the person with their lines, the personal recurring expenses, and what the person typed
    /// in reviews. Marks the personal expenses as deleted; the sweeper removes them later. Hidden receipts stay, because
    /// all members may see them from a certain date on.
    static func delete(of person: PersonID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            DELETE FROM bank_import WHERE household_id = \(household) AND person_id = \(person)
            RETURNING id, revision, confirmed_at IS NOT NULL
            """,
            """
            DELETE FROM recurring_expense WHERE household_id = \(household) AND person_id = \(person) AND is_personal
            RETURNING id, revision
            """,
            """
            SELECT id, day FROM expense WHERE household_id = \(household) AND person_id = \(person) AND is_personal
                AND receipt_id IS NULL AND discarded_at IS NULL
            """,
            "DELETE FROM review_draft WHERE household_id = \(household) AND person_id = \(person)",
        ])
        // Files that were not imported are not documents.
        let files = try rows[0].decode((BankImportID, Int64, Bool).self).filter(\.2)
        for (id, revision, _) in files { changes.deleted(.bankFile, id, lastRevision: revision) }
        let recurring = try rows[1].decode((RecurringExpenseID, Int64).self)
        for (id, revision) in recurring { changes.deleted(.recurringExpense, id, lastRevision: revision) }
        try await erase(.bankFile, files.map { $0.0.relabelled() }, changes)
        try await erase(.recurringExpense, recurring.map { $0.0.relabelled() }, changes)
        let expenses = try rows[2].decode((ExpenseID, LocalDate).self)
        try await ExpenseBulkEdits.update(
            expenses.map(\.0), days: Set(expenses.map(\.1)), "discarded_at = now()", changes)
    }

    /// Erases the logged contents of documents.
    private static func erase(
        _ type: DocumentType, _ ids: [Identifier<Void>], _ changes: HouseholdTransaction
    ) async throws {
        guard !ids.isEmpty else { return }
        try await changes.query(
            ForgottenDocuments.erasing(
                "SELECT \(type.rawValue)::text, id FROM unnest(\(ids)::uuid[]) AS id", changes.household))
    }
}
