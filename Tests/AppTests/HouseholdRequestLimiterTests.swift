import Domain
import EventLoop
import Testing

@testable import App

/// The limit of simultaneous requests of one household.
@Suite(.timeLimit(.minutes(5))) struct HouseholdRequestLimiterTests {
    /// Counts the runs that are in progress, from any thread.
    private final class RunCounter: @unchecked Sendable {
        // Safe to share: all properties are accessed under the lock.
        private let lock = Lock()
        private var present = 0
        private var peak = 0
        private var ended: [Int] = []

        var peakCount: Int { lock.withLock { peak } }
        var order: [Int] { lock.withLock { ended } }
        func enter() {
            lock.withLock {
                present += 1
                peak = max(peak, present)
            }
        }
        func leave(_ number: Int) {
            lock.withLock {
                present -= 1
                ended.append(number)
            }
        }
    }

    @Test func `runs a few requests of a household at a time, and finally all of them`() async throws {
        let (limiter, counter, household) = (HouseholdRequestLimiter(), RunCounter(), HouseholdID.new())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await limiter.run(household) {
                        counter.enter()
                        for _ in 0..<10 { await Task.yield() }
                        counter.leave(number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counter.peakCount <= HouseholdRequestLimiter.maximumSimultaneous)
        #expect(counter.order.sorted() == Array(0..<60))
    }

    @Test func `answers another household while many requests of one household wait`() async throws {
        let (limiter, busy) = (HouseholdRequestLimiter(), HouseholdID.new())
        let (blocked, release) = AsyncStream<Void>.makeStream()
        let requests = (0..<30).map { _ in
            Task { try await limiter.run(busy) { for await _ in blocked {} } }
        }
        #expect(try await limiter.run(HouseholdID.new()) { 7 } == 7)
        release.finish()
        for request in requests { try await request.value }
        // The last request has ended, so the household's next request runs.
        #expect(try await limiter.run(busy) { 8 } == 8)
    }
}
