import HTTP

/// Cross-origin access to the API from browsers (CORS). Only sites in the settings have access.
///
/// PouchDB always requests credentials, and browsers then require that the response allows credentials. Cookies from
/// other sites are still ignored: `ClientPipeline` accepts sessions from our own pages only.
struct CrossOrigin: Sendable {
    private let origins: Set<String>

    /// - Parameter origins: such as `https://notes.example.at`.
    init(origins: [String]) { self.origins = Set(origins) }

    private static let requestHeaders =
        "Accept, Authorization, X-API-Key, Content-Type, If-Match, If-None-Match, Idempotency-Key"
    private static let responseHeaders =
        "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed"

    /// Answers OPTIONS.
    func options(_ allow: [Method]) -> Response {
        let names = allow.map(\.name).joined(separator: ", ")
        return Response(.noContent, headers: ["Allow": names])
    }

    /// Allows a listed site to read the response.
    func apply(to response: inout Response, _ head: RequestHead) {
        guard !origins.isEmpty else { return }
        response.headers.append(.vary, "Origin")
        guard let origin = head.headers[.origin], origins.contains(origin) else { return }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        if head.method == .options, head.headers.contains("Access-Control-Request-Method") {
            response.headers["Access-Control-Allow-Methods"] = response.headers[.allow] ?? "GET, HEAD"
            response.headers["Access-Control-Allow-Headers"] = Self.requestHeaders
            response.headers["Access-Control-Max-Age"] = "600"
        } else {
            response.headers["Access-Control-Expose-Headers"] = Self.responseHeaders
        }
    }
}
