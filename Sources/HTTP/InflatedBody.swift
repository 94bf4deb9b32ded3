import CZlib

/// The bytes of a body that was sent with `Content-Encoding: gzip`, in pieces of at most 64 KiB. Read by one task.
///
/// Callers must limit the number of decoded bytes, so that a small compressed body cannot fill the memory.
package final class InflatedBody: BodySource, @unchecked Sendable {
    // Safe to share: a body is read by one task at a time.

    private let body: RequestBody
    private var stream = z_stream()
    private var input: [UInt8] = []
    private var position = 0
    private var isComplete = false
    private var failure: BodyError?

    package init(_ body: RequestBody) {
        self.body = body
        // The argument 31 is the sum of 15, for a window of up to 2^15 bytes, and 16, for a gzip header.
        if inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK { failure = .malformed }
    }

    deinit { inflateEnd(&stream) }

    /// Returns the decoded body, or `body` itself if it is not encoded.
    package static func of(_ body: RequestBody, _ head: RequestHead) -> RequestBody {
        guard isEncoded(head) else { return body }
        return RequestBody(declaredLength: nil, source: InflatedBody(body))
    }

    /// Whether the body has the content coding gzip.
    package static func isEncoded(_ head: RequestHead) -> Bool {
        head.headers[.contentEncoding].map { $0.lowercased() == "gzip" } ?? false
    }

    package func next() async throws(BodyError) -> [UInt8]? {
        do {
            if let failure { throw failure }
            while !isComplete {
                if position == input.count {
                    guard let more = try await body.next() else { throw BodyError.malformed }
                    (input, position) = (more, 0)
                }
                let output = try inflatePiece()
                if !output.isEmpty { return output }
            }
            // Only one gzip member is allowed.
            guard position == input.count, try await body.next() == nil else { throw BodyError.malformed }
            return nil
        } catch {
            let error = error as? BodyError ?? .malformed
            failure = error
            throw error
        }
    }

    private static let pieceBytes = 65_536

    private func inflatePiece() throws -> [UInt8] {
        let start = position
        return try input.withUnsafeBufferPointer { bytes in
            try [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress! + start)
                stream.avail_in = UInt32(bytes.count - start)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let result = inflate(&stream, Z_NO_FLUSH)
                count = buffer.count - Int(stream.avail_out)
                position = bytes.count - Int(stream.avail_in)
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                    throw BodyError.malformed
                }
                isComplete = result == Z_STREAM_END
            }
        }
    }

    package func setPace(_ pace: BodyPace) { body.setPace(pace) }
}
