import EventLoop
import Glibc
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ReaderConnectionTests {
    /// Looks for the process by its identifier. Waiting for any child process would find zombies of other tests.
    @Test func `ending a reader leaves no zombie process`() async throws {
        try await onLoop { loop in
            let reader = try ReaderConnection(on: loop, path: "/bin/false")
            await reader.end()
            #expect(kill(reader.identifier, 0) == -1 && errno == ESRCH)
            #expect(!reader.isUsable)
        }
    }

    @Test func `a reader that has ended is not used again`() async throws {
        try await onLoop { loop in
            let waitingReader = try ReaderConnection(on: loop, path: "/bin/cat")
            #expect(waitingReader.isUsable)
            await waitingReader.end()
            let reader = try ReaderConnection(on: loop, path: "/bin/false")
            for _ in 0..<6_000 where reader.isUsable { await loop.sleep(for: .milliseconds(10)) }
            #expect(!reader.isUsable)
            await reader.end()
        }
    }
}
