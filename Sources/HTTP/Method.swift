/// A request method (RFC 9110 §9). Names are case-sensitive.
package struct Method: Hashable, Sendable, CustomStringConvertible {
    /// Registered methods are in upper case.
    package let name: String

    package init(_ name: String) { self.name = name }

    /// Reads the resource (RFC 9110 §9.3.1).
    package static let get = Method("GET")
    /// Like GET without the body of the answer (RFC 9110 §9.3.2).
    package static let head = Method("HEAD")
    /// Processes the body as the resource defines (RFC 9110 §9.3.3).
    package static let post = Method("POST")
    /// Replaces the resource (RFC 9110 §9.3.4).
    package static let put = Method("PUT")
    /// Changes a part of the resource (RFC 5789).
    package static let patch = Method("PATCH")
    /// Removes the resource (RFC 9110 §9.3.5).
    package static let delete = Method("DELETE")
    /// Requests the options of the resource (RFC 9110 §9.3.7).
    package static let options = Method("OPTIONS")
    /// Requests a tunnel (RFC 9110 §9.3.6); refused.
    package static let connect = Method("CONNECT")
    /// Requests a copy of the request (RFC 9110 §9.3.8); refused, because it would show cookies to scripts.
    package static let trace = Method("TRACE")

    /// Whether the method must not change anything (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    package var description: String { name }
}
