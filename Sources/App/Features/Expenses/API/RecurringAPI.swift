import Domain
import HTTP
import JSON
import Postgres

/// Recurring expenses in the API: when they are expected, and which ones are missing or have changed.
struct RecurringAPI: Sendable {
    private let database: Database
    private let edits: RecurringEdits
    private let proposals: RecurringProposals

    init(_ database: Database, _ slowWork: SlowWork) {
        self.database = database
        edits = RecurringEdits(database: database)
        proposals = RecurringProposals(database: database, slowWork: slowWork)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/recurring-expenses", "/api/v1/recurring-expenses/{recurring}")
        try routes.client(.get, all, "RecurringAPI.list", scope: .read, list)
        try routes.client(.post, all, "RecurringAPI.create", scope: .write, create)
        try routes.client(.get, "\(all)/proposals", "RecurringAPI.propose", scope: .read, propose)
        try routes.client(.get, one, "RecurringAPI.show", scope: .read, show)
        try routes.client(.patch, one, "RecurringAPI.update", scope: .write, update)
        try routes.client(.delete, one, "RecurringAPI.remove", scope: .write, remove)
    }

    private func list(_ request: ClientRequest) async throws -> Response {
        let (all, _) = try await load(request)
        return request.answer(list: "recurring_expenses", next: nil) { json in
            for recurring in all { json.object { Self.write(recurring, &$0) } }
        }
    }

    /// Lists repeated payments that were found in the past. Those that a member added or dismissed are left out.
    private func propose(_ request: ClientRequest) async throws -> Response {
        let found = try await proposals.find(request.member, today: WallClock.today())
        return request.answer(list: "proposals", next: nil) { json in
            for found in found {
                json.object { json in
                    json.member("name", found.last.text)
                    json.member("payee_key", found.last.key)
                    json.member("category_id", found.last.category?.description)
                    json.member("interval", found.recurrence.interval.rawValue)
                    json.member("amount_minor", found.last.amount)
                    json.member("last", found.last.day.iso)
                    json.member("next", found.recurrence.next.iso)
                }
            }
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(request.identifier("recurring"), request)
    }

    private func answer(
        _ id: RecurringExpenseID, _ request: ClientRequest, status: Status = .ok
    ) async throws -> Response {
        guard let recurring = try await load(request).all.first(where: { $0.id == id }) else {
            throw Refusal.notFound
        }
        var json = JSONWriter()
        json.object { Self.write(recurring, &$0) }
        // Payments change the answer without a new revision, so it is never "not modified".
        var response = Response.json(status, json.bytes)
        response.headers[.etag] = ClientRequest.tag(recurring.revision).description
        response.headers[.cacheControl] = "private, no-cache"
        if status == .created { response.headers[.location] = "/api/v1/recurring-expenses/\(id)" }
        return response
    }

    // MARK: Changes

    private func create(_ request: ClientRequest) async throws -> Response {
        let (_, choices) = try await load(request)
        let (values, key) = try Self.values(try request.object(), over: nil, choices)
        let id = try await edits.add(values, payeeKey: key, by: request.member)
        return try await answer(id, request, status: .created)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let (stored, choices) = try await matched(request)
        let (values, _) = try Self.values(try request.object(), over: stored.values, choices)
        try await edits.update(stored.id, values, revision: stored.revision, by: request.member)
        return try await answer(stored.id, request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let (stored, _) = try await matched(request)
        try await edits.remove(stored.id, revision: stored.revision, by: request.member)
        return Response(.noContent)
    }

    // MARK: Parts

    private func load(_ request: ClientRequest) async throws -> (all: [StoredRecurring], choices: ExpenseChoices) {
        let rows = try await database.read(
            request.household,
            batch: [StoredRecurring.query(request.member)] + ExpenseChoices.queries(request.household))
        return (try rows[0].decode(StoredRecurring.self), try ExpenseChoices(rows[1...]))
    }

    private func matched(_ request: ClientRequest) async throws -> (StoredRecurring, ExpenseChoices) {
        let id: RecurringExpenseID = try request.identifier("recurring")
        let (all, choices) = try await load(request)
        guard let stored = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
        try request.requireMatch(stored.revision)
        return (stored, choices)
    }

    private static func values(
        _ object: JSONObject, over stored: StoredRecurring.Values?, _ choices: ExpenseChoices
    ) throws -> (StoredRecurring.Values, payeeKey: String?) {
        var fields = JSONFields(object)
        let today = WallClock.today()
        let name =
            stored == nil
            ? fields.requiredText("name", 1...TextLimit.what)
            : fields.given("name") { $0.text("name", 1...TextLimit.what) } ?? stored?.name ?? ""
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

    private static func write(_ recurring: StoredRecurring, _ json: inout JSONWriter) {
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
