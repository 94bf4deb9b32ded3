import EventLoop
import HTTP

/// A request body that is read from a connection; valid until the request is answered.
final class BodyStream: BodySource, @unchecked Sendable {
    // Safe to share: only code on the connection's loop touches it.

    enum Progress: Equatable {
        case waiting
        case complete
        case failed(BodyError)
    }

    /// Nil once the request is answered.
    private var connection: Connection?
    private let framing: BodyFraming
    private var pace = BodyPace.form
    private(set) var progress = Progress.waiting
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var needsContinue: Bool
    /// Number of bytes of the body received so far.
    private var receivedBytes = 0
    /// The total time spent waiting for the client, in nanoseconds.
    private var waitedTime: Int64 = 0

    init(connection: Connection, framing: BodyFraming, needsContinue: Bool) {
        self.connection = connection
        self.framing = framing
        self.needsContinue = needsContinue
    }

    /// Number of bytes that have not been received; nil for a chunked body.
    var remaining: Int? {
        switch framing {
        case .none: 0
        case .length(let length): length - receivedBytes
        case .chunked: nil
        }
    }

    func setPace(_ pace: BodyPace) { self.pace = pace }

    func next() async throws(BodyError) -> [UInt8]? {
        switch progress {
        case .complete: return nil
        case .failed(let error): throw error
        case .waiting: break
        }
        guard let connection else { throw .disconnected }
        if needsContinue {
            needsContinue = false
            guard await connection.sendContinue() else { throw fail(.disconnected) }
        }
        while true {
            do {
                if let bytes = try takeBuffered(connection) { return bytes }
                if progress == .complete { return nil }
            } catch {
                throw fail(.malformed)
            }
            let start = connection.loop.now
            let seconds = min(pace.graceSeconds + receivedBytes / max(1, pace.bytesPerSecond), pace.totalSeconds)
            let outcome = await connection.fill(until: start + Int64(seconds) * 1_000_000_000 - waitedTime)
            waitedTime += connection.loop.now - start
            switch outcome {
            case .filled: break
            case .timedOut: throw fail(.tooSlow)
            case .ended, .failed: throw fail(.disconnected)
            }
        }
    }

    /// Drops the part of the body that has been received. Returns true if the body is complete.
    func discardBuffered() -> Bool {
        guard progress == .waiting, let connection else { return progress == .complete }
        // Takes once, without repetition: after the end of the body, the input may contain the next request.
        do {
            _ = try takeBuffered(connection)
        } catch {
            progress = .failed(.malformed)
        }
        return progress == .complete
    }

    /// Ends the use of the connection, because the request has been answered.
    func detach() { connection = nil }

    /// Returns the bytes of the body that are in the connection's input; nil if there are none.
    private func takeBuffered(_ connection: Connection) throws(RequestRefusal) -> [UInt8]? {
        var joined: [UInt8]?
        while let event = try connection.nextBuffered() {
            switch event {
            case .body(let bytes):
                receivedBytes += bytes.count
                // Joins the data of small chunks.
                if joined == nil { joined = bytes } else { joined? += bytes }
            case .end:
                progress = .complete
                return joined
            case .head: break
            }
        }
        return joined
    }

    private func fail(_ error: BodyError) -> BodyError {
        progress = .failed(error)
        return error
    }
}
