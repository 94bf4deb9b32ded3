import EventLoop
import Glibc
import HTTP

/// An HTTP/1.1 server that runs on the given event loops.
package final class HTTPServer: Sendable {
    private let configuration: ServerConfiguration
    private let states: [LoopState]
    private let listeners: [ListeningSocket]
    private let acceptors: [Acceptor]
    private let counts: ConnectionCounts

    /// The addresses that the server listens on, with the ports that the kernel chose for port 0.
    package var addresses: [ListenAddress] { listeners.map(\.address) }

    /// Number of open connections.
    package var connectionCount: Int { counts.count }

    /// Binds the addresses and reads the certificate. The server accepts connections after `start()`.
    ///
    /// - Throws: `SystemError` or `TLSContext.SetupError`.
    package init(
        _ configuration: ServerConfiguration, loops: [EventLoop], responder: @escaping Responder
    ) throws {
        precondition(!loops.isEmpty, "an HTTP server needs an event loop")
        // Writing to a closed connection returns an error instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        self.configuration = configuration
        let tls = try Self.tls(configuration)
        counts = ConnectionCounts(
            limits: configuration.limits, loops: loops.count, isProxied: configuration.forwardedPeer != nil)
        let states = loops.map { LoopState(loop: $0, configuration: configuration, responder: responder) }
        self.states = states
        var listeners: [ListeningSocket] = []
        for address in configuration.addresses {
            listeners.append(try ListeningSocket(address, unsentBytes: configuration.limits.unsentBytes))
        }
        self.listeners = listeners
        acceptors = listeners.flatMap { [counts] listener in
            states.indices.map { index in
                Acceptor(listener: listener, states: states, index: index, counts: counts, tls: tls)
            }
        }
    }

    /// Checks the certificate and addresses as `init` does, without listening.
    ///
    /// - Throws: the errors of `init`.
    package static func check(_ configuration: ServerConfiguration) throws {
        _ = try tls(configuration)
        for address in configuration.addresses where SocketAddress(host: address.host, port: address.port) == nil {
            throw SystemError("bind \(address)", code: EINVAL)
        }
    }

    private static func tls(_ configuration: ServerConfiguration) throws -> TLSCertificate? {
        let tls = try configuration.certificate.map {
            try TLSCertificate($0, interval: configuration.certificateInterval, onReload: configuration.onReload)
        }
        guard tls != nil || !configuration.addresses.contains(where: { $0.security == .tls }) else {
            throw TLSContext.SetupError(description: "a TLS address needs a certificate")
        }
        return tls
    }

    /// Starts to accept connections.
    package func start() {
        for acceptor in acceptors { acceptor.loop.execute { acceptor.start() } }
    }

    /// Stops accepting, finishes running requests within `time`, and aborts the others. Returns when every connection
    /// is closed, but at most half a second after `time`.
    package func stop(within time: Duration = .seconds(10)) async {
        for acceptor in acceptors {
            await Task(executorPreference: acceptor.loop) { acceptor.stop() }.value
        }
        for listener in listeners { listener.refuse() }
        await withTaskGroup { group in
            for state in states {
                group.addTask(executorPreference: state.loop) { await state.drain(within: time) }
            }
        }
    }
}
