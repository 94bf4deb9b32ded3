import HTTP

/// Encodes bytes as Base64, and sends the result to another writer.
final class Base64Writer: ResponseWriter, @unchecked Sendable {
    // Safe to share: only the task that sends the response uses it.
    private let writer: any ResponseWriter
    /// Up to two bytes that are not encoded yet, because Base64 encodes three at a time.
    private var rest: [UInt8] = []

    init(_ writer: any ResponseWriter) { self.writer = writer }

    func send(_ bytes: [UInt8]) async throws(Disconnected) {
        rest += bytes
        let length = rest.count / 3 * 3
        guard length > 0 else { return }
        let complete = Array(rest.prefix(length))
        rest.removeFirst(length)
        try await writer.send(Array(Base64Bytes.encode(complete).utf8))
    }

    /// Sends the last bytes, with padding.
    func finish() async throws(Disconnected) {
        guard !rest.isEmpty else { return }
        try await writer.send(Array(Base64Bytes.encode(rest).utf8))
        rest = []
    }
}
