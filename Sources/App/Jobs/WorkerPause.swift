import EventLoop

/// The pause of a background worker that has nothing to do.
final class WorkerPause: @unchecked Sendable {
    // Safe to share: only tasks on the loop's thread use it.
    private let loop: EventLoop
    /// The timer of the current pause and the task that it resumes; nil when the worker does not pause.
    private var sleeper: (timer: LoopTimer, continuation: UnsafeContinuation<Void, Never>)?

    init(on loop: EventLoop) { self.loop = loop }

    /// Waits for some time, or until `end()` is called.
    func wait(for time: Duration) async {
        await withUnsafeContinuation { continuation in
            sleeper = (loop.after(time) { [self] in end() }, continuation)
        }
    }

    /// Ends the current pause, if there is one.
    func end() {
        guard let sleeper else { return }
        self.sleeper = nil
        sleeper.timer.cancel()
        sleeper.continuation.resume()
    }
}
