import EventLoop
import HTTP

/// Reads forms of visitors who are not signed in. Only a few of their large forms are in memory at a time, because one client may
/// open hundreds of connections.
final class VisitorForms: Sendable {
    static let mostLarge = 8
    private let large = LargeForms()

    /// - Throws: as `FormFields.read` does; `Refusal.busy` when too many large forms are being read.
    func read(
        _ head: RequestHead, _ body: RequestBody, maximumBytes: Int, maximumFields: Int
    ) async throws -> FormFields {
        if let length = body.declaredLength, length <= FormFields.maximumBytes {
            return try await FormFields.read(head, body, maximumFields: maximumFields)
        }
        guard large.enter() else { throw Refusal.busy }
        defer { large.leave() }
        return try await FormFields.read(head, body, maximumBytes: maximumBytes, maximumFields: maximumFields)
    }
}

/// How many large forms are being read.
private final class LargeForms: @unchecked Sendable {
    // Safe to share: the number is read and written under the lock.
    private let lock = Lock()
    private var count = 0

    func enter() -> Bool {
        lock.withLock {
            guard count < VisitorForms.mostLarge else { return false }
            count += 1
            return true
        }
    }

    func leave() { lock.withLock { count -= 1 } }
}
