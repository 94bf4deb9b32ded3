import Domain
import EventLoop
import Glibc
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct SlowWorkTests {
    @Test func `work runs on another thread, and its caller continues on its own loop`() async throws {
        let work = try SlowWork()
        try await onLoop { loop in
            let name = try await work.run { EventLoop.current?.name }
            #expect(name == "slow work")
            #expect(loop.isCurrent)
            await #expect(throws: Refusal.self) { try await work.run { throw Refusal.notFound } }
            #expect(work.startedJobCount == 2)
        }
    }

    @Test func `refuses work when too much is waiting, and accepts work again later`() async throws {
        let work = try SlowWork()
        try await onLoop { loop in
            let tooMany = 5
            let gate = Gate(opensAfter: tooMany)
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<SlowWork.maximumJobs + tooMany {
                    group.addTask {
                        do {
                            try await work.run { gate.wait() }
                            return false
                        } catch {
                            // The last refusal opens the gate. Until then no work ends, so the queue stays full.
                            gate.countCall()
                            return (error as? Refusal)?.status == .serviceUnavailable
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == tooMany)
            let answer = try await work.run { 7 }
            #expect(answer == 7)
        }
    }

    /// Keeps work running until `countCall()` was called `calls` times.
    private final class Gate: Sendable {
        private let lock = Lock()
        private let state = State()

        private final class State: @unchecked Sendable {
            // Safe to share: accessed under the lock.
            var calls = 0
        }

        private let needed: Int

        init(opensAfter calls: Int) { needed = calls }

        func countCall() { lock.withLock { state.calls += 1 } }

        func wait() {
            while lock.withLock({ state.calls < needed }) { usleep(1_000) }
        }
    }

    @Test func `returns freed memory only after the process has grown`() {
        var memory = FreedMemory()
        var returns = 0
        /// Ends a job when the process uses `size` MiB. Returning freed memory reduces this to `kept` MiB.
        func endJob(at size: Int, kept: Int) {
            var size = size
            memory.release(
                resident: { size << 20 },
                giveBack: {
                    returns += 1
                    size = kept
                })
        }
        endJob(at: 200, kept: 100)
        #expect(returns == 1)
        // Small jobs, such as frames of the live camera, do not return memory, even if there are many.
        for size in [100, 103, 101, 107] { endJob(at: size, kept: 100) }
        #expect(returns == 1)
        endJob(at: 109, kept: 102)
        #expect(returns == 2)
        // Growth is measured from the smallest size since memory was last returned.
        endJob(at: 90, kept: 0)
        endJob(at: 99, kept: 95)
        #expect(returns == 3)
    }

    @Test func `measures the resident memory of the process`() {
        #expect(FreedMemory.residentBytes() > 1 << 20)
    }

    @Test(.database) func `other pages are answered while a long table is parsed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let rows = (0..<6_000).map { "Ware \($0 % 5_000) 250g;1,\(10 + $0 % 90);Milch;SPAR;\($0 % 28 + 1).09.2026" }
            let table = (["Name;Price;Category;Shop;Datum"] + rows).joined(separator: "\n")
            let sent = try await anna.importFile(table)
            let preview = try #require(sent.location)
            let cookies = anna.cookies
            let (slowWork, gate, loop) = (harness.app.slowWork, Gate(opensAfter: 1), try #require(EventLoop.current))
            // Slow work runs one job at a time, so the preview is not answered before this job ends.
            let before = slowWork.startedJobCount
            let held = Task { try await slowWork.run { gate.wait() } }
            while slowWork.startedJobCount == before { await loop.sleep(for: .milliseconds(1)) }
            let order = await withTaskGroup(of: String.self) { group in
                for page in [preview, "/receipts", "/products"] {
                    group.addTask {
                        let browser = harness.browser()
                        browser.cookies = cookies
                        let answer = try? await browser.get(page)
                        return answer?.status == .ok ? page : "\(answer?.status.code ?? 0)"
                    }
                }
                var answered: [String] = []
                for await page in group {
                    answered.append(page)
                    if answered.count == 2 { gate.countCall() }
                }
                return answered
            }
            try await held.value
            #expect(Set(order.prefix(2)) == ["/receipts", "/products"])
            #expect(order.last == preview)
            let countBefore = harness.app.slowWork.startedJobCount
            #expect(try await anna.post("\(preview)/confirmation").location == "/receipts")
            #expect(harness.app.slowWork.startedJobCount > countBefore)
            let owner = try harness.owner()
            #expect(try owner.query("SELECT count(*) FROM receipt_line").first(Int64.self) == 6_000)
            #expect(try owner.query("SELECT count(*) FROM product").first(Int64.self) == 5_000)
        }
    }
}
