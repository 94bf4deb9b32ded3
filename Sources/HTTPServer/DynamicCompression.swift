import HTTP

/// Compresses generated pages.
enum DynamicCompression {
    private static let minimumBytes = 1024

    /// Compresses a body in memory if it is compressible and large enough, and the client accepts gzip.
    ///
    /// Answers to requests with a query, or with a method other than GET and HEAD, are not compressed. Such an answer
    /// may show a part of the request beside a secret. An attacker who chooses that part could derive the secret from
    /// the lengths (BREACH). See `Response.isCompressible`.
    static func apply(_ response: inout Response, to head: RequestHead) {
        guard response.isCompressible, case .bytes(let bytes) = response.body, bytes.count > minimumBytes,
            response.status.code >= 200, !response.status.isBodiless, response.status != .partialContent,
            !response.headers.contains(.contentEncoding),
            let type = response.headers[.contentType], isText(type)
        else { return }
        response.headers.append(.vary, "Accept-Encoding")
        guard head.method == .get || head.method == .head, head.query.isEmpty, Negotiation.acceptsGzip(head.headers),
            let compressed = Gzip.compress(bytes, level: Gzip.pageLevel), compressed.count < bytes.count
        else { return }
        response.body = .bytes(compressed)
        response.headers[.contentEncoding] = "gzip"
        // The tag becomes weak, because it was computed from the uncompressed bytes.
        if let tag = response.headers[.etag], !tag.hasPrefix("W/") { response.headers[.etag] = "W/" + tag }
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/problem+json")
            || type.hasPrefix("image/svg+xml")
    }
}
