/// A request method (RFC 9110 §9), an open set compared byte by byte.
package struct Method: Hashable, Sendable, CustomStringConvertible {
    /// In capitals where it is a method of the registry: methods know case.
    package let name: String

    package init(_ name: String) { self.name = name }

    /// Reads (RFC 9110 §9.3.1).
    package static let get = Method("GET")
    /// Reads without the body (RFC 9110 §9.3.2).
    package static let head = Method("HEAD")
    /// Does what the resource says it does (RFC 9110 §9.3.3).
    package static let post = Method("POST")
    /// Replaces the resource (RFC 9110 §9.3.4).
    package static let put = Method("PUT")
    /// Changes a part of the resource (RFC 5789).
    package static let patch = Method("PATCH")
    /// Removes the resource (RFC 9110 §9.3.5).
    package static let delete = Method("DELETE")
    /// Asks what is possible (RFC 9110 §9.3.7).
    package static let options = Method("OPTIONS")
    /// Asks for a tunnel (RFC 9110 §9.3.6); refused here.
    package static let connect = Method("CONNECT")
    /// Asks for the request back (RFC 9110 §9.3.8), which would show cookies to scripts.
    package static let trace = Method("TRACE")

    /// Whether the method promises to change nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    package var description: String { name }
}
