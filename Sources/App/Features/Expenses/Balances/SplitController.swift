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
        page.response(try await model(find(request), request), for: request)
    }

    private func split(_ request: MemberRequest) async throws -> Response {
        let split = try await find(request)
        let form = request.form
        let revision = try form.revisionOrZero()
        if form["action"] == "none" {
            do {
                try await edits.split(
                    split.entry, nil, [:], paidBy: nil, revision: revision, by: request.member)
            } catch is Conflict {
                return try await conflictPage(request, nil)
            }
            return .redirect(to: split.entry.href).flashing(Flash("saved"))
        }
        if form["action"] == "remove-default" {
            guard let category = split.entry.ownCategory else { throw Refusal.badRequest }
            try await edits.removeDefault(of: category, by: request.member)
            return .redirect(to: "/expenses/\(split.entry.id)/split").flashing(Flash("saved"))
        }
        let typed = try SplitForm(form, members: split.choices.members.map(\.id), lines: split.lines)
        let words = page.words(request)
        let paidBy = typed.paidBy ?? split.entry.paidBy
        let (weights, problem) = typed.weights(
            of: split.entry.amount, lines: split.lines, words, request.language)
        guard let weights, paidBy != nil else {
            var model = try await model(split, request, typed)
            model.shownRevision = revision
            model.problem = Problem(
                title: words["server.form.problem"], text: problem ?? words["server.split.no-payer"])
            return page.response(model, for: request, status: .unprocessableContent)
        }
        do {
            try await edits.split(
                split.entry, typed.method, weights, byLine: typed.byLine, paidBy: paidBy,
                isDefault: typed.isDefault ? true : nil, revision: revision, by: request.member)
        } catch is Conflict {
            return try await conflictPage(request, typed)
        }
        return .redirect(to: "/balances").flashing(Flash("expense-split"))
    }

    /// Shows the stored split after a conflict, with the typed values.
    private func conflictPage(_ request: MemberRequest, _ typed: SplitForm?) async throws -> Response {
        let words = page.words(request)
        var model = try await model(find(request), request, typed)
        model.problem = Problem.changed(words)
        return page.response(model, for: request, status: .conflict)
    }

    private func find(_ request: MemberRequest) async throws -> SplitExpense {
        try await SplitExpense.find(request.identifier("expense"), request.member, database)
    }

    private func model(
        _ split: SplitExpense, _ request: MemberRequest, _ typed: SplitForm? = nil
    ) async throws -> SplitPage {
        SplitPage(
            split: split, typed: typed,
            proposal: try await CategorySplit.find(split.entry.ownCategory, request.household, database),
            words: page.words(request), language: request.language)
    }
}
