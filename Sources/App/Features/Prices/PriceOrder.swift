import Postgres

/// The order of `PriceObservation.isNewer(than:)` as an ORDER BY list for rows of `price`.
enum PriceOrder {
    /// The newest price first.
    static func newestFirst(_ price: SQL) -> SQL {
        "\(price).day DESC, \(price).regular_thousandths DESC, \(price).id DESC"
    }

    /// The oldest price first.
    static func oldestFirst(_ price: SQL) -> SQL {
        "\(price).day, \(price).regular_thousandths DESC, \(price).id DESC"
    }
}
