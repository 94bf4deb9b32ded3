import Domain
import Postgres

/// The part of a receipt's amount that belongs to one category.
struct CategoryPart: RowDecodable, Sendable {
    let receipt: ReceiptID
    /// Nil for lines without a category.
    let category: CategoryID?
    /// In minor units of the receipt's currency.
    let minorUnits: Int64

    init(from row: inout RowReader) throws(PostgresError) {
        receipt = try row.next()
        category = try row.next()
        minorUnits = try row.next()
    }

    /// Returns the parts of each receipt among the entries, the largest first. The parts of a receipt add up to its
    /// amount.
    static func of(
        _ entries: [Entry], _ household: HouseholdID, _ database: Database
    ) async throws -> [ExpenseID: [CategoryPart]] {
        let receipts: [ReceiptID] = entries.filter(\.isReceipt).map { $0.id.relabelled() }
        guard !receipts.isEmpty else { return [:] }
        let parts = try await database.read(household, query(receipts, household)).decode(CategoryPart.self)
        return Dictionary(grouping: parts) { $0.receipt.relabelled() }
    }

    /// Selects the amounts of each category, by the rule of `RollUps.amounts`.
    private static func query(_ receipts: [ReceiptID], _ household: HouseholdID) -> SQL {
        let source: SQL = """
            \(ReceiptSource.receipts(receipts, household))
            \(RollUps.receiptExpense(household))
            """
        return """
            SELECT x.receipt_id, nullif(x.category_id, \(ExpenseSums.none)), sum(x.amount)::bigint FROM (
                SELECT r.id AS receipt_id, \(RollUps.spentCategory(household)) AS category_id, l.total_minor AS amount
                FROM \(source)
                JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
                \(RollUps.categoryLookup(household))
                UNION ALL
                SELECT r.id, \(RollUps.receiptCategory), r.total_minor - l.total
                FROM \(source)
                CROSS JOIN LATERAL (SELECT coalesce(sum(a.total_minor), 0)::bigint AS total FROM receipt_line a
                    WHERE a.household_id = r.household_id AND a.receipt_id = r.id) l
                WHERE r.total_minor <> l.total) x
            GROUP BY 1, 2 HAVING sum(x.amount) <> 0 ORDER BY 1, 3 DESC, 2
            """
    }
}
