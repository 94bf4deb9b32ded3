import Domain
import HTTP
import Postgres
import Templates

/// Savings goals: amounts to save until a date. The budgets page lists them.
struct GoalController: Sendable {
    private let database: Database
    private let edits: GoalEdits
    private let page: View<GoalPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = GoalEdits(database: database)
        page = try views.page("budgets/goal", GoalPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/goals/new", "GoalController.new", role: .member, new)
        try routes.member(.post, "/goals", "GoalController.create", create)
        let redirects = EndedDocument<IdentifierTag.SavingsGoal>("goal", list: "/budgets", Flash("already"), database)
        try routes.member(.get, "/goals/{goal}", "GoalController.show", redirects.wrap(show))
        try routes.member(.post, "/goals/{goal}", "GoalController.update", redirects.wrap(update))
        try routes.member(.post, "/goals/{goal}/removal", "GoalController.remove", redirects.wrap(remove))
        try routes.member(.post, "/goals/{goal}/restoration", "GoalController.restore", restore)
        try routes.member(.post, "/goals/{goal}/deposits", "GoalController.deposit", redirects.wrap(deposit))
        try routes.member(
            .post, "/goals/{goal}/deposits/removal", "GoalController.removeDeposit", redirects.wrap(removeDeposit))
        try routes.member(
            .post, "/goals/{goal}/deposits/{deposit}/restoration", "GoalController.restoreDeposit",
            redirects.wrap(restoreDeposit))
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request, GoalForm()), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        try await save(request, nil) { values in
            try await edits.add(values, today: WallClock.today(), form: request.sentForm, by: request.member)
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let stored = try await storedGoal(request)
        return page.response(try await model(request, nil, stored), for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let stored = try await storedGoal(request)
        let revision = try request.form.revision()
        return try await save(request, stored) { values in
            try await edits.update(stored.id, values, revision: revision, by: request.member)
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: SavingsGoalID = try request.identifier("goal")
        let changed = Response.redirect(to: "/goals/\(id)").flashing(Flash("goal-changed"))
        return try await .removed("/goals/\(id)", list: "/budgets", changed: changed) {
            try await edits.remove(id, revision: request.form.revision(), by: request.member)
        }
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: SavingsGoalID = try request.identifier("goal")
        return try await .restored("/budgets") { try await edits.restore(id, by: request.member) }
    }

    private func deposit(_ request: MemberRequest) async throws -> Response {
        let stored = try await storedGoal(request)
        var model = try await model(request, nil, stored)
        let words = page.words(request)
        let text = try request.form.required("amount")
        guard let amount = Amount.positive(text, in: model.choices.home) else {
            model.deposit = text
            model.errors["deposit"] = words["server.form.number"]
            return page.response(model, for: request, status: .unprocessableContent)
        }
        let sign: Int64 = request.form["action"] == "take" ? -1 : 1
        let goal = Response.redirect(to: "/goals/\(stored.id)")
        do {
            try await edits.deposit(
                sign * amount, on: WallClock.today(), into: stored.id, form: request.sentForm,
                by: request.member)
            return goal.flashing(Flash("saved"))
        } catch is RepeatedForm {
            return goal.flashing(Flash("already"))
        } catch is GoalEdits.Overdrawn {
            model.deposit = text
            model.errors["deposit"] = words["server.goal.overdrawn"]
            return page.response(model, for: request, status: .unprocessableContent)
        }
    }

    private func removeDeposit(_ request: MemberRequest) async throws -> Response {
        let id: SavingsGoalID = try request.identifier("goal")
        guard let deposit = SavingsDepositID(try request.form.required("deposit")) else { throw Refusal.badRequest }
        let isRemoved = try await edits.removeDeposit(deposit, of: id, by: request.member)
        return .redirect(to: "/goals/\(id)").flashing(
            isRemoved ? Flash("removed", undo: "/goals/\(id)/deposits/\(deposit)/restoration") : Flash("already"))
    }

    private func restoreDeposit(_ request: MemberRequest) async throws -> Response {
        let (id, deposit): (SavingsGoalID, SavingsDepositID) = (
            try request.identifier("goal"), try request.identifier("deposit")
        )
        return try await .restored("/goals/\(id)") {
            try await edits.restoreDeposit(deposit, of: id, by: request.member)
        }
    }

    // MARK: Parts

    private func save(
        _ request: MemberRequest, _ stored: StoredGoal?, _ write: (StoredGoal.Values) async throws -> Void
    ) async throws -> Response {
        let words = page.words(request)
        let form = try GoalForm(request.form)
        let model = try await model(request, form, stored)
        let result = form.values(
            home: model.choices.home, today: WallClock.today(), over: stored?.values, words)
        let limit = Problem(title: words["server.goal.too-many"], text: words["server.goal.too-many-text"])
        return try await page.save(model, result, for: request, list: "/budgets", limit: limit, write)
    }

    private func storedGoal(_ request: MemberRequest) async throws -> StoredGoal {
        let id: SavingsGoalID = try request.identifier("goal")
        let rows = try await database.read(request.household, StoredGoal.query(request.household, "g.id = \(id)"))
        guard let stored = try rows.decode(StoredGoal.self).first else { throw Refusal.notFound }
        return stored
    }

    /// - Parameter form: the typed values; nil to show the stored values.
    private func model(
        _ request: MemberRequest, _ form: GoalForm?, _ stored: StoredGoal? = nil
    ) async throws -> GoalPage {
        let household = request.household
        let rows = try await database.read(
            household,
            batch: (stored.map { [StoredGoal.deposits(of: $0.id, household)] } ?? [])
                + ExpenseChoices.queries(household))
        let choices = try ExpenseChoices(rows[(stored == nil ? 0 : 1)...])
        return GoalPage(
            form: form ?? stored.map { GoalForm($0.values, home: choices.home, request.language) } ?? GoalForm(),
            stored: stored, deposits: stored == nil ? [] : try rows[0].decode(StoredGoal.Deposit.self),
            choices: choices,
            isMember: request.member.role >= .member,
            days: page.days(request))
    }
}
