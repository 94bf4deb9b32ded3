import Glibc
import HTTP

extension RequestHead {
    /// Returns the request as the trusted proxy received it: with the last address in X-Forwarded-For, which the proxy
    /// itself added, and with X-Forwarded-Proto. Missing and malformed fields change nothing.
    package func asForwarded() -> RequestHead {
        let address = headers.values("X-Forwarded-For").last?.split(separator: ",").last
            .flatMap { PeerAddress(forwarded: $0.filter { $0 != " " && $0 != "\t" }) }
        let isForwardedSecure = headers.values("X-Forwarded-Proto").last.map { $0.lowercased() == "https" }
        guard address != nil || isForwardedSecure != nil else { return self }
        return RequestHead(
            id: id, method: method, target: target, segments: segments, query: query, headers: headers,
            version: version, isSecure: isForwardedSecure ?? isSecure, peer: address ?? peer, host: host, port: port)
    }
}

extension PeerAddress {
    /// Parses an IPv4 or IPv6 address; IPv6 with or without brackets. Ignores a port after an IPv4 address or after
    /// brackets, because some proxies append one.
    init?(forwarded text: String) {
        guard let text = Self.withoutPort(text) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(ipv4: UInt32(bigEndian: four.s_addr), port: 0)
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let (high, low) = withUnsafeBytes(of: &six) {
            ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), port: 0)
    }

    /// Returns the address without brackets and port; nil if the port is not a number of 16 bits.
    private static func withoutPort(_ text: String) -> String? {
        let end: String.Index
        let address: Substring
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            address = text[..<bracket].dropFirst()
            end = text.index(after: bracket)
        } else {
            // More than one colon is an IPv6 address without a port.
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            address = parts.count == 2 ? parts[0] : text[...]
            end = address.endIndex
        }
        guard end != text.endIndex else { return String(address) }
        let port = text[end...]
        guard port.first == ":", UInt16(port.dropFirst()) != nil else { return nil }
        return String(address)
    }
}
