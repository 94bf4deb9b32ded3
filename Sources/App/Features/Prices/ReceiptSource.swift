import Domain
import Postgres

/// Receipts by their ids as a source `r` of a statement.
///
/// Each is looked up by its key, whatever the planner knows of the table.
enum ReceiptSource {
    static func receipts(_ ids: [ReceiptID], _ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        unnest(\(ids)::uuid[]) AS wanted (id)
        CROSS JOIN LATERAL (SELECT * FROM receipt r WHERE r.household_id = \(household) AND r.id = wanted.id
            AND \(condition) OFFSET 0) r
        """
    }
}
