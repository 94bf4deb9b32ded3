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
        let start = loop.now
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
            } else if await wait(result, until: writeDeadline(start, sent)) != .ready {
                return false
            }
        }
        return true
    }

    /// Sends a range of a file. Returns false if the client is disconnected or too slow.
    func send(_ file: OpenFile, _ range: Range<Int>) async -> Bool {
        var offset = range.lowerBound
        let start = loop.now
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
            } else if await wait(result, until: writeDeadline(start, offset - range.lowerBound)) != .ready {
                return false
            }
        }
        return true
    }

    /// The deadline of the next write. A client may pause for `writeTime`, and must then read 8 KiB/s on average. Bytes
    /// in the kernel's buffer count as read.
    private func writeDeadline(_ start: Int64, _ sent: Int) -> Int64 {
        let rest = limits.writeTime.nanoseconds
        return min(loop.now + rest, start + rest + Int64(sent / 8192) * 1_000_000_000)
    }
}
