import Domain
import HTTP
import JSON
import Postgres

/// Savings goals in the API, with their deposits.
struct GoalAPI: Sendable {
    private let database: Database
    private let edits: GoalEdits

    init(_ database: Database) {
        self.database = database
        edits = GoalEdits(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/goals", "/api/v1/goals/{goal}")
        try routes.client(.get, all, "GoalAPI.list", scope: .read, list)
        try routes.client(.post, all, "GoalAPI.create", scope: .write, create)
        try routes.client(.get, one, "GoalAPI.show", scope: .read, show)
        try routes.client(.patch, one, "GoalAPI.update", scope: .write, update)
        try routes.client(.delete, one, "GoalAPI.remove", scope: .write, remove)
        try routes.client(.post, "\(one)/deposits", "GoalAPI.deposit", scope: .write, deposit)
        try routes.client(
            .delete, "\(one)/deposits/{deposit}", "GoalAPI.removeDeposit", scope: .write, removeDeposit)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let goals = try await database.read(request.household, StoredGoal.query(request.household))
            .decode(StoredGoal.self)
        return request.answer(list: "goals", next: nil) { json in
            for goal in goals { json.object { Self.write(goal, &$0) } }
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(request.identifier("goal"), request)
    }

    private func answer(
        _ id: SavingsGoalID, _ request: ClientRequest, status: Status = .ok
    ) async throws -> Response {
        let rows = try await database.read(
            request.household,
            batch: [
                StoredGoal.query(request.household, "g.id = \(id)"), StoredGoal.deposits(of: id, request.household),
            ])
        guard let goal = try rows[0].decode(StoredGoal.self).first else { throw Refusal.notFound }
        let deposits = try rows[1].decode(StoredGoal.Deposit.self)
        var json = JSONWriter()
        json.object { json in
            Self.write(goal, &json)
            json.array("deposits") { json in
                for deposit in deposits {
                    json.object { json in
                        json.member("id", deposit.id.description)
                        json.member("day", deposit.day.iso)
                        json.member("amount_minor", deposit.amount)
                        json.member("person_id", deposit.person?.description)
                    }
                }
            }
        }
        // The monthly amount changes with time, so the answer is never "not modified".
        var response = Response.json(status, json.bytes)
        response.headers[.etag] = ClientRequest.tag(goal.revision).description
        response.headers[.cacheControl] = "private, no-cache"
        if status == .created { response.headers[.location] = "/api/v1/goals/\(id)" }
        return response
    }

    // MARK: Changes

    private func create(_ request: ClientRequest) async throws -> Response {
        let values = try Self.values(try request.object(), over: nil)
        let id = try await edits.add(values, today: WallClock.today(), by: request.member)
        return try await answer(id, request, status: .created)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let goal = try await matched(request)
        let values = try Self.values(try request.object(), over: goal.values)
        try await edits.update(goal.id, values, revision: goal.revision, by: request.member)
        return try await answer(goal.id, request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let goal = try await matched(request)
        try await edits.remove(goal.id, revision: goal.revision, by: request.member)
        return Response(.noContent)
    }

    /// Adds a deposit; a negative amount is a withdrawal.
    private func deposit(_ request: ClientRequest) async throws -> Response {
        let goal = try await matched(request)
        var fields = JSONFields(try request.object())
        let amount = fields.given("amount_minor") { $0.integer("amount_minor", -Amount.limit...Amount.limit) }
        let today = WallClock.today()
        let day = fields.given("day") { $0.day("day", LocalDate.firstPurchaseDay...today) } ?? today
        if amount ?? 0 == 0, fields.errors.isEmpty { fields.refuse("amount_minor", "must not be 0") }
        try fields.finish()
        guard let amount else { throw Refusal.badRequest }
        try await edits.deposit(amount, on: day, into: goal.id, by: request.member)
        return try await answer(goal.id, request)
    }

    private func removeDeposit(_ request: ClientRequest) async throws -> Response {
        let deposit: SavingsDepositID = try request.identifier("deposit")
        let goal = try await matched(request)
        guard try await edits.removeDeposit(deposit, of: goal.id, by: request.member) else { throw Refusal.notFound }
        return try await answer(goal.id, request)
    }

    // MARK: Parts

    private func matched(_ request: ClientRequest) async throws -> StoredGoal {
        let id: SavingsGoalID = try request.identifier("goal")
        let rows = try await database.read(
            request.household, StoredGoal.query(request.household, "g.id = \(id)"))
        guard let goal = try rows.decode(StoredGoal.self).first else { throw Refusal.notFound }
        try request.requireMatch(goal.revision)
        return goal
    }

    private static func values(_ object: JSONObject, over stored: StoredGoal.Values?) throws -> StoredGoal.Values {
        var fields = JSONFields(object)
        let today = WallClock.today()
        let name =
            stored == nil
            ? fields.requiredText("name", 1...TextLimit.name)
            : fields.given("name") { $0.text("name", 1...TextLimit.name) } ?? stored?.name ?? ""
        let target = fields.given("target_minor") { $0.minorUnits("target_minor") } ?? stored?.target
        let until =
            fields.given("until") { $0.day("until", today...today.adding(days: StoredGoal.mostDays)) } ?? stored?.until
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
