import Domain
import Postgres

/// The labels of expenses in the change log.
enum LabelHistory {
    /// A condition: a log entry shows the expense without the label. If the expense has the label now, the label was
    /// added again.
    ///
    /// - Parameter since: a condition that selects the log entries `c` of the expense to consider.
    static func wasMissing(
        _ label: SQL, from expense: SQL, since: SQL, _ household: HouseholdID
    ) -> SQL {
        """
        EXISTS (SELECT 1 FROM change_log c WHERE c.household_id = \(household) AND c.document_id = \(expense)
            AND c.document_type = 'expense' AND \(since) AND NOT c.deleted AND NOT c.body -> 'labels' ? \(label))
        """
    }
}
