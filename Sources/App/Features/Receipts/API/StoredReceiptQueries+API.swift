import Domain
import HTTP
import JSON

extension StoredReceiptQueries {
    /// Loads the receipt of the request's path, and checks the revision that the client sent.
    func loadForChange(_ request: ClientRequest) async throws -> StoredReceipt {
        let stored = try await receipt(try request.identifier("receipt"), request.member)
        try request.requireMatch(stored.revision)
        return stored
    }

    /// Returns the stored receipt as the answer of a change.
    func answer(_ id: ReceiptID, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        let receipt = try await receipt(id, request.member)
        var json = JSONWriter()
        ReceiptDocument(receipt: receipt).write(&json)
        var response = request.answer(json, revision: receipt.revision, status: status)
        if status == .created { response.headers[.location] = "/api/v1/receipts/\(id)" }
        return response
    }
}
