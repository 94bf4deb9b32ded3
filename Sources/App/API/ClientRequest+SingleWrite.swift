import Crypto
import Domain
import HTTP

extension ClientRequest {
    /// Runs `body`. Its first household transaction is executed only once for the request's `Idempotency-Key`, even if
    /// the server or the database fails before the answer is stored.
    ///
    /// - Throws: `AlreadyWritten` if an earlier request has executed the transaction; the errors of `body`.
    func writingOnce<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let key = head.headers["Idempotency-Key"],
            let operation = OperationID(
                derivedFrom: sha256("\(client.id) \(head.method.name) \(head.target) \(key)".utf8))
        else { return try await body() }
        return try await SingleWrite.$current.withValue(SingleWrite(operation)) { try await body() }
    }
}
