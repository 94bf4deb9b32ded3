import Domain
import Postgres

/// How long discarded receipts and expenses can be restored.
enum ReceiptRetention {
    static let discardedDays = 30

    /// The condition on receipts or expenses of the household that were discarded more than `discardedDays` ago.
    static func isOver(_ household: HouseholdID) -> SQL {
        "household_id = \(household) AND discarded_at < now() - \(Int64(discardedDays)) * interval '1 day'"
    }
}
