import Postgres

/// `PriceObservation.isNewer(than:)` as ORDER BY over rows of `price`.
enum PriceOrder {
    /// The newest price first.
    static func newestFirst(_ price: SQL) -> SQL {
        "\(price).day DESC, \(price).regular_thousandths DESC, \(price).id DESC"
    }

    /// The first day's price comes first.
    static func oldestFirst(_ price: SQL) -> SQL {
        "\(price).day, \(price).regular_thousandths DESC, \(price).id DESC"
    }
}
