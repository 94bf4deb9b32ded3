import EventLoop

/// Connects the app to sockets. The executable implements it, because `App` does not import `HTTPServer`.
package protocol ServerStarting: Sendable {
    /// Checks the certificate, key and addresses like `start`, but does not listen.
    func check(_ app: App) throws
    /// Listens on the configured addresses and serves requests on the loops.
    func start(_ app: App, loops: [EventLoop]) throws -> any RunningServer
}

/// A server that `ServerStarting.start` has started.
package protocol RunningServer: Sendable {
    /// Stops accepting connections and waits at most ten seconds for running requests.
    func stop() async
}
