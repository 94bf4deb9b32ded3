import Domain

/// The key of the records that become one receipt.
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
