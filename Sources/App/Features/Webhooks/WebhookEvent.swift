import Postgres

/// The events that can be sent to a webhook.
enum WebhookEvent: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// A receipt was read. It is now verified or needs review.
    case receiptRead = "receipt.read"
    case receiptConfirmed = "receipt.confirmed"
    /// The price of a product rose by at least the webhook's percentage.
    case priceRose = "price.rose"

    /// The name of the event in forms and text keys.
    var formName: String {
        switch self {
        case .receiptRead: "receipt-read"
        case .receiptConfirmed: "receipt-confirmed"
        case .priceRose: "price-rose"
        }
    }
}
