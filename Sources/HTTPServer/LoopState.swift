import EventLoop
import Glibc
import HTTP

/// State shared by the connections of one loop; confined to the loop.
final class LoopState: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    let loop: EventLoop
    let configuration: ServerConfiguration
    let responder: Responder
    /// A buffer shared by all connections of the loop. Its content is used before the task suspends.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private(set) var connections: [ObjectIdentifier: Connection] = [:]
    /// Whether connections close after their answer, because the server is stopping.
    private(set) var isStopping = false
    private var nextID = UInt64.random(in: 0...UInt64.max)
    private var dateSecond = -1
    private var date: [UInt8] = []
    private var whenEmpty: (() -> Void)?

    init(loop: EventLoop, configuration: ServerConfiguration, responder: @escaping Responder) {
        self.loop = loop
        self.configuration = configuration
        self.responder = responder
    }

    deinit { readBuffer.deallocate() }

    /// Returns a new identifier. Adding an odd number yields all 2^64 values before one repeats.
    func makeID() -> RequestID {
        nextID &+= 0x9E37_79B9_7F4A_7C15
        return RequestID(nextID)
    }

    /// `Date: … CRLF`, formatted once a second.
    func dateField() -> [UInt8] {
        let currentSecond = time(nil)
        if currentSecond != dateSecond {
            dateSecond = currentSecond
            date = Array("Date: \(HTTPDate.format(currentSecond))\r\n".utf8)
        }
        return date
    }

    func add(_ connection: Connection) { connections[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { endWaiting() }
    }

    /// Lets running requests finish within `time`, then aborts them.
    func drain(within time: Duration) async {
        isStopping = true
        guard !connections.isEmpty else { return }
        for connection in connections.values { connection.stop() }
        let timer = loop.after(time) { [self] in
            for connection in connections.values { connection.abort() }
            // A handler that ignores its cancellation must not delay the end.
            _ = loop.after(.milliseconds(500)) { [self] in endWaiting() }
        }
        if !connections.isEmpty {
            await withUnsafeContinuation { continuation in whenEmpty = { continuation.resume() } }
        }
        timer.cancel()
    }

    /// Resumes `drain`.
    private func endWaiting() {
        let handler = whenEmpty
        whenEmpty = nil
        handler?()
    }
}
