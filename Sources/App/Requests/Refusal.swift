import HTTP

/// An error that a person sees: a status and a sentence in the texts.
///
/// Handlers throw it; `Pipeline` turns it into a page, `ProblemDocuments` into a document.
package struct Refusal: Error, Sendable {
    /// 4xx for errors of the person or the browser, 5xx for errors of the server.
    package let status: Status
    /// The end of the text key `server.error.<key>`.
    package let key: String
    /// Seconds for the Retry-After field.
    package let retryAfter: Int?
    /// Whether the error is temporary. If so, the page keeps the form, so that it can be sent again.
    package let isTemporary: Bool

    package init(_ status: Status, _ key: String, retryAfter: Int? = nil, isTemporary: Bool = false) {
        self.status = status
        self.key = key
        self.retryAfter = retryAfter
        self.isTemporary = isTemporary
    }

    /// 404. Also used for data of other households, so that the response does not reveal whether they exist.
    package static let notFound = Refusal(.notFound, "notFound")
    /// 400: the request contains values that our pages never send.
    package static let badRequest = Refusal(.badRequest, "badRequest")
    /// 403: another site sent the request, or the CSRF token is missing or belongs to another session.
    package static let foreignForm = Refusal(.forbidden, "foreignForm")
    /// 403: the member lacks the required role.
    package static let forbidden = Refusal(.forbidden, "forbidden")
    /// 413: the body is larger than the route's limit.
    package static let tooLarge = Refusal(.contentTooLarge, "tooLarge")
    /// 503: too many simultaneous requests or computations, or a statement timed out; retry in five seconds.
    package static let busy = Refusal(.serviceUnavailable, "busy", retryAfter: 5, isTemporary: true)
    /// 503: the database cannot be reached.
    package static let unavailable = Refusal(.serviceUnavailable, "unavailable", retryAfter: 5, isTemporary: true)
    /// 503: the database connection was lost during a commit, so its outcome is unknown.
    package static let uncertain = Refusal(.serviceUnavailable, "uncertain", retryAfter: 5, isTemporary: true)
    /// 507: PostgreSQL's disk is full. The page keeps the form.
    package static let diskFull = Refusal(.insufficientStorage, "diskFull", retryAfter: 60, isTemporary: true)
    /// 429: too many requests in a short time, or a household's queue is full.
    package static let tooMany = Refusal(.tooManyRequests, "tooMany", retryAfter: 60)
}
