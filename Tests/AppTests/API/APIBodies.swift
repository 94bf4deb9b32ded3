import HTTP

@testable import App

/// Valid JSON bodies of the routes of the API.
enum APIBodies {
    /// - Parameter fields: what forms send, by the names that `TenantMatrixTests` gives them.
    static func of(_ route: Route<Endpoint>, _ fields: [String: String]) -> String {
        func field(_ name: String) -> String { fields[name] ?? "" }
        switch "\(route.method.name) \(route.pattern)" {
        case "POST /api/v1/receipts/{receipt}/confirmation": return #"{"accepts_unusual_amounts": true}"#
        case "POST /api/v1/receipts/{receipt}/lines": return #"{"printed_name": "SEMMEL", "total_minor": 100}"#
        case "PATCH /api/v1/receipts/{receipt}": return #"{"store": "Greissler"}"#
        case "PATCH /api/v1/products/{product}":
            return field("category").isEmpty ? "{}" : #"{"category_id": "\#(field("category"))"}"#
        case "PUT /api/v1/products/{product}/packages/{day}": return #"{"amount_thousandths": 250, "unit": "l"}"#
        case "POST /api/v1/stores/{store}/removal": return #"{"into": "\#(field("other-store"))"}"#
        case "POST /api/v1/categories/{category}/removal": return #"{"into": "\#(field("other-category"))"}"#
        case "POST /api/v1/groups":
            return #"{"name": "\#(field("name"))", "unit": "l", "product_ids": ["\#(field("product"))"]}"#
        case "PATCH /api/v1/groups/{group}":
            return #"{"product_ids": ["\#(field("product"))"]}"#
        case "PATCH /api/v1/members/{person}": return #"{"role": "owner"}"#
        case "POST /api/v1/wines/batch-match": return #"{"queries": ["\#(field("name"))"]}"#
        case "POST /api/v1/keys": return #"{"name": "Test", "scopes": ["read"]}"#
        case "POST /api/v1/webhooks":
            return #"{"url": "http://127.0.0.1:1/", "events": ["receipt.read", "price.rose"]}"#
        default: return "{}"
        }
    }
}
