import EventLoop
import HTTP
import Synchronization

/// Counts connections in total, by network and by loop, and requests by the client that a trusted proxy reports.
final class ConnectionCounts: @unchecked Sendable {
    // Safe to share: `total` is atomic; the lock guards the other variables.
    private let lock = Lock()
    private let limits: ServerLimits
    private let total = Atomic(0)
    private var byNetwork: [PeerAddress.Network: Int] = [:]
    private var byLoop: [Int]
    /// Requests that are being answered, by the client that a trusted proxy reports.
    private var requests: [PeerAddress.Network: Int] = [:]
    /// Whether all connections come from a trusted proxy, so that they are not limited by network.
    private let isProxied: Bool

    init(limits: ServerLimits, loops: Int, isProxied: Bool = false) {
        self.limits = limits
        self.isProxied = isProxied
        byLoop = [Int](repeating: 0, count: loops)
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Whether idle connections should be closed, because more than 90 % of the allowed connections are open.
    var isCrowded: Bool { count > limits.connections / 10 * 9 }

    /// Counts a connection, and returns the index of the loop with the fewest connections; nil if there are too many.
    ///
    /// - Parameter preferred: the loop that accepted the connection. It is returned if no other loop has fewer
    ///   connections, so that the connection does not change threads.
    func admit(_ peer: PeerAddress, preferred: Int) -> Int? {
        lock.withLock {
            let isCrowding = byNetwork[peer.network, default: 0] >= limits.connectionsPerNetwork
            guard count < limits.connections, isProxied || !isCrowding else { return nil }
            var loop = preferred
            for (index, count) in byLoop.enumerated() where count < byLoop[loop] { loop = index }
            total.add(1, ordering: .relaxed)
            byNetwork[peer.network, default: 0] += 1
            byLoop[loop] += 1
            return loop
        }
    }

    func release(_ peer: PeerAddress, loop: Int) {
        lock.withLock {
            total.subtract(1, ordering: .relaxed)
            byLoop[loop] -= 1
            let remaining = byNetwork[peer.network, default: 1] - 1
            byNetwork[peer.network] = remaining > 0 ? remaining : nil
        }
    }

    /// Counts a request that a trusted proxy forwards for a client. Returns false if the client has too many.
    func begin(_ client: PeerAddress.Network) -> Bool {
        lock.withLock {
            guard requests[client, default: 0] < limits.connectionsPerNetwork else { return false }
            requests[client, default: 0] += 1
            return true
        }
    }

    func end(_ client: PeerAddress.Network) {
        lock.withLock {
            let remaining = requests[client, default: 1] - 1
            requests[client] = remaining > 0 ? remaining : nil
        }
    }
}
