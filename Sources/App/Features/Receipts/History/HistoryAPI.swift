import Domain
import HTTP
import JSON
import Postgres
import Templates

/// The history of a receipt in the API: lists the changes, undoes a change by a new change, and accepts or dismisses
/// values that were discarded in a merge.
struct HistoryAPI: Sendable {
    private let database: Database
    private let receipts: StoredReceiptQueries
    private let edits: ReceiptEdits
    private let lostValues: LostValueEdits
    private let cursors: Cursors
    private let texts: Texts

    init(_ database: Database, _ views: Views) {
        self.database = database
        receipts = StoredReceiptQueries(database: database)
        edits = ReceiptEdits(database: database)
        lostValues = LostValueEdits(database: database)
        cursors = Cursors(database: database)
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        let receipt = "/api/v1/receipts/{receipt}"
        try routes.client(.get, "\(receipt)/history", "HistoryAPI.list", scope: .read, list)
        try routes.client(.post, "\(receipt)/history/{change}/undo", "HistoryAPI.undo", scope: .write, undo)
        try routes.client(.post, "\(receipt)/lost-values/{value}", "HistoryAPI.take", scope: .write, accept)
        try routes.client(.delete, "\(receipt)/lost-values/{value}", "HistoryAPI.dismiss", scope: .write, dismiss)
    }

    /// Lists the changes, the newest first.
    private func list(_ request: ClientRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let list = "history \(id)"
        let before = try await cursors.place(request, of: list).flatMap { Int64($0) }
        let history = try await ReceiptHistory.load(id, before: before, request.member, database)
        let details = ReceiptDetails(
            language: request.language, words: texts[request.language], categories: history.categories,
            products: history.products)
        var next: String?
        if let place = history.next { next = try await cursors.make(String(place), of: list, for: request.member) }
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array("changes") { json in
                for change in history.changes {
                    json.object { Self.write(change, of: history.receipt, details, &$0) }
                }
            }
            json.array("lost_values") { json in
                for value in history.lost { json.object { value.write(&$0) } }
            }
            json.member("next", next)
        }
        return request.answer(json)
    }

    /// Writes the members of one change.
    private static func write(
        _ change: ReceiptChange, of receipt: StoredReceipt, _ texts: ReceiptDetails, _ json: inout JSONWriter
    ) {
        var details = change.before.map { texts.details(from: $0.draft, to: change.after.draft) } ?? []
        if let before = change.before { details += texts.matches(from: before, to: change.after) }
        json.member("id", change.after.sequence)
        json.member("kind", change.kind.rawValue)
        // Null for changes by the server.
        json.member("by", change.after.personName)
        json.member("at", WallClock.iso(change.after.changedAt.microsecondsSince1970))
        json.array("details") { json in
            for detail in details {
                json.object { json in
                    json.member("field", detail.field.isEmpty ? nil : detail.field)
                    json.member("text", detail.text)
                }
            }
        }
        json.member("can_undo", change.canUndo(in: receipt))
    }

    /// Undoes a change. Fields that a later change has modified keep their values.
    private func undo(_ request: ClientRequest) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        try request.requireEmptyObject()
        guard let text = request.parameters["change"], let change = Int64(text), change > 0 else {
            throw Refusal.notFound
        }
        let outcome = try await edits.undo(stored.id, change: change, revision: stored.revision, request.member)
        if case .nothing(let conflict) = outcome, !conflict.changes.isEmpty { throw conflict }
        return try await receipts.answer(stored.id, request)
    }

    /// Replaces the stored value with a value that was discarded in a merge.
    private func accept(_ request: ClientRequest) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        try request.requireEmptyObject()
        try await lostValues.acceptForClient(
            request.identifier("value"), of: DocumentKey(.receipt, stored.id.relabelled()), revision: stored.revision,
            request.member)
        return try await receipts.answer(stored.id, request)
    }

    private func dismiss(_ request: ClientRequest) async throws -> Response {
        let stored = try await receipts.loadForChange(request)
        _ = try await lostValues.dismiss(
            request.identifier("value"), of: DocumentKey(.receipt, stored.id.relabelled()), revision: stored.revision,
            request.member)
        return Response(.noContent)
    }
}
