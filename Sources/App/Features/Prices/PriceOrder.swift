import Postgres

/// The domain's `PriceObservation.isNewer(than:)` as orders of rows of `price`, the one rule of which price of a day counts.
enum PriceOrder {
    /// The price that holds comes first.
    static func newestFirst(_ price: SQL) -> SQL {
        "\(price).day DESC, \(price).regular_thousandths DESC, \(price).id DESC"
    }

    /// The first day's price comes first.
    static func oldestFirst(_ price: SQL) -> SQL {
        "\(price).day, \(price).regular_thousandths DESC, \(price).id DESC"
    }
}
