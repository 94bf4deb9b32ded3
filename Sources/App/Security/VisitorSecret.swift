import Crypto
import HTTP

/// The CSRF secret of a browser without a session (sign-in, set-up, invitations): derived from a random cookie.
///
/// Another site can neither read the cookie nor, thanks to its `__Host-` prefix, set one; so a form that carries a
/// token made of it was served to this browser by us. Nothing is kept on the server.
struct VisitorSecret: Sendable {
    let bytes: [UInt8]
    /// Set when the browser has no such cookie yet.
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
