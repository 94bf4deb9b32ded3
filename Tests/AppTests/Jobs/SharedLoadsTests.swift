import EventLoop
import Synchronization
import Testing

@testable import App

/// Many who need the same value at the same time.
@Suite struct SharedLoadsTests {
    private struct Failed: Error {}

    @Test func `loads a value once for all who wait for it`() async throws {
        let loads = SharedLoads<Int, Int>()
        let count = Atomic(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await loads.value(of: 1) {
                        count.add(1, ordering: .relaxed)
                        for await _ in gate {}
                        return 42
                    }
                }
            }
            // All of them have begun or wait by then; later ones would load again.
            for _ in 0..<1000 { await Task.yield() }
            open.finish()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 42, count: 100))
        #expect(count.load(ordering: .relaxed) < 10)
    }

    @Test func `passes an error on, and loads again afterwards`() async throws {
        let loads = SharedLoads<Int, Int>()
        await #expect(throws: Failed.self) { try await loads.value(of: 1) { throw Failed() } }
        #expect(try await loads.value(of: 1) { 2 } == 2)
    }
}
