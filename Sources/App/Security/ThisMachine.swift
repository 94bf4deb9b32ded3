import HTTP

/// Names that always mean the machine itself.
enum ThisMachine {
    static let names = ["localhost", "127.0.0.1", "[::1]"]

    /// Browsers treat these hosts as secure without TLS: cookies stay and the camera works.
    static func isNamed(_ host: String) -> Bool { names.contains(host) || host.hasSuffix(".localhost") }

    /// Whether the browser will drop a session's cookie that comes with the answer.
    static func dropsCookies(_ head: RequestHead) -> Bool { !head.isSecure && !isNamed(head.host) }
}
