import Domain
import Postgres

/// Publishes receipts after their date `hidden_until`: adds them to the sums, and makes them visible to the sync
/// clients of all members.
enum Publication {
    /// - Returns: the number of published receipts.
    static func publish(_ household: HouseholdID, atMost maximum: Int32, _ database: Database) async throws -> Int32 {
        let name =
            try await database.read(household, "SELECT time_zone FROM household WHERE id = \(household)")
            .first(String?.self) ?? nil
        return try await WallClock.$zone.withValue(name.flatMap(TimeZone.named)) {
            let due = Self.dueReceipts(household, atMost: maximum)
            // Avoids the household's lock if there is nothing to publish.
            guard try await !database.read(household, due).isEmpty else { return 0 }
            return try await database.write(household, by: nil) { changes in
                let receipts = try await changes.query(due).decode(ReceiptID.self)
                try await PrintedPackages.record(of: receipts, changes)
                try await PriceHistory.update(receipts, changes)
                try await log(receipts, changes)
                return Int32(receipts.count)
            }
        }
    }

    /// Writes receipts whose date has passed to the change log, with their images and expenses.
    static func log(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        guard !receipts.isEmpty else { return }
        let household = changes.household
        let rows = try await changes.query(batch: [
            "UPDATE receipt SET revision = revision + 1 WHERE household_id = \(household) AND id = ANY(\(receipts))",
            "SELECT id FROM receipt_file WHERE household_id = \(household) AND receipt_id = ANY(\(receipts))",
        ])
        changes.changed(.receipt, receipts)
        changes.changed(.image, try rows[1].decode(FileID.self))
    }

    /// Selects receipts whose date `hidden_until` has passed, and that are not in the sums yet or are still private to
    /// their uploader. Earlier versions added receipts to the sums without making them visible to sync clients.
    private static func dueReceipts(_ household: HouseholdID, atMost maximum: Int32) -> SQL {
        """
        SELECT r.id FROM receipt r
        WHERE r.household_id = \(household) AND r.hidden_until <= \(WallClock.today())
            AND (r.booked_month IS NULL AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                    AND r.purchase_day IS NOT NULL
                OR EXISTS (SELECT 1 FROM sync_document s WHERE s.household_id = r.household_id
                    AND s.document_type = 'receipt' AND s.document_id = r.id AND NOT s.deleted
                    AND s.private_to IS NOT NULL))
        ORDER BY r.id LIMIT \(maximum)
        """
    }
}
