import CLinux
import EventLoop
import Glibc

/// Resolves host names on separate threads, because `getaddrinfo` blocks.
enum NameLookup {
    /// Returns the addresses of a name, or the address itself if `host` is numeric. Returns none if the name has no
    /// address or the lookup takes too long.
    static func addresses(of host: String, on loop: EventLoop, within time: Duration) async -> [OutgoingAddress] {
        if let address = OutgoingAddress(host) { return [address] }
        let answer = Answer()
        return await withCheckedContinuation { continuation in
            answer.continuation = continuation
            let timer = loop.after(time) { answer.finish([]) }
            // If no thread can be created, the lookup times out without addresses.
            _ = DetachedThread.run {
                let foundAddresses = resolve(host)
                loop.execute {
                    timer.cancel()
                    answer.finish(foundAddresses)
                }
            }
        }
    }

    /// Resumes the caller with the result of the lookup or at the timeout, whichever is first. Confined to the loop's
    /// thread.
    private final class Answer: @unchecked Sendable {
        // Safe to share: used on the loop's thread only.
        var continuation: CheckedContinuation<[OutgoingAddress], Never>?

        func finish(_ addresses: [OutgoingAddress]) {
            continuation?.resume(returning: addresses)
            continuation = nil
        }
    }

    private static func resolve(_ host: String) -> [OutgoingAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [OutgoingAddress] = []
        var entry = list
        while let current = entry {
            if let address = address(of: current.pointee), !addresses.contains(address) { addresses.append(address) }
            entry = current.pointee.ai_next
        }
        return addresses
    }

    private static func address(of entry: addrinfo) -> OutgoingAddress? {
        guard let pointer = entry.ai_addr else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch entry.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) {
                OutgoingAddress(bytes: Array($0))
            }
        case AF_INET6:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
                OutgoingAddress(bytes: Array($0))
            }
        default: return nil
        }
    }
}
