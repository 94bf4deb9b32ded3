import Domain
import HTTP
import JSON
import Templates

/// Receipts in the API: list, one receipt, upload.
struct ReceiptAPI: Sendable {
    private let queries: StoredReceiptQueries
    private let listing: ReceiptListing
    private let cursors: Cursors
    private let quarantine: Quarantine
    private let intake: ReceiptIntake
    private let texts: Texts

    init(_ database: Database, _ views: Views) {
        queries = StoredReceiptQueries(database: database)
        listing = ReceiptListing(database: database)
        cursors = Cursors(database: database)
        quarantine = Quarantine(database: database)
        intake = ReceiptIntake(database: database, quarantine: quarantine)
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/receipts", "ReceiptAPI.list", scope: .read, list)
        try routes.client(
            .post, "/api/v1/receipts", "ReceiptAPI.upload", scope: .upload, body: .stream, upload)
        try routes.client(.get, "/api/v1/receipts/{receipt}", "ReceiptAPI.show", scope: .read, show)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        // Refuses malformed parameters, which `ReceiptFilter` would ignore.
        _ = try request.query("store") { StoreID($0) }
        _ = try request.query("member") { PersonID($0) }
        _ = try request.query("category", SpentCategory.init(value:))
        _ = try request.query("alone") { ["true": true, "false": false][$0] }
        _ = try request.query("state") { ReceiptState.Name(rawValue: $0) }
        _ = try request.query("month") { Month(parsing: $0) }
        let filter = ReceiptFilter(request.head)
        let limit = try request.number("limit", 1...200, default: 50)
        let list = "receipts" + request.filterText
        var before: ReceiptID?
        if let position = try await cursors.place(request, of: list) {
            before = ReceiptID(position)
            guard before != nil else { throw APIProblem(.badRequest, .invalidCursor) }
        }
        var items = try await listing.list(filter, before: before, limit: limit + 1, request.member)
        var next: String?
        if items.count > limit, let last = items.prefix(limit).last {
            items.removeLast()
            next = try await cursors.make(last.listed.id.description, of: list, for: request.member)
        }
        return request.answer(list: "receipts", next: next) { json in for item in items { item.write(&json) } }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        let receipt = try await queries.receipt(try request.identifier("receipt"), request.member)
        var json = JSONWriter()
        ReceiptDocument(receipt: receipt).write(&json)
        // The names of products and people change without a new revision.
        return request.answer(json, revision: receipt.revision, mayAnswerNotModified: false)
    }

    // MARK: Upload

    /// Receives one picture or document: the body itself, or the first file of a multipart form.
    private func upload(_ request: ClientRequest) async throws -> Response {
        guard try await intake.hasRoom(request.household) else { throw Refusal.tooMany }
        request.body.setPace(.upload)
        let outcome: UploadOutcome
        do {
            outcome = try await intake.register(try await receive(request), by: request.member)
        } catch let refusal as UploadRefusal {
            outcome = .refused(refusal)
        }
        if case .refused(let refusal) = outcome {
            throw refusal.problem(refusal.sentence(texts[request.language]))
        }
        guard let id = outcome.receipt else { throw Refusal.badRequest }
        var json = JSONWriter()
        json.object { json in
            json.member("id", id.description)
            json.member("is_duplicate", outcome.isDuplicate)
        }
        var response = Response.json(outcome.isDuplicate ? .ok : .created, json.bytes)
        response.headers[.location] = "/api/v1/receipts/\(id)"
        return response
    }

    private func receive(_ request: ClientRequest) async throws -> Quarantine.ReceivedFile {
        let household = request.household
        let type = request.head.headers[.contentType].flatMap(MediaType.init)?.essence
        guard type == "multipart/form-data" else {
            let name = (request.head.query("name") ?? "").cut(to: 200)
            let body = request.body
            return try await quarantine.receive(name: name, household) { () async throws -> [UInt8]? in
                do throws(BodyError) {
                    return try await body.next()
                } catch {
                    throw FormError.body(error)
                }
            }
        }
        let reader = try MultipartReader(request.head, request.body, limit: UploadLimits.requestBytes)
        while let part = try await reader.nextPart() {
            guard part.fileName != nil else { continue }
            return try await quarantine.receive(part, reader, household)
        }
        throw UploadRefusal.empty
    }
}
