import CLinux

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There are bytes, or connections to accept, or the end.
    package static let read = Readiness(rawValue: 1)
    /// The kernel's buffer takes bytes again.
    package static let write = Readiness(rawValue: 2)
    /// The peer has gone or the descriptor is broken; reading and writing are reported ready too, to see the error.
    package static let closed = Readiness(rawValue: 4)
    /// The peer sends no more; what it sent before can still be read.
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

/// A descriptor that an ``EventLoop`` looks at. Confined to the loop's thread.
package final class Watch: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it (preconditions in EventLoop).

    /// How often readiness is reported.
    package enum Mode: Sendable {
        /// Reported once per change; the watch remembers what is ready until ``Watch/exhausted(_:)``. For sockets that
        /// are read and written until they would block: no system call per wait.
        case edge
        /// Reported again and again while it lasts; for libraries that do their own reading. The set is the interest.
        case level(Readiness)
        /// Like `.level(.read)`, but only some of the processes or loops that watch it are woken: listening sockets.
        case exclusive
    }

    /// Why waiting ended.
    package enum Outcome: Sendable {
        case ready
        case timedOut
        /// The watch was cancelled while waiting.
        case cancelled
    }

    /// Owned by whoever asked for the watch, who closes it, but not before ``cancel()``.
    package let descriptor: Int32
    let generation: UInt32
    private unowned let loop: EventLoop
    private let mode: Mode
    private let handler: ((Readiness) -> Void)?
    private var isCancelled = false
    private var known: Readiness = []
    private var reader: Waiter?
    private var writer: Waiter?

    private struct Waiter {
        let continuation: UnsafeContinuation<Outcome, Never>
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

    /// What a level-triggered watch asks for; setting it costs a system call when it changes.
    package var interest: Readiness {
        didSet {
            guard interest != oldValue, !isCancelled else { return }
            try? loop.control(EPOLL_CTL_MOD, self)
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

    /// True once the descriptor was reported closed or broken.
    package var isClosed: Bool { known.contains(.closed) }

    /// True once the peer said that it sends no more, even if that was exhausted with the bytes before it.
    package var isFinished: Bool { known.contains(.finished) }

    /// Says that reading or writing would block now, so the next ``ready(_:until:)`` waits for a change.
    package func exhausted(_ readiness: Readiness) {
        known.subtract(readiness)
    }

    /// Waits until the descriptor is ready (edge-triggered watches), at most until `deadline` in the loop's nanoseconds.
    ///
    /// At most one task waits for each direction.
    package func ready(_ readiness: Readiness, until deadline: Int64 = .max) async -> Outcome {
        precondition(loop.isCurrent, "a watch belongs to the loop's thread")
        if isCancelled { return .cancelled }
        if !known.isDisjoint(with: readiness.union(.closed)) { return .ready }
        return await withUnsafeContinuation { continuation in
            let waiter = Waiter(continuation: continuation, deadline: deadline)
            if readiness.contains(.read) {
                precondition(reader == nil, "one task waits for reading")
                reader = waiter
            } else {
                precondition(writer == nil, "one task waits for writing")
                writer = waiter
            }
            if deadline != .max { loop.waits(self) }
        }
    }

    /// Ends the watch; whoever waits learns it. The descriptor can be closed afterwards.
    package func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        loop.forget(self)
        resumeReader(.cancelled)
        resumeWriter(.cancelled)
    }

    func fire(_ readiness: Readiness) {
        if case .edge = mode {
            known.formUnion(readiness)
            if readiness.contains(.read) { resumeReader(.ready) }
            if readiness.contains(.write) { resumeWriter(.ready) }
        }
        handler?(readiness)
    }

    func expire(at now: Int64) {
        if let reader, reader.deadline <= now { resumeReader(.timedOut) }
        if let writer, writer.deadline <= now { resumeWriter(.timedOut) }
    }

    private func resumeReader(_ outcome: Outcome) {
        guard let waiter = reader else { return }
        reader = nil
        if writer == nil { loop.waitsNoMore(self) }
        waiter.continuation.resume(returning: outcome)
    }

    private func resumeWriter(_ outcome: Outcome) {
        guard let waiter = writer else { return }
        writer = nil
        if reader == nil { loop.waitsNoMore(self) }
        waiter.continuation.resume(returning: outcome)
    }
}
