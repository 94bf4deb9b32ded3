import Domain
import HTTP
import JSON
import Postgres

/// Budgets in the API, with the spent and the remaining amounts.
struct BudgetAPI: Sendable {
    private let queries: BudgetQueries
    private let edits: BudgetEdits

    init(_ database: Database) {
        queries = BudgetQueries(database: database)
        edits = BudgetEdits(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/budgets", "/api/v1/budgets/{budget}")
        try routes.client(.get, all, "BudgetAPI.list", scope: .read, list)
        try routes.client(.post, all, "BudgetAPI.create", scope: .write, create)
        try routes.client(.get, one, "BudgetAPI.show", scope: .read, show)
        try routes.client(.patch, one, "BudgetAPI.update", scope: .write, update)
        try routes.client(.delete, one, "BudgetAPI.remove", scope: .write, remove)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let today = WallClock.today()
        let result = try await queries.load(request.member, today: today)
        return request.answer(list: "budgets", next: nil) { json in
            for (budget, state) in result.budgets {
                json.object { Self.write(budget, state, result.choices.home, today, &$0) }
            }
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(request.identifier("budget"), request)
    }

    private func answer(_ id: BudgetID, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        let today = WallClock.today()
        let (budget, state, choices) = try await find(id, request, today)
        var json = JSONWriter()
        json.object { Self.write(budget, state, choices.home, today, &$0) }
        // Sums change the answer without a new revision, so it is never "not modified".
        var response = Response.json(status, json.bytes)
        response.headers[.etag] = ClientRequest.tag(budget.revision).description
        response.headers[.cacheControl] = "private, no-cache"
        if status == .created { response.headers[.location] = "/api/v1/budgets/\(id)" }
        return response
    }

    private func create(_ request: ClientRequest) async throws -> Response {
        let rows = try await queries.database.read(
            request.household, batch: ExpenseChoices.queries(request.household))
        let values = try Self.values(try request.object(), over: nil, try ExpenseChoices(rows[...]))
        let id = try await edits.add(values, today: WallClock.today(), by: request.member)
        return try await answer(id, request, status: .created)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let today = WallClock.today()
        let (budget, _, choices) = try await find(request.identifier("budget"), request, today)
        try request.requireMatch(budget.revision)
        let values = try Self.values(try request.object(), over: budget, choices)
        try await edits.update(
            budget.id, values, revision: budget.revision, today: max(today, budget.startsOn), by: request.member)
        return try await answer(budget.id, request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let (budget, _, _) = try await find(request.identifier("budget"), request, WallClock.today())
        try request.requireMatch(budget.revision)
        try await edits.remove(budget.id, revision: budget.revision, by: request.member)
        return Response(.noContent)
    }

    // MARK: Parts

    private func find(
        _ id: BudgetID, _ request: ClientRequest, _ today: LocalDate
    ) async throws -> (StoredBudget, BudgetState, ExpenseChoices) {
        let result = try await queries.load(request.member, today: today)
        guard let found = result.budgets.first(where: { $0.budget.id == id }) else { throw Refusal.notFound }
        return (found.budget, found.state, result.choices)
    }

    /// - Throws: `APIProblem` 422 that names all errors.
    private static func values(
        _ object: JSONObject, over stored: StoredBudget?, _ choices: ExpenseChoices
    ) throws -> BudgetForm.Values {
        var fields = JSONFields(object)
        var form = BudgetForm()
        let first = stored.map { $0.period.days(containing: max(WallClock.today(), $0.startsOn)).lowerBound }
        if let stored, let first {
            form = BudgetForm(stored, limit: stored.limit(from: first), home: choices.home, .english)
        }
        let name =
            stored == nil
            ? fields.requiredText("name", 1...TextLimit.name)
            : fields.given("name") { $0.text("name", 1...TextLimit.name) } ?? form.name
        let limit = fields.given("limit_minor") { $0.minorUnits("limit_minor") }
        if limit == nil, stored == nil, fields.errors.isEmpty { fields.refuse("limit_minor", "is required") }
        let period = fields.given("period") { $0.choice("period", of: Period.self) }?.rawValue ?? form.period
        let startDay = fields.given("start_day") { $0.integer("start_day", 1...28) }
        let category =
            fields.has("category_id") ? fields.category("category_id", of: choices.categories) : stored?.category
        let person = fields.has("person_id") ? fields.person("person_id", of: choices) : stored?.person
        let rollsOver = fields.given("rolls_over") { $0.flag("rolls_over") } ?? form.rollsOver
        try fields.finish()
        return BudgetForm.Values(
            name: name, limit: limit ?? first.flatMap { stored?.limit(from: $0) } ?? 0, category: category,
            person: person, period: period,
            startDay: period == Period.month.rawValue ? Int32(startDay ?? Int64(form.startDay) ?? 1) : 1,
            rollsOver: rollsOver)
    }

    private enum Period: String, CaseIterable {
        case month, week, year
    }

    private static func write(
        _ budget: StoredBudget, _ state: BudgetState, _ home: CurrencyCode, _ today: LocalDate,
        _ json: inout JSONWriter
    ) {
        let days = budget.periods(today: today)[0]
        json.member("id", budget.id.description)
        json.member("revision", budget.revision)
        json.member("name", budget.name)
        json.member("category_id", budget.category?.description)
        json.member("person_id", budget.person?.description)
        switch budget.period {
        case .week: json.member("period", Period.week.rawValue)
        case .year: json.member("period", Period.year.rawValue)
        case .month: json.member("period", Period.month.rawValue)
        }
        var startDay: Int?
        if case .month(let day) = budget.period { startDay = day }
        json.member("start_day", startDay)
        json.member("rolls_over", budget.rollsOver)
        json.member("currency", home.code)
        json.member("limit_minor", budget.limit(from: days.lowerBound))
        json.object("current") { json in
            json.member("from", days.lowerBound.iso)
            json.member("to", days.upperBound.adding(days: -1).iso)
            // Includes the amount carried over from earlier periods.
            json.member("limit_minor", state.limit)
            json.member("spent_minor", state.spent)
            json.member("left_minor", state.left)
            json.member("left_per_day_minor", state.leftPerDay)
            json.member("pace_minor", state.pace)
            json.member("alert", state.alert.name)
        }
    }
}

extension BudgetState.Alert {
    /// The name in the API.
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .tight: "on_course"
        case .nearly: "nearly"
        case .used: "used"
        }
    }
}
