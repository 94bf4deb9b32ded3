import CPostgres
import EventLoop

/// Connects to the server without blocking the loop. Calls `onEnd` once, with libpq's handle or an error.
final class ConnectionOpening: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    private let loop: EventLoop
    private let settings: PostgresSettings
    /// Nil after it was called, and after ``cancel()``.
    private var onEnd: ((Result<OpaquePointer, PostgresError>) -> Void)?
    private var handle: OpaquePointer?
    private var watch: Watch?
    private var timer: LoopTimer?

    init(
        loop: EventLoop, settings: PostgresSettings, onEnd: @escaping (Result<OpaquePointer, PostgresError>) -> Void
    ) {
        self.loop = loop
        self.settings = settings
        self.onEnd = onEnd
    }

    func start() {
        timer = loop.after(settings.connectTimeout) { [weak self] in
            self?.end(.failure(PostgresError(.unavailable, "connecting took too long")))
        }
        guard settings.needsResolution else { return connect(settings) }
        let settings = settings
        onThread { [self] in
            let resolved = Result { () throws(PostgresError) in try settings.resolved() }
            loop.execute { [self] in
                switch resolved {
                case .success(let settings): connect(settings)
                case .failure(let error): end(.failure(error))
                }
            }
        }
    }

    /// Stops connecting, without a call of `onEnd`.
    func cancel() {
        onEnd = nil
        end(.failure(PostgresError(.unavailable, "connecting was cancelled")))
    }

    private func connect(_ settings: PostgresSettings) {
        guard onEnd != nil else { return }
        handle = settings.withParameters { PQconnectStartParams($0, $1, 0) }
        guard let handle, PQstatus(handle) != CONNECTION_BAD else {
            return end(.failure(PostgresError(.unavailable, PostgresError.message(of: self.handle))))
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // After PQconnectStart, proceed as if PQconnectPoll had returned PGRES_POLLING_WRITING.
        wait(for: .write, handle)
    }

    private func poll() {
        guard let handle else { return }
        // libpq may open another socket with the same number, so the watch is created again each time.
        watch?.cancel()
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING: wait(for: .read, handle)
        case PGRES_POLLING_WRITING: wait(for: .write, handle)
        case PGRES_POLLING_OK: end(.success(handle))
        default: end(.failure(PostgresError(.unavailable, PostgresError.message(of: handle))))
        }
    }

    private func wait(for interest: Readiness, _ handle: OpaquePointer) {
        do {
            watch = try loop.watch(PQsocket(handle), .level(interest)) { [weak self] _ in self?.poll() }
        } catch {
            end(.failure(PostgresError(.unavailable, error.description)))
        }
    }

    private func end(_ result: Result<OpaquePointer, PostgresError>) {
        timer?.cancel()
        timer = nil
        watch?.cancel()
        watch = nil
        if case .failure = result, let handle { PQfinish(handle) }
        handle = nil
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(result)
    }
}
