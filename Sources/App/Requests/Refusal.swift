import HTTP

/// An error for a person: a status and a sentence from the texts.
///
/// Thrown by handlers; `Pipeline` turns it into a page or a problem document.
package struct Refusal: Error, Sendable {
    /// 4xx for what the person or the browser did, 5xx for what failed here.
    package let status: Status
    /// Key of the sentence: `server.error.<key>`.
    package let key: String
    /// Seconds for Retry-After.
    package let retryAfter: Int?
    /// The error is temporary: the page keeps the form, so that it can be sent again.
    package let isPassing: Bool

    package init(_ status: Status, _ key: String, retryAfter: Int? = nil, isPassing: Bool = false) {
        self.status = status
        self.key = key
        self.retryAfter = retryAfter
        self.isPassing = isPassing
    }

    /// 404, also for what belongs to another household: the answer does not reveal whether it exists.
    package static let notFound = Refusal(.notFound, "notFound")
    /// 400: something that our own pages never send.
    package static let badRequest = Refusal(.badRequest, "badRequest")
    /// 403: the CSRF token is missing, or it belongs to another session.
    package static let foreignForm = Refusal(.forbidden, "foreignForm")
    /// 403: signed in without the required role.
    package static let forbidden = Refusal(.forbidden, "forbidden")
    /// 413: the body is larger than the route's limit.
    package static let tooLarge = Refusal(.contentTooLarge, "tooLarge")
    /// 503: too many requests at the same time; retry in five seconds.
    package static let busy = Refusal(.serviceUnavailable, "busy", retryAfter: 5, isPassing: true)
    /// 503: the database cannot be reached.
    package static let unavailable = Refusal(.serviceUnavailable, "unavailable", retryAfter: 5, isPassing: true)
    /// 503: the connection to the database was lost during a commit, so its result is not known.
    package static let uncertain = Refusal(.serviceUnavailable, "uncertain", retryAfter: 5, isPassing: true)
    /// 507: PostgreSQL's disk is full. The form stays on the page.
    package static let diskFull = Refusal(.insufficientStorage, "diskFull", retryAfter: 60, isPassing: true)
    /// 429: too often in too short a time.
    package static let tooMany = Refusal(.tooManyRequests, "tooMany", retryAfter: 60)
}
