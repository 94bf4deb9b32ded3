import Domain
import HTTP
import JSON
import Postgres

/// Savings goals in the API, with their deposits.
struct GoalAPI: CreatedResource, PatchedResource {
    static let name = "goals"
    static let parameters = "{goal}"
    /// Time changes the monthly amount without a new revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let edits: GoalEdits

    struct Resource: Sendable {
        let goal: StoredGoal
        let deposits: [StoredGoal.Deposit]
    }

    init(_ database: Database) {
        self.database = database
        edits = GoalEdits(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "GoalAPI.list", scope: .read, list)
        try registerCreation(&routes)
        try registerOne(&routes)
        try registerChange(&routes)
        try routes.client(.post, "\(Self.one)/deposits", "GoalAPI.deposit", scope: .write, deposit)
        try routes.client(
            .delete, "\(Self.one)/deposits/{deposit}", "GoalAPI.removeDeposit", scope: .write, removeDeposit)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let goals = try await database.read(request.household, StoredGoal.query(request.household))
            .decode(StoredGoal.self)
        return request.answer(list: Self.listMember, next: nil) { json in
            for goal in goals { json.object { Self.write(goal, &$0) } }
        }
    }

    func key(_ request: ClientRequest) throws -> SavingsGoalID { try request.identifier("goal") }

    func revision(_ stored: Resource) -> Int64 { stored.goal.revision }

    func find(_ id: SavingsGoalID, _ request: ClientRequest) async throws -> Resource {
        let rows = try await database.read(
            request.household,
            batch: [
                StoredGoal.query(request.household, "g.id = \(id)"), StoredGoal.deposits(of: id, request.household),
            ])
        guard let goal = try rows[0].decode(StoredGoal.self).first else { throw Refusal.notFound }
        return Resource(goal: goal, deposits: try rows[1].decode(StoredGoal.Deposit.self))
    }

    func document(_ stored: Resource, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { json in
            Self.write(stored.goal, &json)
            json.array("deposits") { json in
                for deposit in stored.deposits {
                    json.object { json in
                        json.member("id", deposit.id.description)
                        json.member("day", deposit.day.iso)
                        json.member("amount_minor", deposit.amount)
                        json.member("person_id", deposit.person?.description)
                    }
                }
            }
        })
    }

    // MARK: Changes

    func add(_ request: ClientRequest) async throws -> SavingsGoalID {
        let values = try Self.values(try request.object(), over: nil)
        return try await edits.add(values, today: WallClock.today(), by: request.member)
    }

    func change(_ stored: Resource, _ request: ClientRequest) async throws {
        let values = try Self.values(try request.object(), over: stored.goal.values)
        try await edits.update(stored.goal.id, values, revision: stored.goal.revision, by: request.member)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        try await edits.remove(stored.goal.id, revision: stored.goal.revision, by: request.member)
    }

    /// Adds a deposit; a negative amount is a withdrawal.
    private func deposit(_ request: ClientRequest) async throws -> Response {
        let goal = try await loadForChange(request).goal
        var fields = JSONFields(try request.object())
        let amount = fields.given("amount_minor") { $0.integer("amount_minor", -Amount.limit...Amount.limit) }
        let today = WallClock.today()
        let day = fields.given("day") { $0.day("day", LocalDate.firstPurchaseDay...today) } ?? today
        if amount ?? 0 == 0, fields.errors.isEmpty { fields.refuse("amount_minor", "must not be 0") }
        try fields.finish()
        guard let amount else { throw Refusal.badRequest }
        do {
            try await request.writingOnce {
                try await edits.deposit(amount, on: day, into: goal.id, revision: goal.revision, by: request.member)
            }
        } catch is GoalEdits.Overdrawn {
            throw APIProblem.invalid("amount_minor", "must not withdraw more than was saved")
        }
        return try await answer(goal.id, request)
    }

    private func removeDeposit(_ request: ClientRequest) async throws -> Response {
        let deposit: SavingsDepositID = try request.identifier("deposit")
        let goal = try await loadForChange(request).goal
        guard
            try await edits.removeDeposit(deposit, of: goal.id, revision: goal.revision, by: request.member)
        else { throw Refusal.notFound }
        return try await answer(goal.id, request)
    }

    // MARK: Parts

    private static func values(_ object: JSONObject, over stored: StoredGoal.Values?) throws -> StoredGoal.Values {
        var fields = JSONFields(object)
        let today = WallClock.today()
        let name =
            stored == nil
            ? fields.requiredText("name", 1...TextLimit.name)
            : fields.given("name") { $0.text("name", 1...TextLimit.name) } ?? stored?.name ?? ""
        let target = fields.given("target_minor") { $0.minorUnits("target_minor") } ?? stored?.target
        let until =
            fields.given("until") { $0.day("until", today...today.adding(days: StoredGoal.maximumDays)) }
            ?? stored?.until
        if target == nil, fields.errors.isEmpty { fields.refuse("target_minor", "is required") }
        if until == nil, fields.errors.isEmpty { fields.refuse("until", "is required") }
        try fields.finish()
        guard let target, let until else { throw Refusal.badRequest }
        return StoredGoal.Values(name: name, target: target, until: until)
    }

    private static func write(_ goal: StoredGoal, _ json: inout JSONWriter) {
        let state = goal.state(today: WallClock.today())
        json.member("id", goal.id.description)
        json.member("revision", goal.revision)
        json.member("name", goal.values.name)
        json.member("target_minor", goal.values.target)
        json.member("starts_on", goal.starts.iso)
        json.member("until", goal.values.until.iso)
        json.member("saved_minor", goal.saved)
        json.member("planned_minor", state.planned)
        json.member("per_month_minor", state.perMonth)
    }
}
