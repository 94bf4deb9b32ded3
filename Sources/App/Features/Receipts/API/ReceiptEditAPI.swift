import Crypto
import Domain
import HTTP
import JSON
import Templates

/// Changes of receipts in the API: creating a receipt without a picture, saving, confirming, discarding, reading again.
/// Every change runs the same code as the form of the review page.
struct ReceiptEditAPI: Sendable {
    private let database: Database
    private let queries: ReviewQueries
    private let receipts: StoredReceiptQueries
    private let edits: ReceiptEdits
    private let intake: ReceiptIntake
    private let texts: Texts

    init(_ database: Database, _ views: Views) {
        self.database = database
        queries = ReviewQueries(database: database)
        receipts = StoredReceiptQueries(database: database)
        edits = ReceiptEdits(database: database)
        intake = ReceiptIntake(database: database, quarantine: Quarantine(database: database))
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        let receipt = "/api/v1/receipts/{receipt}"
        try routes.client(.post, "/api/v1/receipts/drafts", "ReceiptEditAPI.draft", scope: .write, draft)
        try routes.client(
            .post, "/api/v1/receipts/confirmations", "ReceiptEditAPI.confirmProven", scope: .write, confirmProven)
        try routes.client(.patch, receipt, "ReceiptEditAPI.save", scope: .write, save)
        try routes.client(.post, "\(receipt)/confirmation", "ReceiptEditAPI.confirm", scope: .write, confirm)
        try routes.client(.post, "\(receipt)/discard", "ReceiptEditAPI.discard", scope: .write, discard)
        try routes.client(.post, "\(receipt)/restoration", "ReceiptEditAPI.restore", scope: .write, restore)
        try routes.client(.post, "\(receipt)/rereading", "ReceiptEditAPI.readAgain", scope: .write, readAgain)
        try routes.client(.get, "\(receipt)/lines", "ReceiptEditAPI.lines", scope: .read, lines)
        try routes.client(.post, "\(receipt)/lines", "ReceiptEditAPI.addLine", scope: .write, addLine)
        try routes.client(.patch, "\(receipt)/lines/{line}", "ReceiptEditAPI.changeLine", scope: .write, changeLine)
        try routes.client(.delete, "\(receipt)/lines/{line}", "ReceiptEditAPI.removeLine", scope: .write, removeLine)
    }

    // MARK: The receipt

    /// Creates a receipt without pictures, to be typed in.
    private func draft(_ request: ClientRequest) async throws -> Response {
        try request.requireEmptyObject()
        let id = try await request.writingOnce { try await intake.draft(by: request.member) }
        return try await receipts.answer(id, request, status: .created)
    }

    private func confirmProven(_ request: ClientRequest) async throws -> Response {
        try request.requireEmptyObject()
        let count = try await edits.confirmProven(request.member).count
        var json = JSONWriter()
        json.object { $0.member("confirmed", count) }
        return request.answer(json)
    }

    private func save(_ request: ClientRequest) async throws -> Response {
        try await submit(request, confirms: false)
    }

    private func confirm(_ request: ClientRequest) async throws -> Response {
        try await submit(request, confirms: true)
    }

