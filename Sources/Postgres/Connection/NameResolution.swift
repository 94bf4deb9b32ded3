import CLinux
import EventLoop
import Glibc

/// Runs a blocking `body` on a new thread. If no thread can be created, runs it on the current one.
func onThread(_ body: @escaping @Sendable () -> Void) {
    if !DetachedThread.run(body) { body() }
}

extension PostgresSettings {
    /// Whether the host is a name, which libpq would resolve with a blocking call.
    var needsResolution: Bool {
        guard parameters["hostaddr"] == nil, let host = parameters["host"] else { return false }
        return host.split(separator: ",").contains { !$0.hasPrefix("/") && !$0.hasPrefix("@") }
    }

    /// Returns the settings with `hostaddr` for every address of every host, so that libpq resolves no names. Blocks.
    ///
    /// - Throws: `PostgresError` of kind `unavailable` if no host has an address.
    func resolved() throws(PostgresError) -> PostgresSettings {
        guard needsResolution, let host = parameters["host"] else { return self }
        let hosts = host.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let ports = (parameters["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var resolvedHosts: [(host: String, address: String, port: String)] = []
        for (index, host) in hosts.enumerated() {
            let port = ports.isEmpty ? "" : ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            if host.hasPrefix("/") || host.hasPrefix("@") {
                resolvedHosts.append((host, "", port))
            } else {
                for address in Self.addresses(of: host) { resolvedHosts.append((host, address, port)) }
            }
        }
        guard !resolvedHosts.isEmpty else { throw PostgresError(.unavailable, "no address for the database host") }
        var settings = self
        settings["host"] = resolvedHosts.map(\.host).joined(separator: ",")
        settings["hostaddr"] = resolvedHosts.map(\.address).joined(separator: ",")
        settings["port"] = resolvedHosts.map(\.port).joined(separator: ",")
        return settings
    }

    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                current.pointee.ai_addr, current.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST) == 0
            {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            entry = current.pointee.ai_next
        }
        return addresses
    }
}
