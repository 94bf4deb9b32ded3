import EventLoop

extension Pool {
    /// Runs `body` in a transaction and commits it. An error rolls back.
    ///
    /// The closure is repeated after a serialization failure, a deadlock, or the loss of the connection before COMMIT
    /// was sent, at most five times with growing pauses. So the closure must have no effects outside the transaction.
    /// BEGIN and the household are sent with the first statement; a closure without statements sends nothing.
    ///
    /// - Parameters:
    ///   - household: the value of `current_setting('app.household')` in the transaction.
    ///   - wasCommitted: called in a new transaction after the connection broke during COMMIT. The server may still be
    ///     finishing the earlier attempt. So the closure must first take the lock that `body` takes first (the
    ///     household's row), and then look for the operation's identifier, which `body` writes.
    /// - Throws: the error of `body`; `PostgresError`, of kind `commitUnknown` if the result of COMMIT is unknown and
    ///   there is no `wasCommitted`.
    @discardableResult
    package func transaction<Value>(
        household: (some PostgresValue)? = nil as PostgresUUID?, isolation: Transaction.Isolation = .readCommitted,
        wasCommitted: ((Transaction) async throws -> Bool)? = nil, _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        var retries = Retries()
        // The value of `body` in an earlier attempt, if its COMMIT was not answered.
        var inDoubt: Value?
        while true {
            let connection: Connection
            do {
                connection = try await reserve()
            } catch {
                // The result of the earlier attempt remains unknown.
                guard inDoubt == nil else { throw error.asCommitUnknown }
                throw error
            }
            let transaction = Transaction(
                connection: connection, timeout: settings.statementTimeout, isolation: isolation, household: household)
            let outcome: Outcome<Value>
            if let value = inDoubt, let wasCommitted {
                outcome = await repeatUnlessCommitted(transaction, value, wasCommitted, body)
            } else {
                outcome = await attempt(transaction, body)
            }
            release(connection)
            switch outcome {
            case .done(let value): return value
            case .failed(let error): throw error
            case .mayRetry(let error):
                guard let pause = retries.next() else {
                    throw inDoubt == nil ? error : (error as? PostgresError)?.asCommitUnknown ?? error
                }
                await loop.sleep(for: pause)
            case .unknown(let value, let error):
                guard wasCommitted != nil, let pause = retries.next() else { throw error.asCommitUnknown }
                inDoubt = value
                await loop.sleep(for: pause)
            }
        }
    }

    private enum Outcome<Value> {
        case done(Value)
        case failed(any Error)
        case mayRetry(any Error)
        case unknown(Value, PostgresError)
    }

    /// Runs the closure and COMMIT once.
    private func attempt<Value>(
        _ transaction: Transaction, _ body: (Transaction) async throws -> Value
    ) async -> Outcome<Value> {
        let value: Value
        do {
            value = try await body(transaction)
        } catch {
            await transaction.rollBack()
            // The closure may have caught the error of the transaction and thrown another one.
            let cause = transaction.failure ?? error as? PostgresError
            guard let cause, cause.allowsRetry || cause.meansLostConnection else { return .failed(error) }
            return .mayRetry(error)
        }
        do {
            try await transaction.commit()
            return .done(value)
        } catch {
            switch error {
            case .unknown(let error): return .unknown(value, error)
            case .rolledBack(let error):
                await transaction.rollBack()
                return error.allowsRetry || error.meansLostConnection ? .mayRetry(error) : .failed(error)
            }
        }
    }

    /// Finds out whether an unanswered COMMIT succeeded, and repeats the work in the same transaction if not.
    private func repeatUnlessCommitted<Value>(
        _ transaction: Transaction, _ value: Value, _ wasCommitted: (Transaction) async throws -> Bool,
        _ body: (Transaction) async throws -> Value
    ) async -> Outcome<Value> {
        var isCommitted = false
        let outcome = await attempt(transaction) { transaction in
            isCommitted = try await wasCommitted(transaction)
            return isCommitted ? value : try await body(transaction)
        }
        // If the earlier COMMIT succeeded, this transaction only read, so the result of its COMMIT does not matter.
        return isCommitted ? .done(value) : outcome
    }
}

extension PostgresError {
    fileprivate var asCommitUnknown: PostgresError {
        var error = self
        error.kind = .commitUnknown
        return error
    }
}
