/// The host names that a server answers for.
package struct AllowedHosts: Sendable {
    /// There are few names, so comparing is faster than hashing.
    private let names: [String]

    /// - Parameter names: host names or addresses without port. Any host is allowed if nil or empty.
    package init(_ names: Set<String>? = nil) { self.names = (names ?? []).map { $0.lowercased() } }

    func allows(_ host: String) -> Bool { names.isEmpty || names.contains(host) }
}
