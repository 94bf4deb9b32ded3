import EventLoop

/// The connections of one event loop. Single statements share connections in pipeline mode; each transaction has its
/// own connection.
///
/// Must be called only from tasks that run on the loop.
package final class Pool: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it (preconditions below).

    /// The loop that owns the connections.
    package let loop: EventLoop
    /// Address and limits.
    package let settings: PostgresSettings
    /// Error of the last connection that was lost or could not be made; nil after a success.
    package private(set) var lastFailure: PostgresError?
    /// Called for each connection that is lost or cannot be made, for the log.
    package var onFailure: (PostgresError) -> Void = { _ in }

    private var connections: [Connection] = []
    private var opening: Connection?
    private var waitingExchanges = Queue<(exchange: Exchange, until: Int64)>()
    private var waitingReservations = Queue<(continuation: Reservation, until: Int64)>()
    private var backoff = Backoff()
    private var reopenTimer: LoopTimer?
    private var waitTimer: LoopTimer?
    /// When `waitTimer` fires, in the loop's nanoseconds.
    private var nextWaitLimit: Int64 = .max
    /// Runs while the pool has more than `coreConnections` connections.
    private var idleTimer: LoopTimer?
    private var isClosed = false

    private typealias Reservation = UnsafeContinuation<Result<Connection, PostgresError>, Never>

    /// If even the least busy connection has this many exchanges in progress, another connection is opened.
    private static let busyCount = 4
    /// Maximum number of exchanges in the pipeline of one connection; others wait.
    private static let maximumPipelined = 64
    private static let maximumWaiting = 1024

    /// Opens the first connection in the background. May be called on any thread, unlike all other methods.
    package init(loop: EventLoop, settings: PostgresSettings) {
        self.loop = loop
        self.settings = settings
        if loop.isCurrent { openConnection() } else { loop.execute { self.openConnection() } }
    }

    /// Whether a connection is available now; for a readiness check.
    package var isConnected: Bool { connections.contains { $0.state == .ready } }

    /// Number of connections that are open or being opened.
    package var connectionCount: Int { connections.count + (opening == nil ? 0 : 1) }

    /// Fails waiting statements, completes those in progress, then closes. The pool cannot be used afterwards.
    package func close() {
        isClosed = true
        reopenTimer?.cancel()
        idleTimer?.cancel()
        opening?.close(PostgresError(.unavailable, "the pool was closed"))
        for connection in connections where !connection.isReserved { connection.retire() }
        failWaiting(where: { _ in true })
    }

    // MARK: Exchanges

    /// Sends `exchange` on an idle connection or the one with the fewest exchanges; queues it if there is none.
    func submit(_ exchange: Exchange) {
        precondition(loop.isCurrent, "a pool must be used on the loop's thread")
        if waitingExchanges.isEmpty, let connection = chooseShared() {
            connection.send(exchange)
        } else if isClosed || waitingExchanges.count >= Self.maximumWaiting {
            exchange.fail(unavailable)
            exchange.answer()
        } else {
            waitingExchanges.append((exchange, min(waitLimit, exchange.deadline)))
            openConnection()
            armWaitTimer()
        }
    }

    /// Returns an idle connection, or the one with the fewest exchanges below the maximum; nil if there is none.
    private func chooseShared() -> Connection? {
        var best: Connection?
        for connection in connections
        where connection.state == .ready && !connection.isReserved && !connection.isHeld {
            if connection.isIdle { return connection }
            if connection.pendingCount < best?.pendingCount ?? Self.maximumPipelined { best = connection }
        }
        if let best, best.pendingCount >= Self.busyCount { openConnection() }
        return best
    }

    // MARK: Reservations

    /// Reserves a connection for a transaction; to be returned with ``release(_:)``.
    func reserve() async throws(PostgresError) -> Connection {
        precondition(loop.isCurrent, "a pool must be used on the loop's thread")
        if waitingReservations.isEmpty, let connection = chooseReserved() {
            connection.isReserved = true
            return connection
        }
        guard !isClosed, waitingReservations.count < Self.maximumWaiting else { throw unavailable }
        openConnection()
        let outcome = await withUnsafeContinuation { continuation in
            waitingReservations.append((continuation, reservationLimit))
            holdForReservations()
            armWaitTimer()
        }
        return try outcome.get()
    }

    /// Number of further connections that may be reserved. One connection is kept for single statements, unless the
    /// pool has only one.
    private var reservable: Int {
        max(1, settings.maximumConnections - 1) - connections.count { $0.isReserved }
    }

    private func chooseReserved() -> Connection? {
        guard reservable > 0 else { return nil }
        return connections.first { $0.state == .ready && !$0.isReserved && $0.isIdle }
    }

    /// Stops sending statements on busy connections while transactions wait. Otherwise, a continuous stream of
    /// statements would block the transactions.
    private func holdForReservations() {
        var wantedCount = min(waitingReservations.count, reservable)
        let busy = connections.filter { $0.state == .ready && !$0.isReserved && !$0.isIdle }
        for connection in busy.sorted(by: { $0.pendingCount < $1.pendingCount }) {
            connection.isHeld = wantedCount > 0
            wantedCount -= 1
        }
    }

    /// Returns a reserved connection to the pool. If a transaction block is open, the connection is closed and the
    /// server rolls back.
    func release(_ connection: Connection) {
        connection.isReserved = false
        if isClosed || (connection.state == .ready && !(connection.isIdle && connection.isOutsideTransaction)) {
            connection.close(PostgresError(.unavailable, "the connection was left in a transaction"))
        }
        serveWaiting()
    }

    /// Gives free connections to the waiting transactions and statements.
    private func serveWaiting() {
        while !waitingReservations.isEmpty, let connection = chooseReserved() {
            connection.isReserved = true
            waitingReservations.removeFirst()?.continuation.resume(returning: .success(connection))
        }
        for connection in connections { connection.isHeld = false }
        if !waitingReservations.isEmpty { holdForReservations() }
        while !waitingExchanges.isEmpty, let connection = chooseShared() {
            if let waiting = waitingExchanges.removeFirst() { connection.send(waiting.exchange) }
        }
        if !waitingReservations.isEmpty { openConnection() }
    }

    // MARK: Waiting

    /// The time until which an exchange waits for a connection, in the loop's nanoseconds.
    private var waitLimit: Int64 { EventLoop.monotonicNow() + settings.queueTimeout.nanoseconds }

    /// The time until which a transaction waits for a connection, in the loop's nanoseconds.
    private var reservationLimit: Int64 {
        guard !connections.isEmpty else { return waitLimit }
        return EventLoop.monotonicNow() + max(settings.transactionQueueTimeout, settings.queueTimeout).nanoseconds
    }

    private var unavailable: PostgresError {
        PostgresError(.unavailable, lastFailure?.message ?? "all connections are busy")
    }

    private func armWaitTimer() {
        let nextDeadline = min(waitingExchanges.first?.until ?? .max, waitingReservations.first?.until ?? .max)
        // A later wait can end before an earlier one, because statements wait for a shorter time than transactions.
        guard nextDeadline < nextWaitLimit else { return }
        waitTimer?.cancel()
        nextWaitLimit = nextDeadline
        waitTimer = loop.after(.nanoseconds(max(0, nextDeadline - EventLoop.monotonicNow()))) { [weak self] in
            guard let self else { return }
            nextWaitLimit = .max
            let now = EventLoop.monotonicNow()
            failWaiting { $0 <= now }
            armWaitTimer()
        }
    }

    private func failWaiting(where isDue: (Int64) -> Bool) {
        while let first = waitingExchanges.first, isDue(first.until) {
            waitingExchanges.removeFirst()
            first.exchange.fail(unavailable)
            first.exchange.answer()
        }
        while let first = waitingReservations.first, isDue(first.until) {
            waitingReservations.removeFirst()
            first.continuation.resume(returning: .failure(unavailable))
        }
    }

    // MARK: Opening

    private func openConnection() {
        guard !isClosed, reopenTimer == nil, opening == nil, connectionCount < settings.maximumConnections else {
            return
        }
        let connection = Connection(loop: loop, settings: settings)
        connection.onReady = { [weak self, unowned connection] in self?.opened(connection) }
        connection.onClosed = { [weak self, unowned connection] error in self?.closed(connection, error) }
        connection.onIdle = { [weak self] in self?.serveWaiting() }
        opening = connection
        connection.open()
    }

    private func opened(_ connection: Connection) {
        opening = nil
        lastFailure = nil
        backoff.reset()
        connections.append(connection)
        guard !isClosed else { return connection.retire() }
        armIdleTimer()
        serveWaiting()
    }

    // MARK: Closing

    private func armIdleTimer() {
        guard idleTimer == nil, connections.count > settings.coreConnections else { return }
        idleTimer = loop.after(.nanoseconds(settings.idleTimeout.nanoseconds / 5)) { [weak self] in
            guard let self else { return }
            idleTimer = nil
            retireIdleConnections()
            armIdleTimer()
        }
    }

    /// Closes connections that were not used for `idleTimeout`, the least recently used ones first. At least
    /// `coreConnections` connections stay open.
    private func retireIdleConnections() {
        let limit = EventLoop.monotonicNow() - settings.idleTimeout.nanoseconds
        let unused = connections.filter {
            $0.state == .ready && $0.isIdle && !$0.isReserved && $0.usedAt <= limit
        }
        let surplus = max(0, connections.count - settings.coreConnections)
        for connection in unused.sorted(by: { $0.usedAt < $1.usedAt }).prefix(surplus) { connection.retire() }
    }

    private func closed(_ connection: Connection, _ error: PostgresError) {
        if let index = connections.firstIndex(where: { $0 === connection }) {
            connections.remove(at: index)
        } else {
            opening = nil
        }
        guard !isClosed else { return }
        // The pool retires connections itself, for example after a statement that was cancelled.
        if error != .retired {
            lastFailure = error
            onFailure(error)
        }
        let isWanted = connections.isEmpty || !waitingExchanges.isEmpty || !waitingReservations.isEmpty
        guard isWanted, reopenTimer == nil else { return }
        // Connects again after the last connection is lost, even if no statement is waiting, so that the next request
        // finds a connection.
        reopenTimer = loop.after(backoff.next()) { [weak self] in
            self?.reopenTimer = nil
            self?.openConnection()
        }
    }
}

extension PostgresError {
    /// The error with which a retired connection closes.
    static let retired = PostgresError(.unavailable, "the connection was retired")
}
