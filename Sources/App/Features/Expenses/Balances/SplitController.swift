import Domain
import HTTP
import Templates

/// The page that splits an expense or a receipt between members.
struct SplitController: Sendable {
    private let database: Database
    private let edits: SplitEdits
    private let page: View<SplitPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = SplitEdits(database: database)
        page = try views.page("expenses/split", SplitPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses/{expense}/split", "SplitController.show", role: .member, show)
        try routes.member(.post, "/expenses/{expense}/split", "SplitController.split", split)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        page.response(model(try await find(request), request), for: request)
    }

    private func split(_ request: MemberRequest) async throws -> Response {
        let split = try await find(request)
        let form = request.form
        let revision = try form.revisionOrZero()
        let back = split.entry.isReceipt ? "/receipts/\(split.entry.id)" : "/expenses/\(split.entry.id)"
        if form["action"] == "none" {
            do {
                try await write(split, nil, [:], LineSplit(), paidBy: nil, revision, request)
            } catch is Conflict {
                return try await changed(request, nil)
            }
            return .redirect(to: back).flashing(Flash("saved"))
        }
        let typed = try SplitForm(form, members: split.choices.members.map(\.0), lines: split.lines)
        let words = page.words(request)
        let paidBy = form.trimmed("paid-by").flatMap { PersonID($0) } ?? split.entry.paidBy
        let (weights, problem) = typed.weights(
            of: split.entry.amount, lines: split.lines, words, request.language)
        guard let weights, paidBy != nil else {
            var model = model(split, request, typed)
            model.problem = Problem(
                title: words["server.form.problem"], text: problem ?? words["server.split.no-payer"])
            return page.response(model, for: request, status: .unprocessableContent)
        }
        do {
            try await write(split, typed.method, weights, typed.byLine, paidBy: paidBy, revision, request)
        } catch is Conflict {
            return try await changed(request, typed)
        }
        return .redirect(to: "/balances").flashing(Flash("expense-split"))
    }

    /// Shows the stored split after a conflict, with the typed values.
    private func changed(_ request: MemberRequest, _ typed: SplitForm?) async throws -> Response {
        let words = page.words(request)
        var model = model(try await find(request), request, typed)
        model.problem = Problem(title: words["server.form.changed"], text: words["server.form.changed-text"])
        return page.response(model, for: request, status: .conflict)
    }

    private func write(
        _ split: SplitExpense, _ method: SplitMethod?, _ weights: [PersonID: Int64], _ byLine: LineSplit,
        paidBy: PersonID?, _ revision: Int64, _ request: MemberRequest
    ) async throws {
        try await edits.split(
            split.entry, method, weights, byLine: byLine, paidBy: paidBy, revision: revision, by: request.member)
    }

    private func find(_ request: MemberRequest) async throws -> SplitExpense {
        try await SplitExpense.find(request.identifier("expense"), request.member, database)
    }

    private func model(_ split: SplitExpense, _ request: MemberRequest, _ typed: SplitForm? = nil) -> SplitPage {
        SplitPage(split: split, typed: typed, words: page.words(request), language: request.language)
    }
}
