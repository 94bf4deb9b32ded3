import EventLoop
import Glibc
import HTTP

/// What the connections of one loop share; confined to the loop.
final class LoopState: @unchecked Sendable {
    // Safe to share: only code on the loop's thread touches it.

    let loop: EventLoop
    let configuration: ServerConfiguration
    let responder: Responder
    /// Read into by one connection at a time, never across a suspension.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private(set) var connections: [ObjectIdentifier: Connection] = [:]
    /// Set once: answers close their connections from then on.
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

    /// An odd step runs through all numbers before one comes again.
    func makeID() -> RequestID {
        nextID &+= 0x9E37_79B9_7F4A_7C15
        return RequestID(nextID)
    }

    /// `Date: … CRLF`, made once a second.
    func dateField() -> [UInt8] {
        let second = time(nil)
        if second != dateSecond {
            dateSecond = second
            date = Array("Date: \(HTTPDate.format(second))\r\n".utf8)
        }
        return date
    }

    func add(_ connection: Connection) { connections[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { endWaiting() }
    }

    /// Lets what runs finish for at most `time`, then ends it.
    func drain(within time: Duration) async {
        isStopping = true
        guard !connections.isEmpty else { return }
        for connection in connections.values { connection.stop() }
        let timer = loop.after(time) { [self] in
            for connection in connections.values { connection.abort() }
            // A handler that does not even end when cancelled is left behind.
            _ = loop.after(.milliseconds(500)) { [self] in endWaiting() }
        }
        if !connections.isEmpty {
            await withUnsafeContinuation { continuation in whenEmpty = { continuation.resume() } }
        }
        timer.cancel()
    }

    private func endWaiting() {
        let handler = whenEmpty
        whenEmpty = nil
        handler?()
    }
}
