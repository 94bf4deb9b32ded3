import HTTP

@testable import App

/// Valid JSON bodies for requests to the API's routes.
enum APIBodies {
    /// - Parameter fields: values by form field, as `TenantMatrixTests.fields` returns them.
    static func of(_ route: Route<Endpoint>, _ fields: [String: String]) -> String {
        func field(_ name: String) -> String { fields[name] ?? "" }
        switch "\(route.method.name) \(route.pattern)" {
        case "POST /api/v1/receipts/{receipt}/confirmation": return #"{"accepts_unusual_amounts": true}"#
        case "POST /api/v1/receipts/{receipt}/lines": return #"{"printed_name": "SEMMEL", "total_minor": 100}"#
        case "PATCH /api/v1/receipts/{receipt}": return #"{"store": "Greissler"}"#
        case "PATCH /api/v1/products/{product}":
            return field("category").isEmpty ? "{}" : #"{"category_id": "\#(field("category"))"}"#
        case "PUT /api/v1/products/{product}/packages/{day}": return #"{"amount_thousandths": 250, "unit": "l"}"#
        case "PATCH /api/v1/stores/{store}": return #"{"name": "\#(field("name"))"}"#
        case "POST /api/v1/stores/{store}/removal": return #"{"into": "\#(field("other-store"))"}"#
        case "POST /api/v1/categories":
            let parent = field("category").isEmpty ? "" : #", "parent_id": "\#(field("category"))""#
            return #"{"name": "\#(field("name"))"\#(parent)}"#
        case "PATCH /api/v1/categories/{category}": return #"{"name": "\#(field("name"))"}"#
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
        default: return money("\(route.method.name) \(route.pattern)", field) ?? "{}"
        }
    }

    /// Returns the body for a route about money, such as a route for expenses or budgets; nil for other routes.
    private static func money(_ route: String, _ field: (String) -> String) -> String? {
        /// Returns a JSON object of the members with non-empty values, followed by `rest`.
        func body(_ members: KeyValuePairs<String, String>, _ rest: String = "") -> String {
            let written = members.filter { !$0.value.isEmpty }.map { "\"\($0.key)\": \"\($0.value)\"" }
            return "{\((written + (rest.isEmpty ? [] : [rest])).joined(separator: ", "))}"
        }
        let (category, person) = (field("category"), field("person"))
        switch route {
        case "POST /api/v1/expenses":
            return body(
                ["category_id": category, "paid_by": field("paid-by")], #""what": "Kino", "amount_minor": 100"#)
        case "PATCH /api/v1/expenses/{expense}": return body(["category_id": category, "paid_by": field("paid-by")])
        case "PUT /api/v1/expenses/{expense}/split":
            return body(["paid_by": field("paid-by")], #""method": "equal", "shares": [{"person_id": "\#(person)"}]"#)
        case "POST /api/v1/budgets":
            return body(["name": field("name"), "category_id": category, "person_id": person], #""limit_minor": 5000"#)
        case "PATCH /api/v1/budgets/{budget}": return body(["category_id": category, "person_id": person])
        case "POST /api/v1/goals":
            return body(["name": field("name")], #""target_minor": 5000, "until": "2099-01-01""#)
        case "POST /api/v1/goals/{goal}/deposits": return #"{"amount_minor": 100}"#
        case "POST /api/v1/recurring-expenses":
            return body(["name": field("name"), "category_id": category], #""amount_minor": 5000"#)
        case "PATCH /api/v1/recurring-expenses/{recurring}": return body(["category_id": category])
        case "POST /api/v1/expense-rules":
            return body(
                ["category_id": category],
                #""contains": "wirt", "labels": ["Wort"], "people": [\#(person.isEmpty ? "" : "\"\(person)\"")]"#)
        case "PATCH /api/v1/expense-rules/{rule}": return body(["category_id": category])
        case "POST /api/v1/expense-rules/{rule}/move": return #"{"up": true}"#
        case "POST /api/v1/settlements":
            return body(
                ["from_person": field("from-person"), "to_person": field("to-person")], #""amount_minor": 100"#)
        case "PUT /api/v1/bank-files/{bank}/columns": return #"{"roles": ["day", "payee", "amount"]}"#
        case "PUT /api/v1/exchange-rates/{currency}/{day}": return #"{"per_euro_millionths": 1083400}"#
        default: return nil
        }
    }
}
