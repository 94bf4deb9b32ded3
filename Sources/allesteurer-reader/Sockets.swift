import CLinux
import Glibc

/// Bytes waiting to be written to a socket.
struct OutgoingBytes {
    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Writes as much as possible without blocking. A closed socket is detected by reading.
    mutating func flush(to socket: Int32) {
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
            if count <= 0 { break }
            sent += count
        }
        if sent == bytes.count {
            bytes.removeAll(keepingCapacity: sent <= 1 << 18)
            sent = 0
        } else if sent > 1 << 18 {
            bytes.removeFirst(sent)
            sent = 0
        }
    }
}

/// Reads available bytes: nil if there are none yet, empty if the other end is closed.
func readSome(_ socket: Int32) -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let got = read(socket, buffer.baseAddress, buffer.count)
        count = max(0, got)
        failed = got < 0 && (errno == EAGAIN || errno == EINTR)
    }
    return failed ? nil : bytes
}

func monotonicMilliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}
