import Domain
import HTTP
import JSON
import Postgres

/// Balances between members in the API, and the payments that settle them.
struct BalanceAPI: Sendable {
    private let database: Database
    private let queries: BalanceQueries
    private let settlements: Settlements
    private let cursors: Cursors

    init(_ database: Database) {
        self.database = database
        queries = BalanceQueries(database: database)
        settlements = Settlements(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/settlements", "/api/v1/settlements/{settlement}")
        try routes.client(.get, "/api/v1/balances", "BalanceAPI.balances", scope: .read, balances)
        try routes.client(.get, all, "BalanceAPI.list", scope: .read, list)
        try routes.client(.post, all, "BalanceAPI.create", scope: .write, create)
        try routes.client(.get, one, "BalanceAPI.show", scope: .read, show)
        try routes.client(.delete, one, "BalanceAPI.remove", scope: .write, remove)
        try routes.client(.post, "\(one)/restoration", "BalanceAPI.restore", scope: .write, restore)
    }

    /// For each currency, what each member is owed and the fewest payments that settle the balances.
    private func balances(_ request: ClientRequest) async throws -> Response {
        let result = try await queries.load(request.member)
        var json = JSONWriter()
        json.object { json in
            json.array("balances") { json in
                for (currency, amounts) in result.balances.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.member("currency", currency.code)
                        json.array("members") { json in
                            for (person, amount) in amounts.sorted(by: { $0.key < $1.key }) {
                                json.object { json in
                                    json.member("person_id", person.description)
                                    json.member("amount_minor", amount)
                                }
                            }
                        }
                        json.array("transfers") { json in
                            for transfer in Settling.transfers(amounts) {
                                json.object { json in
                                    json.member("from_person", transfer.from.description)
                                    json.member("to_person", transfer.to.description)
                                    json.member("amount_minor", transfer.amount)
                                }
                            }
                        }
                    }
                }
            }
        }
        return request.answer(json)
    }

    // MARK: Settlements

    private func list(_ request: ClientRequest) async throws -> Response {
        let limit = try request.number("limit", 1...200, default: 50)
        let list = "settlements" + request.listName
        let skipped = try await cursors.offset(request, of: list)
        let found = try await database.read(
            request.household,
            """
            SELECT \(StoredSettlement.columns) FROM settlement t
            WHERE t.household_id = \(request.household) AND t.discarded_at IS NULL
            ORDER BY t.day DESC, t.id DESC OFFSET \(Int32(skipped)) LIMIT \(Int32(limit) + 1)
            """
        ).decode(StoredSettlement.self)
        let shown = found.prefix(limit)
        let next =
            found.count > limit
            ? try await cursors.make(String(skipped + limit), of: list, for: request.member) : nil
        return request.answer(list: "settlements", next: next) { json in
            for settlement in shown { json.object { settlement.write(&$0) } }
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        let id: SettlementID = try request.identifier("settlement")
        return try await answer(id, request)
    }

    private func answer(
        _ id: SettlementID, _ request: ClientRequest, status: Status = .ok
    ) async throws -> Response {
        let stored = try await find(id, request)
        var json = JSONWriter()
        json.object { stored.write(&$0) }
        var response = request.answer(json, revision: stored.revision, status: status)
        if status == .created { response.headers[.location] = "/api/v1/settlements/\(id)" }
        return response
    }

    private func create(_ request: ClientRequest) async throws -> Response {
        let home = try await database.read(
            request.household, "SELECT currency FROM household WHERE id = \(request.household)"
        ).first(Currency.self)
        var fields = JSONFields(try request.object())
        let from: PersonID? = fields.given("from_person") { $0.identifier("from_person") }
        let to: PersonID? = fields.given("to_person") { $0.identifier("to_person") }
        let amount = fields.given("amount_minor") { $0.minorUnits("amount_minor") }
        let currency = fields.given("currency") { $0.currency("currency") } ?? CurrencyCode(home ?? .eur)
        let today = WallClock.today()
        let day = fields.given("day") { $0.day("day", LocalDate.firstPurchaseDay...today) } ?? today
        if from == nil, fields.errors.isEmpty { fields.refuse("from_person", "is required") }
        if to == nil, fields.errors.isEmpty { fields.refuse("to_person", "is required") }
        if amount == nil, fields.errors.isEmpty { fields.refuse("amount_minor", "is required") }
        if from == to, fields.errors.isEmpty { fields.refuse("to_person", "must be another person") }
        try fields.finish()
        guard let from, let to, let amount else { throw Refusal.badRequest }
        do {
            let id = try await settlements.add(
                from: from, to: to, Amount(minorUnits: amount, currency: currency), on: day, by: request.member)
            return try await answer(id, request, status: .created)
        } catch let refusal as Refusal where refusal.status == .badRequest {
            throw APIProblem.invalid("from_person", "must be a member of this household, and so must to_person")
        }
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let stored = try await find(request.identifier("settlement"), request)
        try request.requireMatch(stored.revision)
        try await settlements.setDiscarded(true, stored.id, by: request.member)
        return Response(.noContent)
    }

    private func restore(_ request: ClientRequest) async throws -> Response {
        let id: SettlementID = try request.identifier("settlement")
        try request.requireEmptyObject()
        try await settlements.setDiscarded(false, id, by: request.member)
        return try await answer(id, request)
    }

    private func find(_ id: SettlementID, _ request: ClientRequest) async throws -> StoredSettlement {
        let rows = try await database.read(
            request.household,
            """
            SELECT \(StoredSettlement.columns) FROM settlement t
            WHERE t.household_id = \(request.household) AND t.id = \(id) AND t.discarded_at IS NULL
            """)
        guard let stored = try rows.decode(StoredSettlement.self).first else { throw Refusal.notFound }
        return stored
    }
}

/// A payment between two members.
private struct StoredSettlement: RowDecodable {
    let id: SettlementID
    let revision: Int64
    let from: PersonID
    let to: PersonID
    let amount: Int64
    let currency: String
    let day: LocalDate
    let note: String

    static let columns: SQL =
        "t.id, t.revision, t.from_person, t.to_person, t.amount_minor, t.currency, t.day, t.note"

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        revision = try row.next()
        from = try row.next()
        to = try row.next()
        amount = try row.next()
        currency = try row.next()
        day = try row.next()
        note = try row.next()
    }

    func write(_ json: inout JSONWriter) {
        json.member("id", id.description)
        json.member("revision", revision)
        json.member("from_person", from.description)
        json.member("to_person", to.description)
        json.member("amount_minor", amount)
        json.member("currency", currency)
        json.member("day", day.iso)
        json.member("note", note)
    }
}
