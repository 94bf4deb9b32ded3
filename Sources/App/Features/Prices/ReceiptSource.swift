import Domain
import Postgres

/// Receipts with given identifiers as the source `r` of a statement.
///
/// Each receipt is looked up by its key, regardless of the planner's estimates.
enum ReceiptSource {
    static func receipts(_ ids: [ReceiptID], _ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        unnest(\(ids)::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.id = wanted.id
            AND \(condition) OFFSET 0) r
        """
    }
}
