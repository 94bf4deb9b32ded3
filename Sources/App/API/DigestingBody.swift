import Crypto
import HTTP

/// Passes a body on and computes its SHA-256.
final class DigestingBody: BodySource, @unchecked Sendable {
    // Safe to share: only one task at a time reads a body.

    private let body: RequestBody
    private var digest = SHA256Digest()

    init(_ body: RequestBody) { self.body = body }

    /// The body that the handler reads. Reading it updates the digest.
    var forwarded: RequestBody { RequestBody(declaredLength: body.declaredLength, source: self) }

    func next() async throws(BodyError) -> [UInt8]? {
        let bytes = try await body.next()
        if let bytes { digest.update(bytes) }
        return bytes
    }

    func setPace(_ pace: BodyPace) { body.setPace(pace) }

    /// Returns the digest of the whole body. First reads the part that the handler left unread.
    func finish() async throws(BodyError) -> [UInt8] {
        while try await next() != nil {}
        return digest.finish()
    }
}
