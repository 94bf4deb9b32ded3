import CLinux
import EventLoop
import Glibc
import HTTP

/// Accepts connections from one listening socket on one loop, and passes each to the loop with the fewest connections.
///
/// All loops watch the same socket. The kernel wakes one loop (EPOLLEXCLUSIVE), usually the same one. If that loop
/// kept the connections that it accepts, it would serve most of them.
final class Acceptor: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches the mutable state.

    private let listener: ListeningSocket
    private let states: [LoopState]
    private let index: Int
    private let counts: ConnectionCounts
    private let tls: TLSCertificate?
    private var watch: Watch?
    private var isStopped = false

    init(
        listener: ListeningSocket, states: [LoopState], index: Int, counts: ConnectionCounts, tls: TLSCertificate?
    ) {
        self.listener = listener
        self.states = states
        self.index = index
        self.counts = counts
        self.tls = tls
    }

    var loop: EventLoop { states[index].loop }

    func start() {
        guard !isStopped, watch == nil else { return }
        watch = try? loop.watch(listener.descriptor, .exclusive) { [self] _ in accept() }
        // If the kernel cannot watch the socket, tries again later.
        if watch == nil { retryLater() }
    }

    func stop() {
        isStopped = true
        watch?.cancel()
        watch = nil
    }

    /// Stops watching the socket for 250 ms. Without free descriptors the socket stays readable, so the loop would call
    /// accept without pause.
    private func retryLater() {
        watch?.cancel()
        watch = nil
        _ = loop.after(.milliseconds(250)) { [self] in start() }
    }

    private func accept() {
        for _ in 0..<64 {
            let (descriptor, address) = SocketAddress.accept(listener.descriptor)
            guard descriptor >= 0 else {
                switch errno {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return retryLater()
                case ECONNABORTED, EINTR, EPROTO: continue
                default: return
                }
            }
            admit(descriptor, address.peer)
        }
    }

    /// Passes a new connection to the loop with the fewest connections, or closes it if too many are open.
    private func admit(_ descriptor: Int32, _ peer: PeerAddress) {
        guard let chosen = counts.admit(peer, preferred: index) else {
            close(descriptor)
            return
        }
        if chosen == index {
            serve(descriptor, peer, states[chosen], chosen)
        } else {
            states[chosen].loop.execute { [self] in serve(descriptor, peer, states[chosen], chosen) }
        }
    }

    private func serve(_ descriptor: Int32, _ peer: PeerAddress, _ state: LoopState, _ chosen: Int) {
        var session: TLSSession?
        var redirectPort: Int?
        switch listener.address.security {
        case .plain: break
        case .redirect(let port): redirectPort = port
        case .tls: session = tls?.session(descriptor: descriptor)
        }
        guard !state.isStopping, session != nil || listener.address.security != .tls else {
            close(descriptor)
            counts.release(peer, loop: chosen)
            return
        }
        let connection = Connection(
            state: state, transport: Transport(descriptor: descriptor, session: session), peer: peer, counts: counts,
            redirectPort: redirectPort)
        connection.start { [counts] in counts.release(peer, loop: chosen) }
    }
}
