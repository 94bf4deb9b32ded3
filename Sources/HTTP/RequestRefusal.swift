/// The reason why the server answers a request with an error before any handler runs. The connection is closed
/// afterwards.
package struct RequestRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// 4xx or 5xx.
    package let status: Status
    /// A constant phrase for the log; contains nothing that the client sent.
    package let reason: String

    /// `reason` is a literal, so that no data of the client can enter the log.
    package init(_ status: Status, _ reason: StaticString) {
        self.status = status
        self.reason = reason.description
    }

    static func malformed(_ reason: StaticString) -> RequestRefusal { RequestRefusal(.badRequest, reason) }

    package var description: String { "\(status.code) \(reason)" }
}
