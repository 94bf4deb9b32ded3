import EventLoop
import HTTP

extension Connection {
    enum FillOutcome {
        case filled
        case timedOut
        case ended
        case failed
    }

    enum BufferedEvent {
        case head(MessageHead)
        case body([UInt8])
        case end
    }

    /// Returns the next event in the input, or nil at its end.
    func nextBuffered() throws(RequestRefusal) -> BufferedEvent? {
        guard let event = try parser.next(input, &position, end: input.count) else {
            // Frees the buffer, so that an idle connection holds none.
            input = []
            position = 0
            return nil
        }
        switch event {
        case .head(let head): return .head(head)
        case .end: return .end
        case .body(let range):
            guard range.count == input.count else { return .body(Array(input[range])) }
            let bytes = input
            input = []
            position = 0
            return .body(bytes)
        }
    }

    /// Waits until bytes arrive, and appends the bytes of one read to the input.
    func fill(until deadline: Int64) async -> FillOutcome {
        guard let watch else { return .failed }
        while true {
            if await watch.ready(.read, until: deadline) != .ready { return isAborted ? .failed : .timedOut }
            if isAborted { return .failed }
            let result = readOnce()
            switch result {
            case .bytes: return .filled
            case .ended: return .ended
            case .failed: return .failed
            case .wantsRead, .wantsWrite:
                let outcome = await wait(result, until: deadline)
                if outcome != .ready { return outcome == .timedOut ? .timedOut : .failed }
            }
        }
    }

    private func readOnce() -> TransferResult {
        let buffer = state.readBuffer
        let result = transport.read(into: buffer)
        if case .bytes(let count) = result {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if position == input.count {
                input = Array(bytes)
                position = 0
            } else {
                input.append(contentsOf: bytes)
            }
            // After a short read the socket is empty, so a second read is not needed. The exception is a client that
            // has closed its sending side: the watch reports no further readiness, so the end must be read now.
            if count < buffer.count, transport.shortReadEmptiesSocket, let watch, !watch.isFinished {
                watch.markNotReady(.read)
            }
        }
        return result
    }

    /// Reads while a response is streamed, to detect that the client disconnects.
    func readDuringStream() {
        while input.count - position < 64 * 1024 {
            switch readOnce() {
            case .bytes: break
            case .wantsRead, .wantsWrite:
                watch?.markNotReady(.read)
                return
            case .ended:
                if streamEndsWithInput { stream?.cancel() }
                return
            case .failed:
                stream?.cancel()
                return
            }
        }
    }
}
