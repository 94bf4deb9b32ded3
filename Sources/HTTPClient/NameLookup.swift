import CLinux
import EventLoop
import Glibc

/// Resolves host names on threads of their own, because `getaddrinfo` blocks.
enum NameLookup {
    /// The addresses of a name, or the address that it writes; empty if there are none or the lookup takes too long.
    static func addresses(of host: String, on loop: EventLoop, within time: Duration) async -> [OutgoingAddress] {
        if let address = OutgoingAddress(host) { return [address] }
        let answer = Answer()
        return await withCheckedContinuation { continuation in
            answer.continuation = continuation
            let timer = loop.after(time) { answer.finish([]) }
            onThread {
                let found = resolve(host)
                loop.execute {
                    timer.cancel()
                    answer.finish(found)
                }
            }
        }
    }

    /// The first result counts. Confined to the loop's thread.
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

    /// Runs a blocking `body` on a new thread; without one, the lookup finds nothing in time.
    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let context = Unmanaged.passRetained(Box(body)).toOpaque()
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        if result != 0 { Unmanaged<Box>.fromOpaque(context).release() }
    }
}
