import HTTP

/// Recognises host names of the machine itself.
enum ThisMachine {
    static let names = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether the host is this machine. Browsers then treat it as secure without TLS, so that secure cookies and the
    /// camera work.
    static func isNamed(_ host: String) -> Bool { names.contains(host) || host.hasSuffix(".localhost") }

    /// Whether the browser will reject the session cookie because the connection is not secure.
    static func dropsCookies(_ head: RequestHead) -> Bool { !head.isSecure && !isNamed(head.host) }
}
