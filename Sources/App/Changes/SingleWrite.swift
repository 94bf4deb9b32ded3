import Domain
import EventLoop

/// A write that is executed only once, even if its request is repeated because the answer was lost.
///
/// The first household transaction of the task stores the identifier as its operation.
final class SingleWrite: @unchecked Sendable {
    // Safe to share: read and written under the lock.

    /// The write of the current request; nil for other requests.
    @TaskLocal static var current: SingleWrite?

    /// The hours after which the same identifier counts as another write.
    static let keptHours = IdempotentRequests.keptHours

    private let lock = Lock()
    private var operation: OperationID?

    init(_ operation: OperationID) { self.operation = operation }

    /// Returns the identifier once, and nil afterwards.
    func take() -> OperationID? {
        lock.withLock { () -> OperationID? in
            defer { operation = nil }
            return operation
        }
    }
}

/// An earlier request with the same identifier has executed the write.
struct AlreadyWritten: Error {}
