/// Checks whether a host is a name in the public DNS.
///
/// Browsers remember HSTS for two years and apply it to all ports of a host. For `localhost`, an address or the name of
/// a home router (`server.fritz.box`) this would block other services.
enum PublicName {
    /// Suffixes of local names: RFC 6761, RFC 6762, RFC 8375, and the names of home routers.
    private static let local = [
        "localhost", "local", "lan", "home", "internal", "intranet", "private", "corp", "test", "example", "invalid",
        "home.arpa", "fritz.box", "speedport.ip",
    ]

    /// Whether the host, in lower case, looks like a name in the public DNS. The name is not looked up.
    static func isLikely(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, !labels.contains(""), let last = labels.last,
            // Excludes IPv4 addresses, which end in a number, and IPv6 addresses, which end in a bracket.
            last.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }),
            last.utf8.contains(where: { (97...122).contains($0) })
        else { return false }
        return !local.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}
