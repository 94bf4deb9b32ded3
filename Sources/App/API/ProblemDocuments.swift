import Domain
import HTTP
import JSON
import Templates

/// Converts API errors to documents: `application/problem+json` (RFC 9457), or CouchDB's format for CouchDB clients.
struct ProblemDocuments: Sendable {
    private let texts: Texts

    init(_ views: Views) { texts = views.library.texts }

    /// Whether the address belongs to the CouchDB interface.
    static func isCouch(_ head: RequestHead) -> Bool { head.segments.starts(with: ["api", "v1", "couch"]) }

    /// The document for an error.
    func response(_ error: any Error, _ refusal: Refusal, _ head: RequestHead, _ language: Language) -> Response {
        var problem: APIProblem
        if let known = error as? APIProblem {
            problem = known
        } else {
            problem = APIProblem(refusal.status, ProblemType(refusal))
            let key = "server.error.\(refusal.key)"
            if texts[language].has(key) { problem.detail = texts[language][key] }
            if let seconds = refusal.retryAfter { problem.headers[.retryAfter] = String(seconds) }
        }
        let isCouch = Self.isCouch(head)
        var response = Response(
            problem.status, headers: problem.headers,
            body: .bytes(isCouch ? Self.couch(problem) : Self.document(problem, head)))
        response.headers[.contentType] = isCouch ? "application/json" : "application/problem+json"
        return response
    }

    private static func document(_ problem: APIProblem, _ head: RequestHead) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", problem.type.reference)
            json.member("title", problem.type.title)
            json.member("status", problem.status.code)
            if let detail = problem.detail { json.member("detail", detail) }
            // The identifier of the request in the server's log.
            json.member("instance", "urn:allesteurer:request:\(head.id)")
            guard !problem.fields.isEmpty else { return }
            json.array("errors") { json in
                for field in problem.fields {
                    json.object { json in
                        json.member("field", field.name)
                        json.member("detail", field.detail)
                    }
                }
            }
        }
        return json.bytes
    }

    /// Uses CouchDB's own messages for statuses that its clients distinguish.
    private static func couch(_ problem: APIProblem) -> [UInt8] {
        let (error, reason) =
            switch problem.status.code {
            case 401: ("unauthorized", "Name or password is incorrect.")
            case 403: ("forbidden", problem.type.title)
            case 404: ("not_found", "missing")
            case 405: ("method_not_allowed", problem.type.title)
            case 409: ("conflict", "Document update conflict.")
            case 412: ("precondition_failed", problem.type.title)
            case 413: ("too_large", problem.type.title)
            case 415: ("bad_content_type", "Content-Type must be application/json")
            case 429: ("too_many_requests", problem.type.title)
            case 503: ("service_unavailable", problem.type.title)
            case 500...599: ("internal_server_error", problem.type.title)
            default: ("bad_request", problem.detail ?? problem.type.title)
            }
        var json = JSONWriter()
        json.object { json in
            json.member("error", error)
            json.member("reason", reason)
        }
        return json.bytes
    }
}
