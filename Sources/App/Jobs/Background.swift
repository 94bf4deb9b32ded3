import EventLoop

/// Work beside the requests: reading receipts, sweeping.
package final class Background: Sendable {
    package func stop() async {}
}

extension App {
    /// Starts what runs beside the requests, on this loop.
    func startBackground(on loop: EventLoop) async throws -> Background { Background() }
}
