import Postgres

/// The events that a webhook can receive.
enum WebhookEvent: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// A receipt was read, and waits for review or was proven.
    case receiptRead = "receipt.read"
    case receiptConfirmed = "receipt.confirmed"
    /// A product costs more than before, by the webhook's per cent or more.
    case priceRose = "price.rose"

    /// The name in forms and in keys of texts.
    var formName: String {
        switch self {
        case .receiptRead: "receipt-read"
        case .receiptConfirmed: "receipt-confirmed"
        case .priceRose: "price-rose"
        }
    }
}
