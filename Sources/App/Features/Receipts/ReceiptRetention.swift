import Domain
import Postgres

/// The time during which discarded receipts and expenses can be restored.
enum ReceiptRetention {
    static let discardedDays = 30

    /// A condition: the receipt or expense of the household was discarded more than `discardedDays` ago.
    static func isOver(_ household: HouseholdID) -> SQL {
        "household_id = \(household) AND discarded_at < now() - \(Int64(discardedDays)) * interval '1 day'"
    }
}
