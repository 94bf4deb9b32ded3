import CPostgres
import EventLoop

/// A connection to PostgreSQL in libpq's pipeline mode, confined to an event loop.
///
/// Exchanges are sent at once, however many are under way, and answered in order. Each statement is prepared once.
final class Connection: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    enum State {
        case connecting
        case ready
        /// Takes nothing new, finishes what is under way and closes: after a cancellation, which may hit a neighbour.
        case retired
        case closed
    }

    /// What the server still has to answer, in the order in which it was sent.
    private enum Expectation {
        case preparation(PreparedStatement)
        case deallocation
        case statement(Exchange, PreparedStatement?)
        case sync(Exchange?)
    }

    let loop: EventLoop
    private let settings: PostgresSettings
    private(set) var state = State.connecting
    /// Kept for one transaction; set by the pool.
    var isReserved = false
    /// Gets no further statements, so that it becomes idle for a transaction; set by the pool.
    var isHeld = false
    var onReady: () -> Void = {}
    /// Nothing is under way any more.
    var onIdle: () -> Void = {}
    var onClosed: (PostgresError) -> Void = { _ in }
    var onNotification: (Notification) -> Void = { _ in }

    private var handle: OpaquePointer?
    private var watch: Watch?
    private var connectTimer: LoopTimer?
    private var deadlineTimer: LoopTimer?
    /// When `deadlineTimer` rings, in the loop's nanoseconds.
    private var armedDeadline: Int64 = .max
    private var expected = Queue<Expectation>()
    private var underWay = Queue<Exchange>()
    private var statements: StatementCache
    private var headHasResult = false

    /// Starts to connect; `onReady` or `onClosed` says how it went.
    init(loop: EventLoop, settings: PostgresSettings) {
        precondition(loop.isCurrent, "a connection belongs to the loop's thread")
        self.loop = loop
        self.settings = settings
        statements = StatementCache(capacity: settings.maximumStatements)
    }

    var pendingCount: Int { underWay.count }
    var isIdle: Bool { underWay.isEmpty }
    /// No transaction block is open.
    var isOutsideTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    // MARK: Opening

    func open() {
        connectTimer = loop.after(settings.connectTimeout) { [weak self] in
            self?.close(PostgresError(.unavailable, "connecting took too long"))
        }
        guard settings.needsResolution else { return start(settings) }
        let settings = settings
        onThread { [self] in
            let resolved = Result { () throws(PostgresError) in try settings.resolved() }
            loop.execute { [self] in
                switch resolved {
                case .success(let settings): start(settings)
                case .failure(let error): close(error)
                }
            }
        }
    }

    private func start(_ settings: PostgresSettings) {
        guard state == .connecting else { return }
        handle = settings.withParameters { PQconnectStartParams($0, $1, 0) }
        guard let handle, PQstatus(handle) != CONNECTION_BAD else {
            return close(PostgresError(.unavailable, PostgresError.words(of: self.handle)))
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // The state after PQconnectStart is as if PQconnectPoll had asked for writing.
        watchSocket(.write) { [weak self] _ in self?.pollConnecting() }
    }

    private func pollConnecting() {
        guard state == .connecting, let handle else { return }
        // libpq may open another socket under the same number: watch anew each time.
        watch?.cancel()
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING: watchSocket(.read) { [weak self] _ in self?.pollConnecting() }
        case PGRES_POLLING_WRITING: watchSocket(.write) { [weak self] _ in self?.pollConnecting() }
        case PGRES_POLLING_OK: becomeReady(handle)
        default: close(PostgresError(.unavailable, PostgresError.words(of: handle)))
        }
    }

    private func becomeReady(_ handle: OpaquePointer) {
        connectTimer?.cancel()
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            return close(PostgresError(.unavailable, PostgresError.words(of: handle)))
        }
        state = .ready
        watchSocket(.read) { [weak self] in self?.handle($0) }
        onReady()
    }

    private func watchSocket(_ interest: Readiness, _ handler: @escaping (Readiness) -> Void) {
        guard let handle else { return }
        do {
            watch = try loop.watch(PQsocket(handle), .level(interest), handler: handler)
        } catch {
            close(PostgresError(.unavailable, error.description))
        }
    }

    // MARK: Sending

    /// Sends an exchange; it is answered later, in any case.
    func send(_ exchange: Exchange) {
        precondition(state == .ready || state == .retired, "only an open connection sends")
        guard let handle else { return }
        exchange.wasSent = true
        underWay.append(exchange)
        guard prepare(exchange.statements, handle) else { return lost() }
        for statement in exchange.statements {
            let prepared = settings.preparesStatements ? statements.find(statement) : nil
            guard dispatch(statement, prepared, handle) else { return lost() }
            expected.append(.statement(exchange, prepared))
        }
        guard PQpipelineSync(handle) == 1 else { return lost() }
        expected.append(.sync(exchange))
        flush(handle)
        armDeadline(exchange.deadline)
    }

    /// Prepares what is new, up to a Sync of its own: the failure of a neighbour must not undo it.
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
                expected.append(.deallocation)
            }
            let types = statement.parameters.entries.map(\.type.oid)
            guard PQsendPrepare(handle, prepared.name, statement.text, Int32(types.count), types) == 1 else {
                return false
            }
            expected.append(.preparation(prepared))
        }
        guard isAnyNew else { return true }
        guard PQpipelineSync(handle) == 1 else { return false }
        expected.append(.sync(nil))
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
        let left = PQflush(handle)
        guard left >= 0 else { return lost() }
        watch?.interest = left == 0 ? .read : [.read, .write]
    }

    // MARK: Receiving

    private func handle(_ readiness: Readiness) {
        guard let handle, state != .closed else { return }
        if readiness.contains(.read), PQconsumeInput(handle) == 0 {
            receive()  // the server's last words come before the end
            return lost()
        }
        receive()
        guard let handle = self.handle, state != .closed else { return }
        if readiness.contains(.write) { flush(handle) }
        takeNotifications()
    }

    private func receive() {
        var empty = 0
        while let handle, !expected.isEmpty, PQisBusy(handle) == 0 {
            if let result = PQgetResult(handle) {
                empty = 0
                take(result)
            } else if headHasResult {
                headHasResult = false
                expected.removeFirst()
            } else {
                // Between two statements libpq says "no more" once; for ever when the connection is broken.
                empty += 1
                if empty > 2 { return }
            }
        }
    }

    private func take(_ result: OpaquePointer) {
        let status = PQresultStatus(result)
        if status == PGRES_PIPELINE_SYNC {
            PQclear(result)
            guard case .sync(let exchange) = expected.removeFirst() else { return lost() }
            headHasResult = false
            if let exchange { finish(exchange) }
            return
        }
        headHasResult = true
        let error = error(in: result, status)
        switch expected.first {
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
            // A cancellation meant for another statement came late.
            error.isMishap = error.sqlState == .queryCanceled && state == .retired
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
            // Not the server's words but libpq's: the connection is broken.
            return PostgresError(.connectionLost, error.message, sqlState: .connectionFailure)
        }
    }

    private func finish(_ exchange: Exchange) {
        underWay.removeFirst()
        exchange.answer()
        guard underWay.isEmpty else { return }
        deadlineTimer?.cancel()
        deadlineTimer = nil
        if state == .retired { close(PostgresError(.unavailable, "the connection was retired")) } else { onIdle() }
    }

    private func takeNotifications() {
        while let handle, let notify = PQnotifies(handle) {
            let notification = Notification(
                channel: String(cString: notify.pointee.relname), payload: String(cString: notify.pointee.extra))
            PQfreemem(notify)
            onNotification(notification)
        }
    }

    // MARK: Deadlines

    private func armDeadline(_ deadline: Int64) {
        // An exchange that is sent again comes with the time it has left, which may end before its neighbours'.
        guard deadlineTimer == nil || deadline < armedDeadline else { return }
        deadlineTimer?.cancel()
        armedDeadline = deadline
        let delay = max(0, deadline - EventLoop.monotonicNow())
        deadlineTimer = loop.after(.nanoseconds(delay)) { [weak self] in
            self?.deadlineTimer = nil
            self?.expire()
        }
    }

    /// How long a cancelled statement has to answer before the connection is given up.
    private static let cancelGrace: Int64 = 2_000_000_000

    private func expire() {
        let now = EventLoop.monotonicNow()
        var next = Int64.max
        for (index, exchange) in underWay.elements.enumerated() {
            let left = exchange.deadline - now
            if left > 0 {
                next = min(next, exchange.deadline)
            } else if exchange.isExpired {
                if exchange.deadline + Self.cancelGrace <= now { return lost() }
                next = min(next, exchange.deadline + Self.cancelGrace)
            } else {
                exchange.isExpired = true
                exchange.fail(PostgresError(.timedOut, "the deadline passed", sqlState: .queryCanceled))
                // Only the first one runs now. The others are answered, and their results ignored.
                if index == 0 { cancelRunning() } else { exchange.answer() }
                next = min(next, exchange.deadline + Self.cancelGrace)
            }
        }
        if next != .max { armDeadline(next) }
    }

    private func cancelRunning() {
        guard let handle, let cancel = PQgetCancel(handle) else { return lost() }
        retire()
        let request = CancelRequest(cancel)
        onThread { request.send() }
    }

    // MARK: Closing

    /// Takes nothing new; closes when what is under way has been answered.
    func retire() {
        guard state == .ready else { return }
        state = .retired
        if underWay.isEmpty { close(PostgresError(.unavailable, "the connection was retired")) }
    }

    private func lost() {
        guard state != .closed else { return }
        close(PostgresError(.connectionLost, PostgresError.words(of: handle), sqlState: .connectionFailure))
    }

    func close(_ error: PostgresError) {
        guard state != .closed else { return }
        state = .closed
        connectTimer?.cancel()
        deadlineTimer?.cancel()
        watch?.cancel()
        watch = nil
        if let handle { PQfinish(handle) }
        handle = nil
        expected = Queue()
        let unanswered = underWay.elements
        underWay = Queue()
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

/// What NOTIFY sent.
package struct Notification: Sendable, Equatable {
    /// As the server spells it: folded to lower case unless LISTEN or NOTIFY quoted it.
    package let channel: String
    /// Empty where NOTIFY gave none; under 8000 bytes.
    package let payload: String
}

/// A copy of what PQcancel needs, for another thread.
private final class CancelRequest: @unchecked Sendable {
    // Safe to share: handed to one thread, which uses and frees it.
    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) { self.cancel = cancel }

    func send() {
        var words = [CChar](repeating: 0, count: 256)
        // When it fails the connection is given up after its grace.
        _ = PQcancel(cancel, &words, Int32(words.count))
        PQfreeCancel(cancel)
    }
}
