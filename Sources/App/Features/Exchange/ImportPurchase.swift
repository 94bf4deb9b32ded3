import Domain

/// The key that the records of one receipt share.
struct ImportPurchase: Hashable, Sendable {
    let day: LocalDate
    let storeKey: String
    let currency: Currency
    let receipt: String?

    init(_ record: ImportRecord) {
        day = record.day
        storeKey = record.storeKey
        currency = record.price.currency
        receipt = record.receipt
    }
}
