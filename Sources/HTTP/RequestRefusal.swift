/// Why the server answers a request itself, before any handler sees it; the connection is closed afterwards.
package struct RequestRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// 4xx or 5xx.
    package let status: Status
    /// A constant phrase for the log; never contains what the client sent.
    package let reason: String

    /// `reason` is a literal so that nothing a client sent can get into the log by it.
    package init(_ status: Status, _ reason: StaticString) {
        self.status = status
        self.reason = reason.description
    }

    static func malformed(_ reason: StaticString) -> RequestRefusal { RequestRefusal(.badRequest, reason) }

    package var description: String { "\(status.code) \(reason)" }
}
