import EventLoop

extension Pool {
    /// Runs one read-only statement in its own transaction. It is repeated if the connection breaks.
    ///
    /// - Parameter household: the value of `current_setting('app.household')`, sent with the statement.
    /// - Throws: `PostgresError`, for lost connections, serialization failures and deadlocks only after five retries.
    @discardableResult
    package func read(
        household: (some PostgresValue)? = nil as PostgresUUID?, _ sql: SQL
    ) async throws(PostgresError) -> Rows {
        try await run([sql], preamble: Self.settingHousehold(household), isRepeatable: true)[0]
    }

    /// Runs several read-only statements in one transaction and one round trip.
    ///
    /// - Throws: `PostgresError`, for lost connections, serialization failures and deadlocks only after five retries.
    @discardableResult
    package func read(
        household: (some PostgresValue)? = nil as PostgresUUID?, batch: [SQL]
    ) async throws(PostgresError) -> [Rows] {
        try await run(batch, preamble: Self.settingHousehold(household), isRepeatable: true)
    }

    /// Runs one statement in its own transaction. If the connection breaks after the statement was sent, the error has
    /// kind `connectionLost`. The statement may have been executed or not. Use ``transaction`` for statements that must
    /// be executed exactly once.
    @discardableResult
    package func query(
        household: (some PostgresValue)? = nil as PostgresUUID?, _ sql: SQL
    ) async throws(PostgresError) -> Rows {
        try await run([sql], preamble: Self.settingHousehold(household), isRepeatable: false)[0]
    }

    /// Runs several statements in one transaction and one round trip: all of them or none.
    @discardableResult
    package func query(
        household: (some PostgresValue)? = nil as PostgresUUID?, batch: [SQL]
    ) async throws(PostgresError) -> [Rows] {
        try await run(batch, preamble: Self.settingHousehold(household), isRepeatable: false)
    }

    /// The statement that sets `app.household` for the transaction, for row-level security; none without a household.
    static func settingHousehold(_ household: (some PostgresValue)?) -> [SQL] {
        guard let household else { return [] }
        return ["SELECT set_config('app.household', \(household)::text, true)"]
    }

    private func run(_ statements: [SQL], preamble: [SQL], isRepeatable: Bool) async throws(PostgresError) -> [Rows] {
        if statements.contains(where: \.parameters.isInvalid) { throw .unstorable }
        let allStatements = preamble.isEmpty ? statements : preamble + statements
        let deadline = EventLoop.monotonicNow() + settings.statementTimeout.nanoseconds
        var retries = Retries()
        while true {
            let answer: Exchange.Answer = await withUnsafeContinuation { continuation in
                submit(
                    Exchange(
                        statements: allStatements, preamble: preamble.count, deadline: deadline,
                        continuation: continuation))
            }
            switch answer {
            case .success(let rows): return rows
            case .failure(let error):
                let isSafe = error.allowsRetry || (isRepeatable && error.meansLostConnection)
                guard isSafe, let pause = retries.next() else { throw error }
                await loop.sleep(for: pause)
            }
        }
    }
}

/// The number of retries and the pauses before them.
struct Retries {
    private var remainingAttempts = 5
    private var backoff = Backoff(first: 10, limit: 500)

    /// Returns the pause before the next retry; nil after the last one.
    mutating func next() -> Duration? {
        guard remainingAttempts > 0 else { return nil }
        remainingAttempts -= 1
        return backoff.next()
    }
}
