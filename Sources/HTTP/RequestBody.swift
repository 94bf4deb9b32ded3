/// Why a request body could not be read to its end. After any of these the connection is closed.
package enum BodyError: Error, Equatable {
    /// More bytes than allowed: 413.
    case tooLarge
    /// Chunk framing is broken: 400.
    case malformed
    /// Slower than the pace allows: 408.
    case tooSlow
    /// The client went away; nobody reads the answer.
    case disconnected

    /// What the request is answered with, where anybody still reads it.
    package var status: Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .malformed, .disconnected: .badRequest
        case .tooSlow: .requestTimeout
        }
    }
}

/// How slowly a body may arrive: an average over its whole time so far, and an end.
package struct BodyPace: Equatable, Sendable {
    /// The least average, over the time past the grace.
    package let bytesPerSecond: Int
    /// From the first read on, however fast the bytes come.
    package let totalSeconds: Int
    /// Seconds before the average counts, so that a slow start is forgiven.
    package let graceSeconds: Int

    package init(bytesPerSecond: Int, totalSeconds: Int, graceSeconds: Int = 10) {
        self.bytesPerSecond = bytesPerSecond
        self.totalSeconds = totalSeconds
        self.graceSeconds = graceSeconds
    }

    /// Forms and JSON: 1 KiB/s, two minutes.
    package static let form = BodyPace(bytesPerSecond: 1024, totalSeconds: 120)
    /// Pictures and documents: 16 KiB/s, half an hour.
    package static let upload = BodyPace(bytesPerSecond: 16 * 1024, totalSeconds: 1800)
}

/// Where a body's bytes come from: a connection, or memory in tests.
package protocol BodySource: Sendable {
    /// The next bytes, never empty; nil at the end.
    func next() async throws(BodyError) -> [UInt8]?
    /// Called any number of times; the last pace counts, from the start of the body.
    func setPace(_ pace: BodyPace)
}

/// The body of one request, read piece by piece, once, by one reader.
///
/// The first read sends `100 Continue` if the client waits for it, so look at the head first. A body that is not
/// read is discarded (a little) or the connection is closed (more).
package final class RequestBody: Sendable {
    /// What Content-Length says; nil for a chunked body. 0 if there is no body.
    package let declaredLength: Int?
    private let source: any BodySource

    package init(declaredLength: Int?, source: any BodySource) {
        self.declaredLength = declaredLength
        self.source = source
    }

    /// A body that is already there.
    package convenience init(_ bytes: [UInt8] = []) {
        self.init(declaredLength: bytes.count, source: StoredBody(bytes.isEmpty ? [] : [bytes]))
    }

    /// A body that arrives in these pieces, without a declared length.
    package convenience init(pieces: [[UInt8]]) {
        self.init(declaredLength: nil, source: StoredBody(pieces.filter { !$0.isEmpty }))
    }

    /// The next bytes, never empty, at most 64 KiB from a connection; nil at the end.
    ///
    /// - Throws: why there is no end; the same again for every later call.
    package func next() async throws(BodyError) -> [UInt8]? { try await source.next() }

    /// The whole body, if it has at most `limit` bytes; a larger declared length is refused before anything is read.
    ///
    /// - Throws: `tooLarge` beyond `limit`; else as `next()` does.
    package func collect(limit: Int) async throws(BodyError) -> [UInt8] {
        if let declaredLength, declaredLength > limit { throw .tooLarge }
        guard var bytes = try await next() else { return [] }
        while bytes.count <= limit, let more = try await next() { bytes.append(contentsOf: more) }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    /// Sets how slowly this body may arrive; `.form` unless a route says otherwise.
    package func setPace(_ pace: BodyPace) { source.setPace(pace) }
}
