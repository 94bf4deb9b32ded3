import Domain
import Postgres

/// The version of the rules for base prices. Prices that were stored by an earlier version are written again.
enum PriceRule {
    /// Increase this number when a change of the rules must also apply to stored prices.
    ///
    /// Version 1: the size in the printed name of a line replaces the size of the product on that date.
    static let current: Int32 = 1

    /// The number of receipts in one transaction. Writes of other members wait until the transaction ends.
    private static let batchSize = 8
    /// The number of receipts that one query reads.
    private static let pageSize: Int32 = 500

    /// Recomputes the prices of a household that an earlier version of the rules may have computed. Uses several
    /// transactions; after an interruption, the next call starts from the beginning. Has no effect if the prices are up
    /// to date.
    static func update(_ household: HouseholdID, _ database: Database) async throws {
        let stored = try await database.read(
            household, "SELECT price_rule, time_zone FROM household WHERE id = \(household)"
        ).first((Int32, String?).self)
        guard let (rule, zone) = stored, rule < current else { return }
        try await WallClock.$zone.withValue(zone.flatMap(TimeZone.named)) {
            var last: ReceiptID?
            while true {
                let rows = try await database.read(household, page(after: last, household))
                    .decode((ReceiptID, Bool).self)
                guard let (end, _) = rows.last else { return }
                for receipts in rows.filter(\.1).map(\.0).batches(of: batchSize) {
                    try await database.write(household, by: nil) { changes in
                        try await PrintedPackages.record(of: receipts, changes)
                        try await PriceHistory.update(receipts, keepsSums: true, changes)
                    }
                }
                last = end
            }
        }
        _ = try await database.store(
            household,
            "UPDATE household SET price_rule = \(current) WHERE id = \(household) AND price_rule < \(current)")
    }

    /// Selects the next receipts, and for each whether it has an item sold by piece whose product has several printed
    /// names. Version 1 of the rules changed only the base prices of such items.
    ///
    /// Both tables are read by keys, even without statistics, for example after a restore. With the conditions in the
    /// innermost queries, the planner would use partial indexes and read all lines of the household for each receipt.
    static func page(after last: ReceiptID?, _ household: HouseholdID) -> SQL {
        let isNext: SQL = last.map { "r.id > \($0)" } ?? "true"
        return """
            WITH page AS MATERIALIZED (
                SELECT r.id, r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AS is_confirmed
                FROM receipt r WHERE r.household_id = \(household) AND \(isNext) ORDER BY r.id LIMIT \(pageSize))
            SELECT r.id, r.is_confirmed AND EXISTS (
                SELECT 1 FROM (SELECT * FROM receipt_line l
                    WHERE l.household_id = \(household) AND l.receipt_id = r.id OFFSET 0) l
                WHERE l.kind = 'item' AND l.unit = 'piece' AND (SELECT count(*) FROM product_alias a
                    WHERE a.household_id = \(household) AND a.product_id = l.product_id) > 1)
            FROM page r ORDER BY r.id
            """
    }
}
