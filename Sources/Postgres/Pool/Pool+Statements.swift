import EventLoop

extension Pool {
    /// Runs one statement that only reads, in a transaction of its own; sent again when the connection breaks.
    ///
    /// - Parameter household: what `current_setting('app.household')` says in it; it travels with the statement.
    /// - Throws: `PostgresError`, after five more tries where it was the connection or chance.
    @discardableResult
    package func read(
        household: (some PostgresValue)? = nil as PostgresUUID?, _ sql: SQL
    ) async throws(PostgresError) -> Rows {
        try await run([sql], preamble: Self.settingHousehold(household), isRepeatable: true)[0]
    }

    /// Runs several statements that only read, in one transaction and one round trip.
    ///
    /// - Throws: `PostgresError`, after five more tries where it was the connection or chance.
    @discardableResult
    package func read(
        household: (some PostgresValue)? = nil as PostgresUUID?, batch: [SQL]
    ) async throws(PostgresError) -> [Rows] {
        try await run(batch, preamble: Self.settingHousehold(household), isRepeatable: true)
    }

    /// Runs one statement in a transaction of its own. When the connection breaks after it was sent, the error's kind is
    /// `connectionLost` and nobody knows whether it happened: what must happen once goes into a ``transaction``.
    @discardableResult
    package func query(
        household: (some PostgresValue)? = nil as PostgresUUID?, _ sql: SQL
    ) async throws(PostgresError) -> Rows {
        try await run([sql], preamble: Self.settingHousehold(household), isRepeatable: false)[0]
    }

    /// Runs several statements in one transaction and one round trip; all of them happen, or none.
    @discardableResult
    package func query(
        household: (some PostgresValue)? = nil as PostgresUUID?, batch: [SQL]
    ) async throws(PostgresError) -> [Rows] {
        try await run(batch, preamble: Self.settingHousehold(household), isRepeatable: false)
    }

    static func settingHousehold(_ household: (some PostgresValue)?) -> [SQL] {
        guard let household else { return [] }
        return ["SELECT set_config('app.household', \(household)::text, true)"]
    }

    private func run(_ statements: [SQL], preamble: [SQL], isRepeatable: Bool) async throws(PostgresError) -> [Rows] {
        if statements.contains(where: \.parameters.isInvalid) { throw .unstorable }
        let all = preamble.isEmpty ? statements : preamble + statements
        let deadline = EventLoop.monotonicNow() + settings.statementTimeout.nanoseconds
        var retries = Retries()
        while true {
            let answer: Exchange.Answer = await withUnsafeContinuation { continuation in
                submit(
                    Exchange(statements: all, preamble: preamble.count, deadline: deadline, continuation: continuation))
            }
            switch answer {
            case .success(let rows): return rows
            case .failure(let error):
                let isSafe = error.isRolledBackByChance || (isRepeatable && error.meansLostConnection)
                guard isSafe, let pause = retries.next() else { throw error }
                await loop.sleep(for: pause)
            }
        }
    }
}

/// How often and after which pauses something is tried again.
struct Retries {
    private var left = 5
    private var backoff = Backoff(first: 10, limit: 500)

    mutating func next() -> Duration? {
        guard left > 0 else { return nil }
        left -= 1
        return backoff.next()
    }
}