    private func submit(_ request: ClientRequest, confirms: Bool) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let data = try await queries.load(id, request.member)
        try request.requireMatch(data.receipt.revision)
        let patch = try ReceiptPatch(
            try request.object(), over: data.receipt.draft, confirms: confirms, data.categories)
        if confirms, !patch.acceptsUnusualAmounts { try refuseUnusual(patch.draft, data) }
        return try await store(patch.draft, over: data.receipt, confirms: confirms, request)
    }

    /// Refuses amounts that are probably misread, unless the client accepts them. On the review page, a person is asked
    /// to check them.
    private func refuseUnusual(_ draft: ReviewDraft, _ data: ReviewData) throws {
        guard data.receipt.stage == .review,
            data.receipt.verdict != .proven || !draft.hasSamePrint(as: data.receipt.draft)
        else {
            return
        }
        let unusual = data.usual.implausible(in: draft)
        guard !unusual.isEmpty else { return }
        throw APIProblem.invalid(
            draft.lines.enumerated().filter { unusual.contains($0.element.key) }.map { index, _ in
                APIProblem.Field(
                    name: "lines/\(index)/total_minor",
                    detail: "is unusual; send accepts_unusual_amounts to confirm it")
            })
    }

    /// Stores a changed draft, like the form of the review page.
    private func store(
        _ draft: ReviewDraft, over stored: StoredReceipt, confirms: Bool, _ request: ClientRequest
    ) async throws -> Response {
        let identity = request.head.headers["Idempotency-Key"] ?? Base64URL.encode(Random.bytes(16))
        let form = ReviewForm(
            draft, revision: stored.revision, identity: "\(request.client.id) \(identity)", request.language,
            texts[request.language])
        // The client's change applies only to the revision in If-Match, so it is not merged with a later revision.
        let saved = try await edits.save(
            stored.id, form, confirms: confirms, mergesLate: false, request.member)
        if case .merged(let conflict) = saved { throw conflict }
        return try await receipts.answer(stored.id, request)
    }

    private func discard(_ request: ClientRequest) async throws -> Response { try await setDiscarded(request, true) }

    private func restore(_ request: ClientRequest) async throws -> Response { try await setDiscarded(request, false) }

    private func setDiscarded(_ request: ClientRequest, _ isDiscarded: Bool) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        try request.requireEmptyObject()
        try await edits.setDiscarded(isDiscarded, stored.id, revision: stored.revision, by: request.member)
        return try await receipts.answer(stored.id, request)
    }

    private func readAgain(_ request: ClientRequest) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        try request.requireEmptyObject()
        switch try await edits.readAgain(stored.id, revision: stored.revision, request.member) {
        case .begins, .isUnderWay: return try await receipts.answer(stored.id, request, status: .accepted)
        case .isDiscarded: throw APIProblem(.conflict, .conflict, "The receipt is discarded.")
        case .hasNothing: throw APIProblem(.conflict, .conflict, "The receipt has no picture.")
        }
    }

    // MARK: Lines

    private func lines(_ request: ClientRequest) async throws -> Response {
        let receipt = try await receipts.receipt(try request.identifier("receipt"), request.member)
        var json = JSONWriter()
        json.object { ReceiptDocument(receipt: receipt).writeLines(&$0) }
        // The names of products change without a new revision.
        return request.answer(json, revision: receipt.revision, mayAnswerNotModified: false)
    }

    private func addLine(_ request: ClientRequest) async throws -> Response {
        try await changeLines(request, status: .created) { draft, categories, fields in
            draft.lines.append(ReceiptPatch.line(ReviewDraft.Line(key: "new1"), isNew: true, categories, &fields))
        }
    }

    private func changeLine(_ request: ClientRequest) async throws -> Response {
        let key = try lineKey(request)
        return try await changeLines(request) { draft, categories, fields in
            let index = try Self.index(of: key, in: draft)
            draft.lines[index] = ReceiptPatch.line(draft.lines[index], isNew: false, categories, &fields)
        }
    }

    private func removeLine(_ request: ClientRequest) async throws -> Response {
        let key = try lineKey(request)
        let stored = try await receipts.loadForChange(request)
        var draft = stored.draft
        draft.lines.remove(at: try Self.index(of: key, in: draft))
        return try await store(draft, over: stored, confirms: false, request)
    }

    private func changeLines(
        _ request: ClientRequest, status: Status = .ok,
        _ change: (inout ReviewDraft, Categories, inout JSONFields) throws -> Void
    ) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        let categories = try await Categories(
            database.read(request.household, Categories.query(request.household)))
        var fields = JSONFields(try request.object())
        var draft = stored.draft
        try change(&draft, categories, &fields)
        try fields.finish()
        var response = try await store(draft, over: stored, confirms: false, request)
        response.status = status
        return response
    }

    private func lineKey(_ request: ClientRequest) throws -> String {
        let id: ReceiptLineID = try request.identifier("line")
        return id.description
    }

    private static func index(of key: String, in draft: ReviewDraft) throws -> Int {
        guard let index = draft.lines.firstIndex(where: { $0.key == key }) else { throw Refusal.notFound }
        return index
    }
}
