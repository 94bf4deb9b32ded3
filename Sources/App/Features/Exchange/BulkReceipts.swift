import Domain
import Postgres

/// Inserts many receipts with a few SQL statements.
enum BulkReceipts {
    /// The number of rows in one statement.
    private static let batchSize = 2_000

    /// - Parameter source: `import` or `demo`.
    static func insert(
        _ receipts: [NewReceipt], source: String, currency: Currency, _ changes: HouseholdTransaction
    ) async throws {
        for batch in receipts.batches(of: batchSize) {
            try await changes.query(statement(batch, source: source, currency: currency, changes))
        }
        let lines = receipts.flatMap { receipt in
            receipt.lines.enumerated().map { (receipt: receipt.id, position: Int32($0.offset), line: $0.element) }
        }
        for batch in lines.batches(of: batchSize) { try await changes.query(statement(batch, changes)) }
        changes.changed(.receipt, receipts.map(\.id))
    }

    private static func statement(
        _ receipts: [NewReceipt], source: String, currency: Currency, _ changes: HouseholdTransaction
    ) -> SQL {
        """
        INSERT INTO receipt (household_id, id, stage, verdict, reasons, store_id, purchase_day, purchase_time, currency,
            total_minor, person_id, source, created_at, confirmed_at)
        SELECT \(changes.household), n.id, CASE WHEN n.verdict IS NULL THEN \(Stage.confirmed.sql) ELSE \(Stage.review.sql) END, n.verdict,
            CASE WHEN n.verdict = \(Verdict.review.sql) THEN \([Reason(.unproven)]) ELSE '{}' END, n.store, n.day, n.time::time,
            \(currency), n.total, \(changes.person), \(source),
            CASE WHEN \(source) = 'demo' THEN (n.day + coalesce(n.time::time, '12:00'))::timestamptz ELSE now() END,
            CASE WHEN n.verdict IS NULL THEN now() END
        FROM unnest(\(receipts.map(\.id)), \(receipts.map(\.verdict)), \(receipts.map(\.store)),
            \(receipts.map(\.day)), \(receipts.map { $0.time?.iso }), \(receipts.map(\.totalMinor)))
            AS n (id, verdict, store, day, time, total)
        """
    }

    private static func statement(
        _ lines: [(receipt: ReceiptID, position: Int32, line: NewLine)], _ changes: HouseholdTransaction
    ) -> SQL {
        """
        INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, alias_key,
            quantity_thousandths, unit, unit_price_thousandths, total_minor, vat_class, vat_rate, bound_line_id,
            product_id, category_id)
        SELECT \(changes.household), n.* FROM unnest(
            \(lines.map(\.line.id)), \(lines.map(\.receipt)), \(lines.map(\.position)), \(lines.map(\.line.kind)),
            \(lines.map(\.line.printedName)), \(lines.map(\.line.aliasKey)),
            \(lines.map(\.line.quantity.stored.thousandths)), \(lines.map(\.line.quantity.stored.unit)),
            \(lines.map(\.line.unitPrice)), \(lines.map(\.line.totalMinor)), \(lines.map(\.line.vatClass)),
            \(lines.map(\.line.vatRate)), \(lines.map(\.line.reducedLine)), \(lines.map(\.line.product)),
            \(lines.map(\.line.category))) AS n
        """
    }
}
