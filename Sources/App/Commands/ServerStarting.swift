import EventLoop

/// Connects the app to sockets. Implemented by the executable, because `App` does not import `HTTPServer`.
package protocol ServerStarting: Sendable {
    /// Checks certificate, key and addresses as `start` does, without listening.
    func check(_ app: App) throws
    /// Listens on the addresses of the settings and serves on the loops.
    func start(_ app: App, loops: [EventLoop]) throws -> any RunningServer
}

package protocol RunningServer: Sendable {
    /// Stops accepting connections and waits at most ten seconds for running requests.
    func stop() async
}
