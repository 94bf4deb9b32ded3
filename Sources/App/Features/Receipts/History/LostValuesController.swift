import Domain
import HTTP
import Postgres
import Templates

/// Lists the values of documents other than receipts that were discarded in merges. Accepts or dismisses one value.
struct LostValuesController: Sendable {
    private let database: Database
    private let edits: LostValueEdits
    private let page: View<HistoryPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = LostValueEdits(database: database)
        page = try views.page("receipts/history", HistoryPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/lost-values", "LostValuesController.list", list)
        try routes.member(.post, "/lost-values/{value}", "LostValuesController.accept", accept)
        try routes.member(.post, "/lost-values/{value}/removal", "LostValuesController.dismiss", dismiss)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request), for: request)
    }

    private func accept(_ request: MemberRequest) async throws -> Response {
        let key = try await document(request)
        do {
            let result = try await edits.accept(
                request.identifier("value"), of: key, revision: request.form.revision(), request.member)
            switch result {
            case .done: return .redirect(to: "/lost-values").flashing(Flash("saved"))
            case .alreadyDone: return .redirect(to: "/lost-values").flashing(Flash("already"))
            case .lineMissing: return try await problem("server.lost.part-missing", request, .conflict)
            }
        } catch is Conflict {
            return try await problem("server.lost.changed-text", request, .conflict)
        } catch is DocumentFault {
            return try await problem("server.lost.impossible", request, .unprocessableContent)
        }
    }

    private func dismiss(_ request: MemberRequest) async throws -> Response {
        let key = try await document(request)
        let result = try await edits.dismiss(request.identifier("value"), of: key, request.member)
        return .redirect(to: "/lost-values").flashing(Flash(result == .done ? "saved" : "already"))
    }

    private func document(_ request: MemberRequest) async throws -> DocumentKey {
        try await edits.document(of: request.identifier("value"), request.household)
    }

    private func problem(_ key: String, _ request: MemberRequest, _ status: Status) async throws -> Response {
        let words = page.words(request)
        let problem = Problem(title: words["server.history.not-done"], text: words[key])
        return page.response(try await model(request, problem), for: request, status: status)
    }

    private func model(_ request: MemberRequest, _ problem: Problem? = nil) async throws -> HistoryPage {
        let list = try await LostValueList.load(request.member, database)
        let words = page.words(request)
        let text = LostValueText(list: list, language: request.language, words: words)
        let mayChange = request.member.role >= .member
        let lostRows = list.entries.map { entry in
            HistoryPage.LostValueRow(
                label: text.label(entry), stored: text.stored(entry), value: text.lost(entry),
                who: entry.value.personName ?? words["server.history.server"],
                when: DisplayDate.dayAndTime(entry.value.lostAt, request.language),
                action: mayChange ? "/lost-values/\(entry.value.id)" : nil, revision: entry.revision)
        }
        return HistoryPage(
            receipt: nil, title: "", problem: problem, lost: lostRows, merges: [], entries: [], olderHref: nil)
    }
}
