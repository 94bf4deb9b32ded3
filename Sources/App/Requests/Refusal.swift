import HTTP

/// What a person is told instead of a page: an error with a status and a sentence of the text catalogue.
///
/// Thrown by handlers; one place (`Pipeline`) turns it into a page or a problem document.
package struct Refusal: Error, Sendable {
    package let status: Status
    /// Key of the sentence that says what happened: `server.error.<key>`; the page adds what was not lost and what to do.
    package let key: String
    /// Seconds for Retry-After.
    package let retryAfter: Int?

    package init(_ status: Status, _ key: String, retryAfter: Int? = nil) {
        self.status = status
        self.key = key
        self.retryAfter = retryAfter
    }

    /// Also the answer to everything that belongs to somebody else: whether it exists is not told.
    package static let notFound = Refusal(.notFound, "notFound")
    package static let badRequest = Refusal(.badRequest, "badRequest")
    /// The form was not ours, or is from another session.
    package static let foreignForm = Refusal(.forbidden, "foreignForm")
    package static let forbidden = Refusal(.forbidden, "forbidden")
    package static let tooLarge = Refusal(.contentTooLarge, "tooLarge")
    package static let busy = Refusal(.serviceUnavailable, "busy", retryAfter: 5)
    package static let unavailable = Refusal(.serviceUnavailable, "unavailable", retryAfter: 5)
    package static let tooMany = Refusal(.tooManyRequests, "tooMany", retryAfter: 60)
}
