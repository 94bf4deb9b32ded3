import EventLoop

/// A connection that waits for notifications, and reconnects when it breaks. A server process needs one listener.
///
/// Notifications that are sent while there is no connection are lost. So `onConnected`, which is called after each
/// connection is made, must check everything that notifications report.
package final class Listener: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.
    private let loop: EventLoop
    private let settings: PostgresSettings
    private let channels: [StaticString]
    private let onConnected: () -> Void
    private let onNotification: (Notification) -> Void
    private var connection: Connection?
    private var backoff = Backoff()
    private var timer: LoopTimer?
    private var isClosed = false

    /// Starts to listen. The handlers are called on the loop.
    ///
    /// - Parameter channels: names of lower-case letters, digits and underscores.
    package init(
        loop: EventLoop, settings: PostgresSettings, channels: [StaticString],
        onConnected: @escaping () -> Void = {}, onNotification: @escaping (Notification) -> Void
    ) {
        precondition(loop.isCurrent, "a listener must be used on the loop's thread")
        self.loop = loop
        self.settings = settings
        self.channels = channels
        self.onConnected = onConnected
        self.onNotification = onNotification
        connect()
    }

    /// Stops listening; to be called on the loop. No handler is called afterwards.
    package func close() {
        isClosed = true
        timer?.cancel()
        connection?.close(PostgresError(.unavailable, "closed"))
        connection = nil
    }

    private func connect() {
        let connection = Connection(loop: loop, settings: settings)
        self.connection = connection
        connection.onReady = { [weak self] in self?.listen() }
        connection.onNotification = { [weak self] in self?.onNotification($0) }
        connection.onClosed = { [weak self] _ in self?.reconnect() }
        connection.open()
    }

    private func listen() {
        let statements = channels.map { SQL(uncheckedText: "LISTEN \"\($0)\"") }
        loop.spawn { [self] in
            let deadline = EventLoop.monotonicNow() + settings.statementTimeout.nanoseconds
            let answer: Exchange.Answer = await withUnsafeContinuation { continuation in
                let exchange = Exchange(
                    statements: statements, preamble: 0, deadline: deadline, continuation: continuation)
                guard let connection, connection.state == .ready else {
                    exchange.fail(PostgresError(.connectionLost, "the connection was closed"))
                    return exchange.answer()
                }
                connection.send(exchange)
            }
            switch answer {
            case .success:
                backoff.reset()
                onConnected()
            case .failure(let error): connection?.close(error)
            }
        }
    }

    private func reconnect() {
        connection = nil
        guard !isClosed else { return }
        timer = loop.after(backoff.next()) { [weak self] in self?.connect() }
    }
}
