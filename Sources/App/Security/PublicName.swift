/// Whether a host is a name in the public DNS.
///
/// Browsers keep HSTS for two years and for all ports of a host. For `localhost`, an address or a name of a home router
/// (`server.fritz.box`) it would block other services under that name.
enum PublicName {
    /// Suffixes of local names: RFC 6761, RFC 6762, RFC 8375, and those of home routers.
    private static let local = [
        "localhost", "local", "lan", "home", "internal", "intranet", "private", "corp", "test", "example", "invalid",
        "home.arpa", "fritz.box", "speedport.ip",
    ]

    static func isLikely(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, !labels.contains(""), let last = labels.last,
            // Not an IPv4 address, which ends in digits, nor an IPv6 address, which ends in a bracket.
            last.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }),
            last.utf8.contains(where: { (97...122).contains($0) })
        else { return false }
        return !local.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}
