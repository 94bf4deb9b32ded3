import Domain
import HTTP
import Postgres
import Templates

/// The household's rules, which apply in their order. A rule can be tried on existing expenses before it is saved, and
/// applied to them on request.
struct RuleController: Sendable {
    private let database: Database
    private let trial: RuleTrial
    private let edits: RuleEdits
    private let runs: RuleRuns
    private let listPage: View<RuleListPage>
    private let page: View<RulePage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        trial = RuleTrial(database: database, slowWork: slowWork)
        edits = RuleEdits(database: database)
        runs = RuleRuns(database: database)
        listPage = try views.page("expenses/rules", RuleListPage.self)
        page = try views.page("expenses/rule", RulePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/rules", "RuleController.list", list)
        try routes.member(.get, "/rules/new", "RuleController.new", role: .member, new)
        try routes.member(.post, "/rules", "RuleController.create", create)
        try routes.member(.post, "/rules/runs/{run}/removal", "RuleController.undo", undo)
        let redirects = EndedDocument<IdentifierTag.ExpenseRule>("rule", list: "/rules", Flash("already"), database)
        try routes.member(.get, "/rules/{rule}", "RuleController.show", redirects.wrap(show))
        try routes.member(.post, "/rules/{rule}", "RuleController.update", redirects.wrap(update))
        try routes.member(.post, "/rules/{rule}/place", "RuleController.move", redirects.wrap(move))
        try routes.member(.post, "/rules/{rule}/removal", "RuleController.remove", redirects.wrap(remove))
        try routes.member(.post, "/rules/{rule}/restoration", "RuleController.restore", restore)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let household = request.household
        let rows = try await database.read(
            household,
            batch: [StoredRule.query(household), RuleRuns.query(request.member)] + ExpenseChoices.queries(household))
        let runs = try rows[1].decode((RuleRunID, String, PostgresInstant, Int64).self).map {
            id, name, appliedAt, count in
            RuleRuns.StoredRun(id: id, name: name, appliedAt: appliedAt, count: count)
        }
        return listPage.response(
            RuleListPage(
                rules: try rows[0].decode(StoredRule.self), runs: runs, choices: try ExpenseChoices(rows[2...]),
                isMember: request.member.role >= .member, words: listPage.words(request), language: request.language),
            for: request)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        var form = RuleForm()
        form.contains = request.head.queryText("contains", limit: TextLimit.payee)
        return page.response(try await model(request, form), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        try await save(request, nil) { values in
            try await edits.add(values, form: request.sentForm, by: request.member)
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let (stored, choices) = try await storedRule(request)
        return page.response(
            try await model(request, RuleForm(stored.values, home: choices.home, request.language), stored),
            for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let (stored, _) = try await storedRule(request)
        let revision = request.form["action"] == "try" ? stored.revision : try request.form.revision()
        return try await save(request, stored) { values in
            try await edits.update(stored.id, values, revision: revision, by: request.member)
            return stored.id
        }
    }

    private func move(_ request: MemberRequest) async throws -> Response {
        try await edits.move(
            request.identifier("rule"), up: request.form["direction"] == "up", by: request.member)
        return .redirect(to: "/rules")
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseRuleID = try request.identifier("rule")
        let changed = Response.redirect(to: "/rules").flashing(Flash("rule-changed"))
        return try await .removed("/rules/\(id)", list: "/rules", changed: changed) {
            try await edits.remove(id, revision: request.form.revision(), by: request.member)
        }
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseRuleID = try request.identifier("rule")
        return try await .restored("/rules") { try await edits.restore(id, by: request.member) }
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let isUndone = try await runs.undo(request.identifier("run"), by: request.member)
        return .redirect(to: "/rules").flashing(Flash(isUndone ? "rule-undone" : "already"))
    }

    // MARK: Parts

    /// Tries, saves, or saves and applies the typed rule.
    private func save(
        _ request: MemberRequest, _ stored: StoredRule?, _ write: (StoredRule.Values) async throws -> ExpenseRuleID
    ) async throws -> Response {
        let words = page.words(request)
        let form = try RuleForm(request.form)
        let typed = try await self.model(request, form, stored)
        let (values, errors) = form.values(home: typed.choices.home, words)
        var model = try page.refused(typed, errors, for: request)
        guard let values else { return page.response(model, for: request, status: .unprocessableContent) }
        let earlier = try await earlier(than: stored?.id, request)
        if request.form["action"] == "try" {
            model.problem = nil
            model.trial = try await trial.run(values, after: earlier, request.member)
            return page.response(model, for: request)
        }
        let limit = Problem(title: words["server.rule.too-many"], text: words["server.rule.too-many-text"])
        var saved: ExpenseRuleID?
        let refusal = try await page.refusal(model, for: request, list: "/rules", limit: limit) {
            saved = try await write(values)
        }
        if let refusal { return refusal }
        guard let saved, request.form["action"] == "apply" else {
            return .redirect(to: "/rules").flashing(Flash("saved"))
        }
        return try await apply(saved, request)
    }

    private func apply(_ id: ExpenseRuleID, _ request: MemberRequest) async throws -> Response {
        let rows = try await database.read(request.household, StoredRule.query(request.household))
        let all = try rows.decode(StoredRule.self)
        guard let index = all.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
        let changes = try await trial.run(all[index].values, after: Array(all[..<index]), request.member)
        do {
            let run = try await runs.apply(all[index], changes, by: request.member)
            return .redirect(to: "/rules").flashing(
                Flash("rule-applied", count: run?.count ?? 0, undo: run.map { "/rules/runs/\($0.id)/removal" }))
        } catch is Conflict {
            return .redirect(to: "/rules").flashing(Flash("rule-not-applied"))
        }
    }

    /// Returns the rules that precede a rule in the order; for a new rule, all rules.
    private func earlier(than id: ExpenseRuleID?, _ request: MemberRequest) async throws -> [StoredRule] {
        let all = try await database.read(request.household, StoredRule.query(request.household)).decode(
            StoredRule.self)
        return Array(all.prefix { $0.id != id })
    }

    private func storedRule(_ request: MemberRequest) async throws -> (StoredRule, ExpenseChoices) {
        let id: ExpenseRuleID = try request.identifier("rule")
        let rows = try await database.read(
            request.household, batch: [StoredRule.query(request.household)] + ExpenseChoices.queries(request.household))
        let all = try rows[0].decode(StoredRule.self)
        guard let stored = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return (stored, try ExpenseChoices(rows[1...]))
    }

    private func model(
        _ request: MemberRequest, _ form: RuleForm, _ stored: StoredRule? = nil
    ) async throws -> RulePage {
        RulePage(
            form: form, stored: stored,
            choices: try await ExpenseChoices.load(request.household, database),
            days: page.days(request))
    }
}
