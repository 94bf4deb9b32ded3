import Domain
import Postgres

/// The version of the rules for base prices. Prices that were stored by an earlier version are written again.
enum PriceRule {
    /// Increase this number when a change of the rules must also apply to stored prices.
    ///
    /// Version 1: the size in the printed name of a line replaces the size of the product on that date.
    static let current: Int32 = 1

    /// The number of receipts in one transaction. Writes of other members wait until the transaction ends.
    private static let batchSize: Int32 = 20

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
                let receipts = try await database.read(household, next(after: last, household)).decode(ReceiptID.self)
                guard let end = receipts.last else { return }
                try await database.write(household, by: nil) { changes in
                    try await PrintedPackages.record(of: receipts, changes)
                    try await PriceHistory.update(receipts, changes)
                }
                last = end
            }
        }
        _ = try await database.store(
            household,
            "UPDATE household SET price_rule = \(current) WHERE id = \(household) AND price_rule < \(current)")
    }

    /// Selects the next receipts that have an item sold by piece whose product has several printed names. Version 1 of
    /// the rules changed only their base prices.
    private static func next(after last: ReceiptID?, _ household: HouseholdID) -> SQL {
        let isNext: SQL = last.map { "r.id > \($0)" } ?? "true"
        return """
            SELECT r.id FROM receipt r
            WHERE r.household_id = \(household) AND \(isNext) AND r.stage = \(Stage.confirmed.sql)
                AND r.discarded_at IS NULL
                AND EXISTS (SELECT 1 FROM receipt_line l
                    WHERE l.household_id = r.household_id AND l.receipt_id = r.id AND l.kind = 'item'
                        AND l.unit = 'piece' AND (SELECT count(*) FROM product_alias a
                            WHERE a.household_id = l.household_id AND a.product_id = l.product_id) > 1)
            ORDER BY r.id LIMIT \(batchSize)
            """
    }
}
