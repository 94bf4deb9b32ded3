import Domain
import HTTP
import JSON
import Postgres

/// Recurring expenses in the API: when they are expected, and which ones are missing or have changed.
struct RecurringAPI: CreatedResource, PatchedResource, ListedResource {
    static let name = "recurring-expenses"
    static let parameters = "{recurring}"
    /// Payments and time change the answer without a new revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let edits: RecurringEdits
    private let proposals: RecurringProposals

    struct Resource: Sendable {
        let recurring: StoredRecurring
        let choices: ExpenseChoices
    }

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        edits = RecurringEdits(database: database)
        proposals = RecurringProposals(database: database, slowWork: slowWork)
    }

    func register(_ routes: inout Routes) throws {
        try registerList(&routes)
        try registerCreation(&routes)
        try routes.client(.get, "\(Self.all)/proposals", "RecurringAPI.propose", scope: .read, propose)
        try registerOne(&routes)
        try registerChange(&routes)
    }

    func key(_ request: ClientRequest) throws -> RecurringExpenseID { try request.identifier("recurring") }

    static func key(of stored: Resource) -> RecurringExpenseID { stored.recurring.id }

    func revision(_ stored: Resource) -> Int64 { stored.recurring.revision }

    func load(_ request: ClientRequest) async throws -> [Resource] {
        let rows = try await database.read(
            request.household,
            batch: [StoredRecurring.query(request.member)] + ExpenseChoices.queries(request.household))
        let choices = try ExpenseChoices(rows[1...])
        return try rows[0].decode(StoredRecurring.self).map { Resource(recurring: $0, choices: choices) }
    }

    /// Lists recurring expenses that were found in past payments, except those that a member added or dismissed.
    private func propose(_ request: ClientRequest) async throws -> Response {
        let results = try await proposals.find(request.member, today: WallClock.today())
        return request.answer(list: "proposals", next: nil) { json in
            for proposal in results {
                json.object { json in
                    json.member("name", proposal.last.text)
                    json.member("payee_key", proposal.last.key)
                    json.member("category_id", proposal.last.category?.description)
                    json.member("interval", proposal.recurrence.interval.rawValue)
                    json.member("amount_minor", proposal.last.amount)
                    json.member("is_personal", proposal.isPersonal)
                    json.member("last", proposal.last.day.iso)
                    json.member("next", proposal.recurrence.next.iso)
                    json.member("starts_on", proposal.starts.iso)
                }
            }
        }
    }

    // MARK: Changes

    func add(_ request: ClientRequest) async throws -> RecurringExpenseID {
        let choices = try await ExpenseChoices.load(request.household, database)
        let (values, key) = try Self.values(try request.object(), over: nil, choices)
        return try await edits.add(values, payeeKey: key, by: request.member)
    }

    func change(_ stored: Resource, _ request: ClientRequest) async throws {
        let recurring = stored.recurring
        let (values, _) = try Self.values(try request.object(), over: recurring.values, stored.choices)
        try await edits.update(recurring.id, values, revision: recurring.revision, by: request.member)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        try await edits.remove(stored.recurring.id, revision: stored.recurring.revision, by: request.member)
    }

    // MARK: Parts

    private static func values(
        _ object: JSONObject, over stored: StoredRecurring.Values?, _ choices: ExpenseChoices
    ) throws -> (StoredRecurring.Values, payeeKey: String?) {
        var fields = JSONFields(object)
        let today = WallClock.today()
        let name =
            stored == nil
            ? fields.requiredText("name", 1...TextLimit.purpose)
            : fields.given("name") { $0.text("name", 1...TextLimit.purpose) } ?? stored?.name ?? ""
        let interval = fields.given("interval") { $0.choice("interval", of: Recurrence.Interval.self) }
        let days = LocalDate.firstPurchaseDay...today.adding(days: 3_660)
        let starts = fields.given("starts_on") { $0.day("starts_on", days) }
        let amount = fields.given("amount_minor") { $0.minorUnits("amount_minor") } ?? stored?.amount
        let tolerance = fields.given("tolerance_percent") { $0.integer("tolerance_percent", 0...50) }
        let category =
            fields.has("category_id") ? fields.category("category_id", of: choices.categories) : stored?.category
        let isPersonal = fields.given("is_personal") { $0.flag("is_personal") } ?? stored?.isPersonal ?? false
        let key = stored == nil ? fields.given("payee_key") { $0.text("payee_key", 1...TextLimit.payee) } : nil
        if amount == nil, fields.errors.isEmpty { fields.refuse("amount_minor", "is required") }
        try fields.finish()
        guard let amount else { throw Refusal.badRequest }
        let values = StoredRecurring.Values(
            name: name, category: category, interval: interval ?? stored?.interval ?? .month,
            starts: starts ?? stored?.starts ?? today, amount: amount,
            tolerance: tolerance ?? stored?.tolerance ?? 0, isPersonal: isPersonal)
        return (values, key)
    }

    static func write(_ stored: Resource, _ json: inout JSONWriter) {
        let recurring = stored.recurring
        json.member("id", recurring.id.description)
        json.member("revision", recurring.revision)
        json.member("name", recurring.values.name)
        json.member("category_id", recurring.values.category?.description)
        json.member("interval", recurring.values.interval.rawValue)
        json.member("starts_on", recurring.values.starts.iso)
        json.member("amount_minor", recurring.values.amount)
        json.member("tolerance_percent", recurring.values.tolerance)
        json.member("is_personal", recurring.values.isPersonal)
        json.member("next", recurring.next.iso)
        json.member("is_missing", recurring.isMissing(today: WallClock.today()))
        json.member("last", recurring.last?.day.iso)
        json.member("last_minor", recurring.last?.amount)
        json.member("is_changed", recurring.isChanged)
    }
}
