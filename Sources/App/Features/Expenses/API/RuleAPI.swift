import Domain
import HTTP
import JSON
import Postgres

/// The household's rules in the API: tried on existing expenses, applied to them, and undone.
struct RuleAPI: Sendable {
    private let database: Database
    private let edits: RuleEdits
    private let trial: RuleTrial
    private let runs: RuleRuns

    /// The highest number of changes listed for a trial.
    private static let mostShown = 100

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        edits = RuleEdits(database: database)
        trial = RuleTrial(database: database, slowWork: slowWork)
        runs = RuleRuns(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/expense-rules", "/api/v1/expense-rules/{rule}")
        try routes.client(.get, all, "RuleAPI.list", scope: .read, list)
        try routes.client(.post, all, "RuleAPI.create", scope: .write, create)
        try routes.client(.get, one, "RuleAPI.show", scope: .read, show)
        try routes.client(.patch, one, "RuleAPI.update", scope: .write, update)
        try routes.client(.delete, one, "RuleAPI.remove", scope: .write, remove)
        try routes.client(.post, "\(one)/move", "RuleAPI.move", scope: .write, move)
        try routes.client(.get, "\(one)/trial", "RuleAPI.tryOut", scope: .read, tryOut)
        try routes.client(.post, "\(one)/application", "RuleAPI.apply", scope: .write, apply)
        try routes.client(.delete, "/api/v1/expense-rule-runs/{run}", "RuleAPI.undo", scope: .write, undo)
    }

