import Domain
import HTTP
import Postgres
import Templates

/// The history of a receipt: shows it, undoes a change by a new change, and accepts or dismisses values that were
/// discarded in a merge.
struct HistoryController: Sendable {
    private let database: Database
    private let edits: ReceiptEdits
    private let lostValues: LostValueEdits
    private let page: View<HistoryPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = ReceiptEdits(database: database)
        lostValues = LostValueEdits(database: database)
        page = try views.page("receipts/history", HistoryPage.self)
    }

    func register(_ routes: inout Routes) throws {
        let redirects = EndedReceipts(database: database).redirects
        try routes.member(.get, "/receipts/{receipt}/history", "HistoryController.show", redirects.wrap(show))
        try routes.member(
            .post, "/receipts/{receipt}/history/{change}/undo", "HistoryController.undo", redirects.wrap(undo))
        try routes.member(
            .post, "/receipts/{receipt}/lost-values/{value}", "HistoryController.accept", redirects.wrap(accept))
        try routes.member(
            .post, "/receipts/{receipt}/lost-values/{value}/removal", "HistoryController.dismiss",
            redirects.wrap(dismiss))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        page.response(try await maker(request).page(), for: request)
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        guard let text = request.parameters["change"], let change = Int64(text), change > 0 else {
            throw Refusal.notFound
        }
        do {
            switch try await edits.undo(id, change: change, request.member) {
            case .undone(let conflict) where conflict.changes.isEmpty:
                return .redirect(to: "/receipts/\(id)/history").flashing(Flash("undone"))
            case .undone(let conflict): return try await conflictPage(conflict, "server.history.partly", request)
            case .nothing(let conflict) where conflict.changes.isEmpty:
                return .redirect(to: "/receipts/\(id)/history").flashing(Flash("already"))
            case .nothing(let conflict): return try await conflictPage(conflict, "server.history.nothing", request)
            }
        } catch is MissingRequiredValues {
            return try await problem("server.history.missing-values", request, .unprocessableContent)
        }
    }

    /// Replaces the stored value with a value that was discarded in a merge.
    private func accept(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        do {
            let result = try await lostValues.accept(
                request.identifier("value"), of: DocumentKey(.receipt, id.relabelled()),
                revision: request.form.revision(), request.member)
            switch result {
            case .done: return .redirect(to: "/receipts/\(id)/history").flashing(Flash("saved"))
            case .alreadyDone: return .redirect(to: "/receipts/\(id)/history").flashing(Flash("already"))
            case .lineMissing: return try await problem("server.history.line-missing", request, .conflict)
            }
        } catch is Conflict {
            return try await problem("server.lost.changed-text", request, .conflict)
        } catch is DocumentFault {
            return try await problem("server.history.impossible", request, .unprocessableContent)
        }
    }

    private func dismiss(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let result = try await lostValues.dismiss(
            request.identifier("value"), of: DocumentKey(.receipt, id.relabelled()), request.member)
        return .redirect(to: "/receipts/\(id)/history").flashing(Flash(result == .done ? "saved" : "already"))
    }

    // MARK: Parts

    /// Shows the page again with the parts of a change that could not be undone.
    private func conflictPage(
        _ conflict: Conflict, _ key: String, _ request: MemberRequest
    ) async throws -> Response {
        let maker = try await maker(request)
        let text = ConflictText(maker.receipt, maker.history.categories, request.language, maker.words)
        return page.response(
            maker.page(
                problem: Problem(
                    title: maker.words[key], text: maker.words["server.history.later"], details: text.typed(conflict))),
            for: request, status: .conflict)
    }

    private func problem(_ key: String, _ request: MemberRequest, _ status: Status) async throws -> Response {
        let maker = try await maker(request)
        return page.response(
            maker.page(problem: Problem(title: maker.words["server.history.not-done"], text: maker.words[key])),
            for: request, status: status)
    }

    private func maker(_ request: MemberRequest) async throws -> HistoryPageMaker {
        let id: ReceiptID = try request.identifier("receipt")
        let before = try request.head.query("before").map { text in
            guard let number = Int64(text), number > 0 else { throw Refusal.badRequest }
            return number
        }
        return HistoryPageMaker(
            history: try await ReceiptHistory.load(id, before: before, request.member, database),
            merges: before == nil ? try await MergedBranch.load(id, request.household, database) : [],
            member: request.member, words: page.words(request))
    }
}
