import Domain
import HTTP
import JSON
import Postgres

/// Budgets in the API, with the spent and the remaining amounts.
struct BudgetAPI: CreatedResource, PatchedResource, ListedResource {
    static let name = "budgets"
    static let parameters = "{budget}"
    /// New expenses change the answer without a new revision.
    static let mayAnswerNotModified = false

    private let queries: BudgetQueries
    private let edits: BudgetEdits

    struct Resource: Sendable {
        let budget: StoredBudget
        let state: BudgetState
        let choices: ExpenseChoices
        let today: LocalDate
    }

    init(_ database: Database) {
        queries = BudgetQueries(database: database)
        edits = BudgetEdits(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try registerList(&routes)
        try registerCreation(&routes)
        try registerOne(&routes)
        try registerChange(&routes)
    }

    func key(_ request: ClientRequest) throws -> BudgetID { try request.identifier("budget") }

    static func key(of stored: Resource) -> BudgetID { stored.budget.id }

    func revision(_ stored: Resource) -> Int64 { stored.budget.revision }

    func load(_ request: ClientRequest) async throws -> [Resource] {
        let today = WallClock.today()
        let result = try await queries.load(request.member, today: today)
        return result.budgets.map { budget, state in
            Resource(budget: budget, state: state, choices: result.choices, today: today)
        }
    }

    func add(_ request: ClientRequest) async throws -> BudgetID {
        let choices = try await ExpenseChoices.load(request.household, queries.database)
        let values = try Self.values(try request.object(), over: nil, choices)
        return try await edits.add(values, today: WallClock.today(), by: request.member)
    }

    func change(_ stored: Resource, _ request: ClientRequest) async throws {
        let budget = stored.budget
        let values = try Self.values(try request.object(), over: budget, stored.choices)
        try await edits.update(
            budget.id, values, revision: budget.revision, today: max(stored.today, budget.startsOn),
            by: request.member)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        try await edits.remove(stored.budget.id, revision: stored.budget.revision, by: request.member)
    }

    /// - Throws: `APIProblem` 422 that names the invalid fields.
    private static func values(
        _ object: JSONObject, over stored: StoredBudget?, _ choices: ExpenseChoices
    ) throws -> BudgetForm.Values {
        var fields = JSONFields(object)
        var form = BudgetForm()
        let periodStart = stored.map { $0.period.days(containing: max(WallClock.today(), $0.startsOn)).lowerBound }
        if let stored, let periodStart {
            form = BudgetForm(stored, limit: stored.limit(from: periodStart), home: choices.home, .english)
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
            name: name, limit: limit ?? periodStart.flatMap { stored?.limit(from: $0) } ?? 0, category: category,
            person: person, period: period,
            startDay: period == Period.month.rawValue ? Int32(startDay ?? Int64(form.startDay) ?? 1) : 1,
            rollsOver: rollsOver)
    }

    private enum Period: String, CaseIterable {
        case month, week, year
    }

    static func write(_ stored: Resource, _ json: inout JSONWriter) {
        let (budget, state) = (stored.budget, stored.state)
        let days = budget.periods(today: stored.today)[0]
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
        json.member("currency", stored.choices.home.code)
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
        case .paceExceedsLimit: "tight"
        case .nearlySpent: "nearly"
        case .fullySpent: "used"
        }
    }
}