    /// Lists the rules in the order in which they apply.
    private func list(_ request: ClientRequest) async throws -> Response {
        let (rules, _) = try await load(request)
        return request.answer(list: "expense_rules", next: nil) { json in
            for rule in rules { json.object { Self.write(rule, &$0) } }
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(request.identifier("rule"), request)
    }

    private func answer(
        _ id: ExpenseRuleID, _ request: ClientRequest, status: Status = .ok
    ) async throws -> Response {
        guard let rule = try await load(request).rules.first(where: { $0.id == id }) else { throw Refusal.notFound }
        var json = JSONWriter()
        json.object { Self.write(rule, &$0) }
        var response = request.answer(json, revision: rule.revision, status: status)
        if status == .created { response.headers[.location] = "/api/v1/expense-rules/\(id)" }
        return response
    }

    // MARK: Changes

    private func create(_ request: ClientRequest) async throws -> Response {
        let (_, choices) = try await load(request)
        let values = try Self.values(try request.object(), over: nil, choices)
        let id = try await edits.add(values, by: request.member)
        return try await answer(id, request, status: .created)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let (rule, _, choices) = try await matched(request)
        let values = try Self.values(try request.object(), over: rule.values, choices)
        try await edits.update(rule.id, values, revision: rule.revision, by: request.member)
        return try await answer(rule.id, request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let (rule, _, _) = try await matched(request)
        try await edits.remove(rule.id, revision: rule.revision, by: request.member)
        return Response(.noContent)
    }

    /// Swaps the rule with the one before or after it.
    private func move(_ request: ClientRequest) async throws -> Response {
        let (rule, _, _) = try await matched(request)
        var fields = JSONFields(try request.object())
        let goesUp = fields.given("up") { $0.flag("up") }
        if goesUp == nil, fields.errors.isEmpty { fields.refuse("up", "is required") }
        try fields.finish()
        try await edits.move(rule.id, up: goesUp ?? true, by: request.member)
        return try await answer(rule.id, request)
    }

    // MARK: The past

    private func tryOut(_ request: ClientRequest) async throws -> Response {
        let id: ExpenseRuleID = try request.identifier("rule")
        let (rules, _) = try await load(request)
        guard let index = rules.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
        let changes = try await trial.run(rules[index].values, after: Array(rules[..<index]), request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("count", changes.count)
            json.array("changes") { json in
                for change in changes.prefix(Self.mostShown) {
                    json.object { json in
                        json.member("expense_id", change.id.description)
                        json.member("day", change.day.iso)
                        json.member("what", change.what)
                        json.member("sets_category", change.setsCategory)
                        json.array("new_labels") { json in for label in change.newLabels { json.value(label) } }
                        json.member("splits", change.splits)
                    }
                }
            }
        }
        return request.answer(json)
    }

    private func apply(_ request: ClientRequest) async throws -> Response {
        let (rule, earlier, _) = try await matched(request)
        try request.requireEmptyObject()
        let changes = try await trial.run(rule.values, after: earlier, request.member)
        let run = try await runs.apply(rule, changes, by: request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("changed", run?.count ?? 0)
            // Deleting the run undoes the changes.
            json.member("run_id", run?.id.description)
        }
        return request.answer(json)
    }

    private func undo(_ request: ClientRequest) async throws -> Response {
        _ = try await runs.undo(request.identifier("run"), by: request.member)
        return Response(.noContent)
    }

    // MARK: Parts

    private func load(_ request: ClientRequest) async throws -> (rules: [StoredRule], choices: ExpenseChoices) {
        let rows = try await database.read(
            request.household,
            batch: [StoredRule.query(request.household)] + ExpenseChoices.queries(request.household))
        return (try rows[0].decode(StoredRule.self), try ExpenseChoices(rows[1...]))
    }

    /// Loads the rule at the revision that the client sent, and the rules before it.
    private func matched(
        _ request: ClientRequest
    ) async throws -> (rule: StoredRule, earlier: [StoredRule], choices: ExpenseChoices) {
        let id: ExpenseRuleID = try request.identifier("rule")
        let (rules, choices) = try await load(request)
        guard let index = rules.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
        try request.requireMatch(rules[index].revision)
        return (rules[index], Array(rules[..<index]), choices)
    }

    private static func values(
        _ object: JSONObject, over stored: StoredRule.Values?, _ choices: ExpenseChoices
    ) throws -> StoredRule.Values {
        var fields = JSONFields(object)
        let contains = fields.given("contains") { $0.text("contains", 0...TextLimit.payee) } ?? stored?.contains ?? ""
        let least = fields.has("least_minor") ? fields.integer("least_minor", 0...Amount.limit) : stored?.least
        let most = fields.has("most_minor") ? fields.integer("most_minor", 0...Amount.limit) : stored?.most
        let category =
            fields.has("category_id") ? fields.category("category_id", of: choices.categories) : stored?.category
        let labels = fields.given("labels") { $0.labels("labels") } ?? stored?.labels ?? []
        let people: [PersonID] = fields.given("people") { $0.identifiers("people", most: 50) } ?? stored?.people ?? []
        if !people.allSatisfy({ id in
            choices.members.contains { $0.0 == id } || stored?.people.contains(id) == true
        }) {
            fields.refuse("people", "must be members of this household")
        }
        if let least, let most, least > most { fields.refuse("most_minor", "must not be less than least_minor") }
        let values = StoredRule.Values(
            contains: contains, least: least, most: most, category: category, labels: labels, people: people.sorted())
        if fields.errors.isEmpty, values.rule.isEmpty {
            fields.refuse("contains", "is required unless least_minor or most_minor is given")
        }
        if fields.errors.isEmpty, category == nil, labels.isEmpty, people.isEmpty {
            fields.refuse("category_id", "is required unless labels or people are given")
        }
        try fields.finish()
        return values
    }

    private static func write(_ rule: StoredRule, _ json: inout JSONWriter) {
        json.member("id", rule.id.description)
        json.member("revision", rule.revision)
        json.member("contains", rule.values.contains)
        json.member("least_minor", rule.values.least)
        json.member("most_minor", rule.values.most)
        json.member("category_id", rule.values.category?.description)
        json.array("labels") { json in for label in rule.values.labels { json.value(label) } }
        json.array("people") { json in for person in rule.values.people { json.value(person.description) } }
    }
}
