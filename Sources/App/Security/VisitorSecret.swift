import Crypto
import HTTP

/// The CSRF secret of a browser without a session (sign-in, set-up, invitations), derived from a random cookie.
///
/// Another site can neither read the cookie nor set it, because of the `__Host-` prefix. So a form with a token made from
/// the secret was served to this browser by this server. The server stores nothing.
struct VisitorSecret: Sendable {
    let bytes: [UInt8]
    /// Nil when the browser already has the cookie.
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
