import EventLoop

/// Combines simultaneous loads of a value: the first caller loads it, the others wait for the result.
final class SharedLoads<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    // Safe to share: read and written under the lock.
    private let lock = Lock()
    /// The callers that wait for each running load.
    private var waiting: [Key: [CheckedContinuation<Result<Value, any Error>?, Never>]] = [:]

    init() {}

    /// The number of callers that wait for another caller's load.
    var waitingCount: Int { lock.withLock { waiting.values.reduce(0) { $0 + $1.count } } }

    /// Returns the result of `load`, or of a running load of the same key.
    func value(of key: Key, _ load: () async throws -> Value) async throws -> Value {
        let isFirst = lock.withLock {
            guard waiting[key] == nil else { return false }
            waiting[key] = []
            return true
        }
        guard isFirst else { return try await wait(for: key, load) }
        let result: Result<Value, any Error>
        do {
            result = .success(try await load())
        } catch {
            result = .failure(error)
        }
        for continuation in lock.withLock({ waiting.removeValue(forKey: key) ?? [] }) {
            continuation.resume(returning: result)
        }
        return try result.get()
    }

    /// Waits for a running load. Loads the value itself if that load has ended.
    private func wait(for key: Key, _ load: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>? = await withCheckedContinuation { continuation in
            let isWaiting = lock.withLock {
                guard waiting[key] != nil else { return false }
                waiting[key]?.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume(returning: nil) }
        }
        // nil: the other load ended before this caller could wait for it.
        guard let result else { return try await value(of: key, load) }
        return try result.get()
    }
}
