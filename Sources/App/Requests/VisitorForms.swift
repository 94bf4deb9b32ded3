import EventLoop
import HTTP

/// Reads forms of visitors who are not signed in. Limits the number of large forms in memory, because one client may
/// open hundreds of connections.
final class VisitorForms: Sendable {
    static let maximumLarge = 8
    private let large = LargeForms()

    /// - Throws: the errors of `FormFields.read`; `Refusal.busy` if too many large forms are being read.
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

/// Counts the large forms that are being read.
private final class LargeForms: @unchecked Sendable {
    // Safe to share: the lock protects the number.
    private let lock = Lock()
    private var count = 0

    /// Counts a form. Returns false if there are too many.
    func enter() -> Bool {
        lock.withLock {
            guard count < VisitorForms.maximumLarge else { return false }
            count += 1
            return true
        }
    }

    func leave() { lock.withLock { count -= 1 } }
}
