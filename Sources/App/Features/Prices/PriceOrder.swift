import Postgres

/// ORDER BY lists for rows of `price`. For several prices of one day, both orders start with the price that is newest
/// by `PriceObservation.isNewer(than:)`.
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
