import CLinux

/// Operations that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Readable: data, a connection to accept, or the end of the data.
    package static let read = Readiness(rawValue: 1)
    /// Writable: there is space in the buffer for outgoing data.
    package static let write = Readiness(rawValue: 2)
    /// The peer has disconnected or an error occurred. `read` and `write` are set too, so that the owner calls read or
    /// write, which return the error.
    package static let closed = Readiness(rawValue: 4)
    /// The peer has closed its sending side; earlier data can still be read.
    package static let finished = Readiness(rawValue: 8)

    init(epoll events: UInt32) {
        var result: Readiness = []
        if events & EPOLLIN.rawValue != 0 { result.insert(.read) }
        if events & EPOLLOUT.rawValue != 0 { result.insert(.write) }
        if events & EPOLLRDHUP.rawValue != 0 { result.formUnion([.read, .finished]) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { result.formUnion([.read, .write, .closed]) }
        self = result
    }
}

/// A descriptor watched by an ``EventLoop``. Confined to the loop's thread.
package final class Watch: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it (preconditions in EventLoop).

    /// When readiness is reported.
    package enum Mode: Sendable {
        /// Once per change. The watch stores readiness until ``Watch/markNotReady(_:)`` is called, so waiting needs no
        /// system call. For sockets that are read and written until they would block.
        case edge
        /// As long as the descriptor is ready for one of these operations. For libraries that read the descriptor
        /// themselves.
        case level(Readiness)
        /// Like `.level(.read)`, but only some of the loops that watch the descriptor are woken (EPOLLEXCLUSIVE). For
        /// listening sockets.
        case exclusive
    }

    /// The reason why waiting ended.
    package enum Outcome: Sendable {
        case ready
        case timedOut
        /// The watch was cancelled while waiting.
        case cancelled
    }

    /// The descriptor. The caller of `watch` owns it and must not close it before ``cancel()``.
    package let descriptor: Int32
    let generation: UInt32
    private unowned let loop: EventLoop
    private let mode: Mode
    private let handler: ((Readiness) -> Void)?
    private var isCancelled = false
    /// The readiness reported since the last ``markNotReady(_:)``; used with `edge` only.
    private var knownReadiness: Readiness = []
    private var reader: Waiter?
    private var writer: Waiter?

    private struct Waiter {
        let continuation: UnsafeContinuation<Outcome, Never>
        /// The time at which waiting ends, in the loop's nanoseconds.
        let deadline: Int64
    }

    init(loop: EventLoop, descriptor: Int32, mode: Mode, generation: UInt32, handler: ((Readiness) -> Void)?) {
        self.loop = loop
        self.descriptor = descriptor
        self.mode = mode
        self.generation = generation
        self.handler = handler
        if case .level(let interest) = mode { self.interest = interest } else { interest = [.read, .write] }
    }

    /// Operations that a level-triggered watch reports. Changing them needs a system call; if it fails, the handler is
    /// called with `closed`.
    package var interest: Readiness {
        didSet {
            guard interest != oldValue, !isCancelled else { return }
            do {
                try loop.control(EPOLL_CTL_MOD, self)
            } catch {
                // Without this call of the handler, the owner would wait forever. The owner's next read or write
                // returns the error.
                _ = loop.after(.zero) { [weak self] in
                    guard let self, !self.isCancelled else { return }
                    self.fire([.read, .write, .closed])
                }
            }
        }
    }

    var epollEvents: UInt32 {
        switch mode {
        case .edge: return EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        case .exclusive: return EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue
        case .level:
            var events: UInt32 = 0
            if interest.contains(.read) { events |= EPOLLIN.rawValue }
            if interest.contains(.write) { events |= EPOLLOUT.rawValue }
            return events
        }
    }

    /// True after the descriptor was reported as closed or failed.
    package var isClosed: Bool { knownReadiness.contains(.closed) }

    /// True after the peer has closed its sending side, even if `markNotReady` was called since.
    package var isFinished: Bool { knownReadiness.contains(.finished) }

    /// Records that the operation would block, so that the next ``ready(_:until:)`` waits for a change.
    package func markNotReady(_ readiness: Readiness) {
        knownReadiness.subtract(readiness)
    }

    /// Waits until the descriptor of an edge-triggered watch is ready, at most until `deadline` in the loop's
    /// nanoseconds.
    ///
    /// At most one task may wait for each operation.
    package func ready(_ readiness: Readiness, until deadline: Int64 = .max) async -> Outcome {
        precondition(loop.isCurrent, "a watch must be used on the loop's thread")
        if isCancelled { return .cancelled }
        if !knownReadiness.isDisjoint(with: readiness.union(.closed)) { return .ready }
        return await withUnsafeContinuation { continuation in
            let waiter = Waiter(continuation: continuation, deadline: deadline)
            if readiness.contains(.read) {
                precondition(reader == nil, "another task is already waiting to read")
                reader = waiter
            } else {
                precondition(writer == nil, "another task is already waiting to write")
                writer = waiter
            }
            if deadline != .max { loop.addWaiting(self) }
        }
    }

    /// Ends the watch; waiting tasks resume with `.cancelled`. The descriptor can be closed afterwards.
    package func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        loop.forget(self)
        resumeReader(.cancelled)
        resumeWriter(.cancelled)
    }

    func fire(_ readiness: Readiness) {
        if case .edge = mode {
            knownReadiness.formUnion(readiness)
            if readiness.contains(.read) { resumeReader(.ready) }
            if readiness.contains(.write) { resumeWriter(.ready) }
        }
        handler?(readiness)
    }

    /// Ends the waits whose deadline has passed.
    func expire(at now: Int64) {
        if let reader, reader.deadline <= now { resumeReader(.timedOut) }
        if let writer, writer.deadline <= now { resumeWriter(.timedOut) }
    }

    private func resumeReader(_ outcome: Outcome) {
        guard let waiter = reader else { return }
        reader = nil
        if writer == nil { loop.removeWaiting(self) }
        waiter.continuation.resume(returning: outcome)
    }

    private func resumeWriter(_ outcome: Outcome) {
        guard let waiter = writer else { return }
        writer = nil
        if reader == nil { loop.removeWaiting(self) }
        waiter.continuation.resume(returning: outcome)
    }
}
