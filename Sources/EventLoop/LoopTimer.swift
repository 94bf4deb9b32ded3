/// A timer of a loop; confined to the loop's thread.
package final class LoopTimer: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.
    /// The time at which the timer fires, in the loop's nanoseconds.
    let deadline: Int64
    private(set) var handler: (() -> Void)?

    init(deadline: Int64, handler: @escaping () -> Void) {
        self.deadline = deadline
        self.handler = handler
    }

    /// Cancels the timer and releases its handler.
    package func cancel() {
        handler = nil
    }

    func fire() {
        let handler = handler
        self.handler = nil
        handler?()
    }
}
