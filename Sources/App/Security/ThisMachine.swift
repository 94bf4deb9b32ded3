/// Names that always mean the machine itself.
enum ThisMachine {
    static let names = ["localhost", "127.0.0.1", "[::1]"]

    /// Browsers treat these hosts as secure without TLS: cookies stay and the camera works.
    static func isNamed(_ host: String) -> Bool { names.contains(host) || host.hasSuffix(".localhost") }
}
