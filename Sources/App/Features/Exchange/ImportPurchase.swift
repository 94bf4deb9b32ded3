import Domain

/// The key that the records of one receipt share.
struct ImportPurchase: Hashable, Sendable {
    let day: LocalDate
    let shop: String
    let currency: Currency
    let receipt: String?

    init(_ record: ImportRecord) {
        day = record.day
        shop = record.shopKey
        currency = record.price.currency
        receipt = record.receipt
    }
}
