import HTTP

/// Which other sites may call the API from a browser (CORS): none, unless the settings list them.
///
/// PouchDB always asks for credentials, and a browser then reads an answer only if it allows them. Cookies still do not count:
/// `ClientPipeline` accepts sessions from our own pages only.
struct CrossOrigin: Sendable {
    private let origins: Set<String>

    /// - Parameter origins: such as `https://notes.example.at`.
    init(origins: [String]) { self.origins = Set(origins) }

    private static let requestHeaders = "Accept, Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key"
    private static let responseHeaders =
        "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed"

    /// The answer to OPTIONS.
    func options(_ allow: [Method]) -> Response {
        let names = allow.map(\.name).joined(separator: ", ")
        return Response(.noContent, headers: ["Allow": names])
    }

    /// Lets a listed site read the answer.
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
