/// A request method (RFC 9110 §9), an open set compared byte by byte.
package struct Method: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let get = Method("GET")
    package static let head = Method("HEAD")
    package static let post = Method("POST")
    package static let put = Method("PUT")
    package static let patch = Method("PATCH")
    package static let delete = Method("DELETE")
    package static let options = Method("OPTIONS")
    package static let connect = Method("CONNECT")
    package static let trace = Method("TRACE")

    /// Whether the method promises to change nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    package var description: String { name }
}
