/// Hashes and verifies passwords on its own threads, at most `width` at a time. This keeps event loops free, and limits
/// the memory of simultaneous sign-ins.
///
/// Callers suspend and resume on their own executor. The threads end when the hasher is released.
package final class PasswordHasher: Sendable {
    /// The cost of new hashes. A stored hash with another cost should be replaced.
    package let cost: PasswordCost
    private let queue: HashingQueue
    /// The hash to verify if there is no account. Without it, the short response time would reveal that there is none.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - width: number of simultaneous evaluations; each uses the memory of `cost`.
    ///   - limit: number of evaluations that may wait; further ones fail with `busy`.
    package init(cost: PasswordCost = PasswordCost(), width: Int = 2, limit: Int = 64) {
        self.cost = cost
        decoy = PasswordHash.decoy(cost)
        queue = HashingQueue(width: width, limit: limit)
    }

    deinit { queue.stop() }

    /// Hashes a password with a new salt, as one evaluation.
    ///
    /// - Throws: `busy` immediately if the queue is full; `argon2` if libargon2 fails.
    package func hash(_ password: Password) async throws(PasswordHashError) -> PasswordHash {
        let cost = cost
        return try await queue.run { () throws(PasswordHashError) in try PasswordHash.make(password.bytes, cost) }
    }

    /// Number of evaluations begun.
    package var startedEvaluationCount: Int { queue.startedJobCount }

    /// Verifies a password with one evaluation. If `hash` is nil or not a hash, the evaluation takes the same time and
    /// the result is false.
    ///
    /// - Throws: `busy` immediately if the queue is full; `argon2` if libargon2 gets no memory.
    package func verify(_ password: Password, _ hash: PasswordHash?) async throws(PasswordHashError) -> Bool {
        let target = evaluated(hash)
        return try await queue.run { () throws(PasswordHashError) in
            let isMatch = try target.matches(password.bytes)
            return isMatch && target == hash
        }
    }

    /// The hash to verify: `hash`, or the decoy if `hash` is nil or not a hash. libargon2 immediately refuses a text
    /// that is not a hash, and the short time would reveal an account without a password.
    func evaluated(_ hash: PasswordHash?) -> PasswordHash {
        guard let hash, hash.encoded.hasPrefix("$argon2id$") else { return decoy }
        return hash
    }
}
