import CPostgres
import EventLoop

/// A connection to PostgreSQL in libpq's pipeline mode, confined to an event loop.
///
/// Exchanges are sent immediately, even while others are being executed, and answered in order. Each statement is
/// prepared once.
final class Connection: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    enum State {
        case connecting
        case ready
        /// Gets no new work from the pool, completes the exchanges in progress and closes. A connection is retired when
        /// its pool closes, and when a statement is cancelled, because the cancellation may arrive late and cancel a
        /// later statement.
        case retired
        case closed
    }

    /// A command that was sent to the server and is not answered yet.
    private enum Expectation {
        case preparation(PreparedStatement)
        case deallocation
        case statement(Exchange, PreparedStatement?)
        case sync(Exchange?)
    }

    let loop: EventLoop
    private let settings: PostgresSettings
    private(set) var state = State.connecting
    /// Whether the connection is reserved for a transaction; set by the pool.
    var isReserved = false
    /// Whether the connection gets no further statements, so that it becomes idle for a waiting transaction; set by
    /// the pool.
    var isHeld = false
    /// The time at which the last exchange was sent, in the loop's nanoseconds; at first, the time of opening.
    private(set) var usedAt: Int64 = 0
    var onReady: () -> Void = {}
    /// Called when the last exchange in progress has been answered.
    var onIdle: () -> Void = {}
    var onClosed: (PostgresError) -> Void = { _ in }
    var onNotification: (Notification) -> Void = { _ in }

    var handle: OpaquePointer?
    private var watch: Watch?
    private var opening: ConnectionOpening?
    var deadlineTimer: LoopTimer?
    /// When `deadlineTimer` fires, in the loop's nanoseconds.
    var armedDeadline: Int64 = .max
    /// The commands that the server has not answered yet, in the order sent.
    private var expectations = Queue<Expectation>()
    /// The exchanges that the server has not answered yet, in the order sent.
    var inProgress = Queue<Exchange>()
    private var statements: StatementCache
    /// Whether a result of the first expected command has arrived. The next null result then ends that command.
    private var headHasResult = false

    init(loop: EventLoop, settings: PostgresSettings) {
        precondition(loop.isCurrent, "a connection must be used on the loop's thread")
        self.loop = loop
        self.settings = settings
        statements = StatementCache(capacity: settings.maximumStatements)
    }

    var pendingCount: Int { inProgress.count }
    var isIdle: Bool { inProgress.isEmpty }
    /// Whether no transaction block is open.
    var isOutsideTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    // MARK: Opening

    /// Starts to connect. Calls `onReady` on success and `onClosed` on failure.
    func open() {
        opening = ConnectionOpening(loop: loop, settings: settings) { [weak self] outcome in
            self?.opening = nil
            switch outcome {
            case .success(let handle): self?.becomeReady(handle)
            case .failure(let error): self?.close(error)
            }
        }
        opening?.start()
    }

    private func becomeReady(_ opened: OpaquePointer) {
        handle = opened
        guard PQsetnonblocking(opened, 1) == 0, PQenterPipelineMode(opened) == 1 else {
            return close(PostgresError(.unavailable, PostgresError.message(of: opened)))
        }
        do {
            watch = try loop.watch(PQsocket(opened), .level(.read)) { [weak self] in self?.handle($0) }
        } catch {
            return close(PostgresError(.unavailable, error.description))
        }
        state = .ready
        usedAt = EventLoop.monotonicNow()
        onReady()
    }

    // MARK: Sending

    /// Sends an exchange. It is always answered, with an error if the connection breaks.
    func send(_ exchange: Exchange) {
        precondition(state == .ready || state == .retired, "the connection is not open")
        guard let handle else { return }
        usedAt = EventLoop.monotonicNow()
        inProgress.append(exchange)
        guard prepare(exchange.statements, handle) else { return lost() }
        for statement in exchange.statements {
            let prepared = settings.preparesStatements ? statements.find(statement) : nil
            guard dispatch(statement, prepared, handle) else { return lost() }
            expectations.append(.statement(exchange, prepared))
        }
        guard PQpipelineSync(handle) == 1 else { return lost() }
        expectations.append(.sync(exchange))
        flush(handle)
        armDeadline(exchange.deadline)
    }

    /// Prepares the statements that are new on this connection. A Sync follows, so that a failure in the exchange does
    /// not undo the preparation. Returns false if the connection is broken.
    private func prepare(_ list: [SQL], _ handle: OpaquePointer) -> Bool {
        guard settings.preparesStatements else { return true }
        var isAnyNew = false
        for statement in list where statements.use(statement) == nil {
            isAnyNew = true
            let (prepared, evicted) = statements.insert(statement)
            if let evicted {
                guard PQsendQueryParams(handle, "DEALLOCATE \(evicted.name)", 0, nil, nil, nil, nil, 0) == 1 else {
                    return false
                }
                expectations.append(.deallocation)
            }
            let types = statement.parameters.entries.map(\.type.oid)
            guard PQsendPrepare(handle, prepared.name, statement.text, Int32(types.count), types) == 1 else {
                return false
            }
            expectations.append(.preparation(prepared))
        }
        guard isAnyNew else { return true }
        guard PQpipelineSync(handle) == 1 else { return false }
        expectations.append(.sync(nil))
        return true
    }

    private func dispatch(_ statement: SQL, _ prepared: PreparedStatement?, _ handle: OpaquePointer) -> Bool {
        let count = Int32(statement.parameters.count)
        return statement.parameters.withLibpqArrays { types, values, lengths, formats in
            if let prepared {
                PQsendQueryPrepared(handle, prepared.name, count, values, lengths, formats, 1) == 1
            } else {
                PQsendQueryParams(handle, statement.text, count, types, values, lengths, formats, 1) == 1
            }
        }
    }

    private func flush(_ handle: OpaquePointer) {
        // 0 if everything was sent, 1 if the socket accepted only a part.
        let unsent = PQflush(handle)
        guard unsent >= 0 else { return lost() }
        watch?.interest = unsent == 0 ? .read : [.read, .write]
    }

    // MARK: Receiving

    private func handle(_ readiness: Readiness) {
        guard let handle, state != .closed else { return }
        if readiness.contains(.read), PQconsumeInput(handle) == 0 {
            receive()  // reads the last messages before the end of the connection
            return lost()
        }
        receive()
        guard let handle = self.handle, state != .closed else { return }
        if readiness.contains(.write) { flush(handle) }
        takeNotifications()
    }

    private func receive() {
        var empty = 0
        while let handle, !expectations.isEmpty, PQisBusy(handle) == 0 {
            if let result = PQgetResult(handle) {
                empty = 0
                assign(result)
            } else if headHasResult {
                headHasResult = false
                expectations.removeFirst()
            } else {
                // libpq returns null once between two statements, and always on a broken connection.
                empty += 1
                if empty > 2 { return }
            }
        }
    }

    /// Assigns a result to the first expected command.
    private func assign(_ result: OpaquePointer) {
        let status = PQresultStatus(result)
        if status == PGRES_PIPELINE_SYNC {
            PQclear(result)
            guard case .sync(let exchange) = expectations.removeFirst() else { return lost() }
            headHasResult = false
            if let exchange { finish(exchange) }
            return
        }
        headHasResult = true
        let error = error(in: result, status)
        switch expectations.first {
        case .preparation(let prepared):
            PQclear(result)
            if let error {
                prepared.failure = error
                statements.remove(prepared)
            }
        case .statement(let exchange, let prepared):
            guard var error else {
                exchange.rows.append(Rows(result: result))
                return
            }
            // On a retired connection, a cancellation can arrive late and cancel a later statement.
            error.isMisdirectedCancellation = error.sqlState == .queryCanceled && state == .retired
            PQclear(result)
            if error.meansStalePlan, let prepared { statements.remove(prepared) }
            exchange.fail(error.sqlState == .invalidStatementName ? prepared?.failure ?? error : error)
        case .deallocation, .sync, nil:
            PQclear(result)
        }
    }

    private func error(in result: OpaquePointer, _ status: ExecStatusType) -> PostgresError? {
        switch status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return nil
        case PGRES_PIPELINE_ABORTED:
            return PostgresError(.server, "an earlier statement failed", sqlState: .invalidTransaction)
        default:
            let error = PostgresError(result: result)
            guard error.sqlState == .none else { return error }
            // An error without SQLSTATE is from libpq, not from the server: the connection is broken.
            return PostgresError(.connectionLost, error.message, sqlState: .connectionFailure)
        }
    }

    private func finish(_ exchange: Exchange) {
        inProgress.removeFirst()
        exchange.answer()
        guard inProgress.isEmpty else { return }
        deadlineTimer?.cancel()
        deadlineTimer = nil
        if state == .retired { close(.retired) } else { onIdle() }
    }

    private func takeNotifications() {
        while let handle, let notify = PQnotifies(handle) {
            let notification = Notification(
                channel: String(cString: notify.pointee.relname), payload: String(cString: notify.pointee.extra))
            PQfreemem(notify)
            onNotification(notification)
        }
    }

    // MARK: Closing

    /// Ends the use of the connection: it closes when the exchanges in progress have been answered.
    func retire() {
        guard state == .ready else { return }
        state = .retired
        if inProgress.isEmpty { close(.retired) }
    }

    /// Closes a broken connection with libpq's error message.
    func lost() {
        guard state != .closed else { return }
        close(PostgresError(.connectionLost, PostgresError.message(of: handle), sqlState: .connectionFailure))
    }

    func close(_ error: PostgresError) {
        guard state != .closed else { return }
        state = .closed
        opening?.cancel()
        opening = nil
        deadlineTimer?.cancel()
        watch?.cancel()
        watch = nil
        if let handle { PQfinish(handle) }
        handle = nil
        expectations = Queue()
        let unanswered = inProgress.elements
        inProgress = Queue()
        for exchange in unanswered {
            exchange.fail(error)
            exchange.answer()
        }
        let onClosed = onClosed
        onReady = {}
        onIdle = {}
        self.onClosed = { _ in }
        onNotification = { _ in }
        onClosed(error)
    }
}
