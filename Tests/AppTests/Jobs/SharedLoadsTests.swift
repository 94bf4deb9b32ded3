import EventLoop
import Testing

@testable import App

/// Simultaneous loads of the same value.
@Suite(.timeLimit(.minutes(5))) struct SharedLoadsTests {
    private struct LoadFailure: Error {}

    /// Counts calls from any thread.
    private final class Count: @unchecked Sendable {
        // Safe to share: accessed under the lock.
        private let lock = Lock()
        private var number = 0
        var value: Int { lock.withLock { number } }
        func add() { lock.withLock { number += 1 } }
    }

    @Test func `loads a value once for all tasks that wait for it`() async throws {
        let loads = SharedLoads<Int, Int>()
        let count = Count()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await loads.value(of: 1) {
                        count.add()
                        for await _ in gate {}
                        return 42
                    }
                }
            }
            while loads.waitingCount < 99 { await Task.yield() }
            open.finish()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 42, count: 100))
        #expect(count.value == 1)
    }

    @Test func `throws an error to the waiting task, and loads again afterwards`() async throws {
        let loads = SharedLoads<Int, Int>()
        await #expect(throws: LoadFailure.self) { try await loads.value(of: 1) { throw LoadFailure() } }
        #expect(try await loads.value(of: 1) { 2 } == 2)
    }
}
