import Crypto
import HTTP

/// Passes a body on and computes its SHA-256. Read by one task.
final class DigestingBody: BodySource, @unchecked Sendable {
    // Safe to share: a body is read by one task at a time.

    private let body: RequestBody
    private var digest = SHA256Digest()

    init(_ body: RequestBody) { self.body = body }

    /// The same body for the handler.
    var request: RequestBody { RequestBody(declaredLength: body.declaredLength, source: self) }

    func next() async throws(BodyError) -> [UInt8]? {
        let bytes = try await body.next()
        if let bytes { digest.update(bytes) }
        return bytes
    }

    func setPace(_ pace: BodyPace) { body.setPace(pace) }

    /// The digest of the whole body. Reads what the handler has not read.
    func finish() async throws(BodyError) -> [UInt8] {
        while try await next() != nil {}
        return digest.finish()
    }
}
