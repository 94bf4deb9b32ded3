import Domain
import HTTP
import Postgres
import Templates

/// Budgets: the amounts that may be spent in a period, and the amounts that remain.
struct BudgetController: Sendable {
    private let database: Database
    private let queries: BudgetQueries
    private let edits: BudgetEdits
    private let listPage: View<BudgetListPage>
    private let page: View<BudgetPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        queries = BudgetQueries(database: database)
        edits = BudgetEdits(database: database)
        listPage = try views.page("budgets/index", BudgetListPage.self)
        page = try views.page("budgets/edit", BudgetPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/budgets", "BudgetController.list", list)
        try routes.member(.get, "/budgets/new", "BudgetController.new", role: .member, new)
        try routes.member(.post, "/budgets", "BudgetController.create", create)
        let redirects = EndedDocument<IdentifierTag.Budget>("budget", list: "/budgets", Flash("already"), database)
        try routes.member(.get, "/budgets/{budget}", "BudgetController.show", redirects.wrap(show))
        try routes.member(.post, "/budgets/{budget}", "BudgetController.update", redirects.wrap(update))
        try routes.member(.post, "/budgets/{budget}/removal", "BudgetController.remove", redirects.wrap(remove))
        try routes.member(.post, "/budgets/{budget}/restoration", "BudgetController.restore", restore)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let today = WallClock.today()
        let result = try await queries.load(request.member, today: today)
        return listPage.response(
            BudgetListPage(
                result: result, isMember: request.member.role >= .member,
                days: listPage.days(request, today: today)), for: request)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request, BudgetForm()), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        try await save(request, nil) { values in
            _ = try await edits.add(values, today: WallClock.today(), form: request.sentForm, by: request.member)
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let stored = try await storedBudget(request)
        let choices = try await choices(request)
        let periodStart = stored.period.days(containing: max(WallClock.today(), stored.startsOn)).lowerBound
        let form = BudgetForm(
            stored, limit: stored.limit(from: periodStart), home: choices.home, request.language)
        return page.response(try await model(request, form, stored), for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let stored = try await storedBudget(request)
        let revision = try request.form.revision()
        return try await save(request, stored) { values in
            try await edits.update(
                stored.id, values, revision: revision, today: max(WallClock.today(), stored.startsOn),
                by: request.member)
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: BudgetID = try request.identifier("budget")
        let changed = Response.redirect(to: "/budgets/\(id)").flashing(Flash("budget-changed"))
        return try await .removed("/budgets/\(id)", list: "/budgets", changed: changed) {
            try await edits.remove(id, revision: request.form.revision(), by: request.member)
        }
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: BudgetID = try request.identifier("budget")
        return try await .restored("/budgets") { try await edits.restore(id, by: request.member) }
    }

    // MARK: Parts

    private func save(
        _ request: MemberRequest, _ stored: StoredBudget?, _ write: (BudgetForm.Values) async throws -> Void
    ) async throws -> Response {
        let words = page.words(request)
        let form = try BudgetForm(request.form)
        let model = try await model(request, form, stored)
        let limit = Problem(title: words["server.budget.too-many"], text: words["server.budget.too-many-text"])
        return try await page.save(
            model, form.values(home: model.choices.home, words), for: request, list: "/budgets", limit: limit, write)
    }

    private func storedBudget(_ request: MemberRequest) async throws -> StoredBudget {
        let id: BudgetID = try request.identifier("budget")
        let rows = try await database.read(
            request.household, StoredBudget.query(request.household, "b.id = \(id)"))
        guard let stored = try rows.decode(StoredBudget.self).first else { throw Refusal.notFound }
        return stored
    }

    private func choices(_ request: MemberRequest) async throws -> ExpenseChoices {
        try await ExpenseChoices.load(request.household, database)
    }

    private func model(
        _ request: MemberRequest, _ form: BudgetForm, _ stored: StoredBudget? = nil
    ) async throws -> BudgetPage {
        BudgetPage(
            form: form, stored: stored, choices: try await choices(request), words: page.words(request),
            language: request.language)
    }
}
