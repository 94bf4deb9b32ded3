/// The source of a body's bytes: a connection, or memory in tests.
package protocol BodySource: Sendable {
    /// Returns the next bytes, never empty, or nil at the end.
    func next() async throws(BodyError) -> [UInt8]?
    /// Sets the minimum speed, measured from the start of the body. Replaces an earlier minimum.
    func setPace(_ pace: BodyPace)
}

/// The body of one request, read once, piece by piece, by one task.
///
/// The first read sends `100 Continue` if the client waits for it, so check the head before reading. If the body is not
/// read to its end, the remaining bytes are discarded if they are few; otherwise the connection is closed.
package final class RequestBody: Sendable {
    /// The value of Content-Length; nil for a chunked body, 0 if there is no body.
    package let declaredLength: Int?
    private let source: any BodySource

    package init(declaredLength: Int?, source: any BodySource) {
        self.declaredLength = declaredLength
        self.source = source
    }

    /// Creates a body from bytes in memory.
    package convenience init(_ bytes: [UInt8] = []) {
        self.init(declaredLength: bytes.count, source: StoredBody(bytes.isEmpty ? [] : [bytes]))
    }

    /// Creates a body that arrives in these pieces, without a declared length.
    package convenience init(pieces: [[UInt8]]) {
        self.init(declaredLength: nil, source: StoredBody(pieces.filter { !$0.isEmpty }))
    }

    /// Returns the next bytes, never empty, or nil at the end.
    ///
    /// - Throws: the reason why the body is incomplete; every later call throws it again.
    package func next() async throws(BodyError) -> [UInt8]? { try await source.next() }

    /// Returns the whole body if it has at most `limit` bytes. A larger declared length is refused before reading.
    ///
    /// - Throws: `tooLarge` beyond `limit`; the errors of `next()`.
    package func collect(limit: Int) async throws(BodyError) -> [UInt8] {
        if let declaredLength, declaredLength > limit { throw .tooLarge }
        guard var bytes = try await next() else { return [] }
        while bytes.count <= limit, let more = try await next() { bytes.append(contentsOf: more) }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    /// Sets the minimum speed of this body; the default is `.form`.
    package func setPace(_ pace: BodyPace) { source.setPace(pace) }
}
