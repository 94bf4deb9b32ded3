import Postgres

/// The events that a webhook can receive.
enum WebhookEvent: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// A receipt was read; it is verified or needs review.
    case receiptRead = "receipt.read"
    case receiptConfirmed = "receipt.confirmed"
    /// The price of a product rose by at least the webhook's percentage.
    case priceRose = "price.rose"

    /// The name in forms and text keys.
    var formName: String {
        switch self {
        case .receiptRead: "receipt-read"
        case .receiptConfirmed: "receipt-confirmed"
        case .priceRose: "price-rose"
        }
    }
}
