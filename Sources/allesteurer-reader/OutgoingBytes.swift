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
