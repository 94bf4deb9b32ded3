import EventLoop

/// The pools of a server, one for each event loop.
package final class Database: Sendable {
    /// Settings of all pools.
    package let settings: PostgresSettings
    private let pools: [Pool]

    /// Creates a pool for each loop. The pools start to connect immediately. May be called on any thread.
    package init(loops: [EventLoop], settings: PostgresSettings) {
        self.settings = settings
        pools = loops.map { Pool(loop: $0, settings: settings) }
    }

    /// The pool of the current thread's loop.
    ///
    /// - Precondition: the current thread is that of a loop which was passed to `init`.
    package var pool: Pool {
        guard let pool = pools.first(where: { $0.loop.isCurrent }) else {
            preconditionFailure("the database must be used on one of its event loops")
        }
        return pool
    }

    /// Closes every pool, on its loop.
    package func close() {
        for pool in pools { pool.loop.execute { pool.close() } }
    }
}
