import EventLoop
import HTTP

extension Connection {
    func sendContinue() async -> Bool {
        await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), [], 0..<0)
    }

    /// Writes `first`, then the range of `second`. Returns false if the client is disconnected or too slow.
    func write(_ first: [UInt8], _ second: [UInt8], _ range: Range<Int>) async -> Bool {
        var sent = 0
        let total = first.count + range.count
        while sent < total {
            if isAborted { return false }
            let result = first.withUnsafeBytes { first in
                second.withUnsafeBytes { second in
                    let body = UnsafeRawBufferPointer(rebasing: second[range])
                    if sent < first.count {
                        return transport.write(UnsafeRawBufferPointer(rebasing: first[sent...]), body)
                    }
                    let rest = UnsafeRawBufferPointer(rebasing: body[(sent - first.count)...])
                    return transport.write(rest, UnsafeRawBufferPointer(start: nil, count: 0))
                }
            }
            if case .bytes(let count) = result {
                sent += count
                pace.addSentBytes(count)
            } else if await !waitForClient(result) {
                return false
            }
        }
        return true
    }

    /// Sends a range of a file. Returns false if the client is disconnected or too slow.
    func send(_ file: OpenFile, _ range: Range<Int>) async -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            if isAborted { return false }
            let count = min(range.upperBound - offset, 256 * 1024)
            if transport.isSecure {
                guard let bytes = file.read(offset..<offset + min(count, 64 * 1024)), !bytes.isEmpty,
                    await write(bytes, [], 0..<0)
                else { return false }
                offset += bytes.count
                continue
            }
            let result = transport.send(file: file.descriptor, offset: offset, count: count)
            if case .bytes(let sent) = result {
                // At the end of the file: it has become shorter than the announced length.
                guard sent > 0 else { return false }
                offset += sent
                pace.addSentBytes(sent)
            } else if await !waitForClient(result) {
                return false
            }
        }
        return true
    }

    /// Waits until the client can receive more. Returns false if it is disconnected or too slow.
    private func waitForClient(_ result: TransferResult) async -> Bool {
        let start = loop.now
        let outcome = await wait(result, until: pace.deadline(start, pause: limits.writeTime.nanoseconds))
        pace.addWaitedTime(loop.now - start)
        return outcome == .ready
    }
}
