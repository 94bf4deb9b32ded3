import HTTP

@testable import App

/// Valid JSON bodies of the routes of the API.
enum APIBodies {
    /// - Parameter fields: what forms send, by the names that `TenantMatrixTests` gives them.
    static func of(_ route: Route<Endpoint>, _ fields: [String: String]) -> String {
        "{}"
    }
}
