import Domain
import Postgres

/// Receipts as the source `r` of a statement.
enum ReceiptSource {
    /// Receipts with given identifiers. Each is looked up by its key, regardless of the planner's estimates.
    static func receipts(_ ids: [ReceiptID], _ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        unnest(\(ids)::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.id = wanted.id
            AND \(condition) OFFSET 0) r
        """
    }

    /// Receipts that count in prices and sums (`PriceHistory`), in ranges of days. Each range is read from the index by
    /// day.
    ///
    /// - Parameter ranges: a table expression with the ranges as `t`, from `first` up to but not including `next`.
    static func counted(in ranges: SQL, _ household: HouseholdID) -> SQL {
        """
        \(ranges)
        CROSS JOIN LATERAL (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.purchase_day >= t.first
            AND r.purchase_day < t.next AND r.booked_month IS NOT NULL AND r.discarded_at IS NULL OFFSET 0) r
        """
    }
}
