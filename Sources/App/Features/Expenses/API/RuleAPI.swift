import Domain
import HTTP
import JSON
import Postgres

/// The household's rules for expenses in the API. A rule can be tried on existing expenses, applied to them, and
/// undone.
struct RuleAPI: CreatedResource, PatchedResource, ListedResource {
    static let name = "expense-rules"
    static let parameters = "{rule}"

    private let database: Database
    private let edits: RuleEdits
    private let trial: RuleTrial
    private let runs: RuleRuns

    struct Resource: Sendable {
        let rule: StoredRule
        /// The rules that apply before this one.
        let earlier: ArraySlice<StoredRule>
        let choices: ExpenseChoices
    }

    /// The maximum number of changes listed for a trial.
    private static let maximumShown = 100

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        edits = RuleEdits(database: database)
        trial = RuleTrial(database: database, slowWork: slowWork)
        runs = RuleRuns(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try registerList(&routes)
        try registerCreation(&routes)
        try registerOne(&routes)
        try registerChange(&routes)
        try routes.client(.post, "\(Self.one)/move", "RuleAPI.move", scope: .write, move)
        try routes.client(.get, "\(Self.one)/trial", "RuleAPI.tryOut", scope: .read, tryOut)
        try routes.client(.post, "\(Self.one)/application", "RuleAPI.apply", scope: .write, apply)
        try routes.client(.delete, "/api/v1/expense-rule-runs/{run}", "RuleAPI.undo", scope: .write, undo)
    }

    func key(_ request: ClientRequest) throws -> ExpenseRuleID { try request.identifier("rule") }

    static func key(of stored: Resource) -> ExpenseRuleID { stored.rule.id }

    func revision(_ stored: Resource) -> Int64 { stored.rule.revision }

    /// Loads the rules in the order in which they apply.
    func load(_ request: ClientRequest) async throws -> [Resource] {
        let rows = try await database.read(
            request.household,
            batch: [StoredRule.query(request.household)] + ExpenseChoices.queries(request.household))
        let rules = try rows[0].decode(StoredRule.self)
        let choices = try ExpenseChoices(rows[1...])
        return rules.indices.map { Resource(rule: rules[$0], earlier: rules[..<$0], choices: choices) }
    }

    // MARK: Changes

    func add(_ request: ClientRequest) async throws -> ExpenseRuleID {
        let choices = try await ExpenseChoices.load(request.household, database)
        return try await edits.add(try Self.values(try request.object(), over: nil, choices), by: request.member)
    }

    func change(_ stored: Resource, _ request: ClientRequest) async throws {
        let values = try Self.values(try request.object(), over: stored.rule.values, stored.choices)
        try await edits.update(stored.rule.id, values, revision: stored.rule.revision, by: request.member)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        try await edits.remove(stored.rule.id, revision: stored.rule.revision, by: request.member)
    }

    /// Swaps the rule with the one before or after it.
    private func move(_ request: ClientRequest) async throws -> Response {
        let rule = try await loadForChange(request).rule
        var fields = JSONFields(try request.object())
        let movesUp = fields.given("up") { $0.flag("up") }
        if movesUp == nil, fields.errors.isEmpty { fields.refuse("up", "is required") }
        try fields.finish()
        try await request.writingOnce {
            try await edits.move(rule.id, up: movesUp ?? true, revision: rule.revision, by: request.member)
        }
        return try await answer(rule.id, request)
    }

    // MARK: Existing expenses

    private func tryOut(_ request: ClientRequest) async throws -> Response {
        let stored = try await find(try key(request), request)
        let changes = try await trial.run(stored.rule.values, after: Array(stored.earlier), request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("count", changes.count)
            json.array("changes") { json in
                for change in changes.prefix(Self.maximumShown) {
                    json.object { json in
                        json.member("expense_id", change.id.description)
                        json.member("is_receipt", change.isReceipt)
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
        let stored = try await loadForChange(request)
        try request.requireEmptyObject()
        let changes = try await trial.run(stored.rule.values, after: Array(stored.earlier), request.member)
        let run = try await runs.apply(stored.rule, changes, by: request.member)
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

    private static func values(
        _ object: JSONObject, over stored: StoredRule.Values?, _ choices: ExpenseChoices
    ) throws -> StoredRule.Values {
        var fields = JSONFields(object)
        let contains = fields.given("contains") { $0.text("contains", 0...TextLimit.payee) } ?? stored?.contains ?? ""
        let minimum =
            fields.has("least_minor") ? fields.integer("least_minor", 0...Amount.limit) : stored?.minimumAmount
        let maximum = fields.has("most_minor") ? fields.integer("most_minor", 0...Amount.limit) : stored?.maximumAmount
        let category =
            fields.has("category_id") ? fields.category("category_id", of: choices.categories) : stored?.category
        let labels = fields.given("labels") { $0.labels("labels") } ?? stored?.labels ?? []
        let people: [PersonID] =
            fields.given("people") { $0.identifiers("people", maximum: 50) } ?? stored?.people ?? []
        if !people.allSatisfy({ id in
            choices.members.contains { $0.id == id } || stored?.people.contains(id) == true
        }) {
            fields.refuse("people", "must be members of this household")
        }
        if let minimum, let maximum, minimum > maximum {
            fields.refuse("most_minor", "must not be less than least_minor")
        }
        let values = StoredRule.Values(
            contains: contains, minimumAmount: minimum, maximumAmount: maximum, category: category, labels: labels,
            people: people.sorted())
        if fields.errors.isEmpty, values.rule.isEmpty {
            fields.refuse("contains", "is required unless least_minor or most_minor is given")
        }
        if fields.errors.isEmpty, category == nil, labels.isEmpty, people.isEmpty {
            fields.refuse("category_id", "is required unless labels or people are given")
        }
        try fields.finish()
        return values
    }

    static func write(_ stored: Resource, _ json: inout JSONWriter) {
        let rule = stored.rule
        json.member("id", rule.id.description)
        json.member("revision", rule.revision)
        json.member("contains", rule.values.contains)
        json.member("least_minor", rule.values.minimumAmount)
        json.member("most_minor", rule.values.maximumAmount)
        json.member("category_id", rule.values.category?.description)
        json.array("labels") { json in for label in rule.values.labels { json.value(label) } }
        json.array("people") { json in for person in rule.values.people { json.value(person.description) } }
    }
}
