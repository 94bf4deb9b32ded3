import HTTP

/// What a person is told instead of a page: an error with a status and a sentence of the text catalogue.
///
/// Thrown by handlers; one place (`Pipeline`) turns it into a page or a problem document.
package struct Refusal: Error, Sendable {
    /// 4xx for what the person or the browser did, 5xx for what failed here.
    package let status: Status
    /// Key of the sentence that says what happened: `server.error.<key>`; the page adds what was not lost and what to do.
    package let key: String
    /// Seconds for Retry-After.
    package let retryAfter: Int?
    /// It passes by itself: a form stays on the page and can be sent again.
    package let isPassing: Bool

    package init(_ status: Status, _ key: String, retryAfter: Int? = nil, isPassing: Bool = false) {
        self.status = status
        self.key = key
        self.retryAfter = retryAfter
        self.isPassing = isPassing
    }

    /// Also the answer to everything that belongs to somebody else: whether it exists is not told.
    package static let notFound = Refusal(.notFound, "notFound")
    /// 400: what our own pages never send.
    package static let badRequest = Refusal(.badRequest, "badRequest")
    /// The form was not ours, or is from another session.
    package static let foreignForm = Refusal(.forbidden, "foreignForm")
    /// 403: signed in, but not with the role it takes.
    package static let forbidden = Refusal(.forbidden, "forbidden")
    /// 413: more bytes than the route takes.
    package static let tooLarge = Refusal(.contentTooLarge, "tooLarge")
    /// 503: too much at once; nothing is wrong, and in five seconds it may do.
    package static let busy = Refusal(.serviceUnavailable, "busy", retryAfter: 5, isPassing: true)
    /// 503: the database cannot be reached.
    package static let unavailable = Refusal(.serviceUnavailable, "unavailable", retryAfter: 5, isPassing: true)
    /// 503: the database went away while it wrote, so that nobody knows whether it did.
    package static let uncertain = Refusal(.serviceUnavailable, "uncertain", retryAfter: 5, isPassing: true)
    /// 429: too often in too short a time.
    package static let tooMany = Refusal(.tooManyRequests, "tooMany", retryAfter: 60)
}
