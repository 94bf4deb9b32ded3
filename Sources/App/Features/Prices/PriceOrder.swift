import Postgres

/// Orders of prices as ORDER BY lists for rows of `price`. Of several prices of a day, the one that
/// `PriceObservation.isNewer(than:)` prefers is first in both orders.
enum PriceOrder {
    /// The latest day first.
    static func newestFirst(_ price: SQL) -> SQL {
        "\(price).day DESC, \(price).regular_thousandths DESC, \(price).id DESC"
    }

    /// The earliest day first.
    static func oldestFirst(_ price: SQL) -> SQL {
        "\(price).day, \(price).regular_thousandths DESC, \(price).id DESC"
    }
}
