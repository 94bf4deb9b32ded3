import Domain
import HTTP
import JSON
import Postgres

/// Balances between members in the API, and the payments that settle them.
struct BalanceAPI: CreatedResource {
    static let name = "settlements"
    static let parameters = "{settlement}"

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
        try routes.client(.get, "/api/v1/balances", "BalanceAPI.balances", scope: .read, balances)
        try routes.client(.get, Self.all, "BalanceAPI.list", scope: .read, list)
        try registerCreation(&routes)
        try registerOne(&routes)
        try routes.client(.post, "\(Self.one)/restoration", "BalanceAPI.restore", scope: .write, restore)
    }

    /// Returns, for each currency, the amount that each member is owed (negative for members who owe), and payments
    /// that would settle the balances.
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
                            for transfer in DebtSettlement.transfers(amounts) {
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
        let (shown, next) = try await cursors.page(
            request, of: Self.name, StoredSettlement.self, maximum: 200, default: 50
        ) {
            """
            SELECT \(StoredSettlement.columns) FROM settlement t
            WHERE t.household_id = \(request.household) AND t.discarded_at IS NULL ORDER BY t.day DESC, t.id DESC
            """
        }
        return request.answer(list: Self.listMember, next: next) { json in
            for settlement in shown { json.object { settlement.write(&$0) } }
        }
    }

    func key(_ request: ClientRequest) throws -> SettlementID { try request.identifier("settlement") }

    func revision(_ stored: StoredSettlement) -> Int64 { stored.revision }

    func document(_ stored: StoredSettlement, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { stored.write(&$0) })
    }

    func add(_ request: ClientRequest) async throws -> SettlementID {
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
            return try await settlements.add(
                from: from, to: to, Amount(minorUnits: amount, currency: currency), on: day, by: request.member)
        } catch let refusal as Refusal where refusal.status == .badRequest {
            throw APIProblem.invalid("from_person", "must be a member of this household, like to_person")
        }
    }

    func delete(_ stored: StoredSettlement, _ request: ClientRequest) async throws {
        try await settlements.setDiscarded(true, stored.id, revision: stored.revision, by: request.member)
    }

    private func restore(_ request: ClientRequest) async throws -> Response {
        let id: SettlementID = try request.identifier("settlement")
        try request.requireEmptyObject()
        try await settlements.setDiscarded(false, id, by: request.member)
        return try await answer(id, request)
    }

    func find(_ id: SettlementID, _ request: ClientRequest) async throws -> StoredSettlement {
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
struct StoredSettlement: RowDecodable {
    let id: SettlementID
    let revision: Int64
    let from: PersonID
    let to: PersonID
    /// In minor units of `currency`.
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
