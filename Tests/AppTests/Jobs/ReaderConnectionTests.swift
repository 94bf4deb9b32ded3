import Glibc
import TestSupport
import Testing

@testable import App

@Suite struct ReaderConnectionTests {
    /// Whoever waits for any child of this process would find a zombie again and again.
    @Test func `a reader that is ended is gone, and no zombie`() async throws {
        try await onLoop { loop in
            let reader = try ReaderConnection(on: loop, path: "/bin/false")
            await reader.end()
            #expect(kill(reader.identifier, 0) == -1 && errno == ESRCH)
        }
    }
}
