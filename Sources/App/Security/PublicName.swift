/// Whether a host is a name of its own in the public DNS, for which somebody answers.
///
/// HSTS is kept by browsers for two years and for every port: sent for `localhost`, an address or a name that every
/// router gives away (`server.fritz.box`), it would lock people out of other things under that name.
enum PublicName {
    /// Ends of names that mean the house they are asked in: RFC 6761, RFC 6762, RFC 8375, and what routers use.
    private static let homely = [
        "localhost", "local", "lan", "home", "internal", "intranet", "private", "corp", "test", "example", "invalid",
        "home.arpa", "fritz.box", "speedport.ip",
    ]

    static func isLikely(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, !labels.contains(""), let last = labels.last,
            // An IPv4 address ends in digits, an IPv6 one in a bracket.
            last.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }),
            last.utf8.contains(where: { (97...122).contains($0) })
        else { return false }
        return !homely.contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}
