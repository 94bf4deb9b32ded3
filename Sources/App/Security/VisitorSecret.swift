import Crypto
import HTTP

/// The CSRF secret of a browser without a session (sign-in, set-up, invitations), derived from a random cookie.
///
/// Because of the `__Host-` prefix, other sites can neither read nor set the cookie. A valid token therefore proves
/// that this server sent the form to this browser. The server stores nothing.
struct VisitorSecret: Sendable {
    let bytes: [UInt8]
    /// Nil if the browser already has the cookie.
    let newCookie: SetCookie?

    private static let name = "visitor"

    init(_ head: RequestHead) {
        if let value = head.cookie("__Host-" + Self.name), let token = Token(value) {
            bytes = token.hash
            newCookie = nil
        } else {
            let token = Token.random()
            bytes = token.hash
            newCookie = SetCookie(host: Self.name, value: token.secret)
        }
    }
}
