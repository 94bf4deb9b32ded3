import EventLoop

/// A pool for each event loop of a server; code on a loop finds its own.
package final class Database: Sendable {
    /// The same for every pool.
    package let settings: PostgresSettings
    private let pools: [Pool]

    /// Makes a pool for each loop, which begins to connect at once. Callable from any thread.
    package init(loops: [EventLoop], settings: PostgresSettings) {
        self.settings = settings
        pools = loops.map { Pool(loop: $0, settings: settings) }
    }

    /// The pool of the current thread's loop, which must be one of the database's.
    package var pool: Pool {
        guard let pool = pools.first(where: { $0.loop.isCurrent }) else {
            preconditionFailure("the database is used on its event loops only")
        }
        return pool
    }

    /// Closes every pool, on its loop.
    package func close() {
        for pool in pools { pool.loop.execute { pool.close() } }
    }
}
