import Domain
import HTTP
import JSON
import Postgres

/// Exchange rates in the API. The server fetches no rates. Imported rates do not replace rates set by a person or a
/// program.
struct RateAPI: EditedResource {
    static let name = "exchange-rates"
    static let parameters = "{currency}/{day}"

    private let database: Database
    private let rates: ExchangeRates
    private let cursors: Cursors

    struct Key: CustomStringConvertible {
        let currency: CurrencyCode
        let day: LocalDate

        var description: String { "\(currency.code)/\(day.iso)" }
    }

    struct Resource: Sendable {
        let id: ExchangeRateID
        let revision: Int64
        let currency: String
        let day: LocalDate
        /// In millionths of the currency per euro.
        let rate: Int64
        /// A raw value of `ExchangeRates.Source`.
        let source: String

        var version: ExchangeRates.Version { ExchangeRates.Version(id: id, revision: revision) }

        static let columns: SQL = "x.id, x.revision, x.currency, x.day, x.per_euro_millionths, x.source"
    }

    init(_ database: Database) {
        self.database = database
        rates = ExchangeRates(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "RateAPI.list", scope: .read, list)
        try registerOne(&routes)
        try routes.client(.put, Self.one, "RateAPI.set", scope: .write, set)
    }

    /// Lists the rates by currency, newest first.
    private func list(_ request: ClientRequest) async throws -> Response {
        let currency = try request.query("currency", Self.code)
        let ofCurrency: SQL = currency.map { "x.currency = \($0.code)" } ?? "true"
        let (shown, next) = try await cursors.page(request, of: Self.name, Resource.self, maximum: 500, default: 100) {
            """
            SELECT \(Resource.columns) FROM exchange_rate x
            WHERE x.household_id = \(request.household) AND \(ofCurrency) ORDER BY x.currency, x.day DESC
            """
        }
        return request.answer(list: Self.listMember, next: next) { json in
            for stored in shown { json.object { stored.write(&$0) } }
        }
    }

    /// The currency and the day in the path.
    func key(_ request: ClientRequest) throws -> Key {
        guard let code = request.parameters["currency"].flatMap(Self.code), code != .eur,
            let text = request.parameters["day"], let day = LocalDate(parsing: text), day.iso == text,
            day >= .firstPurchaseDay, day <= WallClock.today()
        else { throw Refusal.notFound }
        return Key(currency: code, day: day)
    }

    private static func code(_ text: String) -> CurrencyCode? {
        CurrencyCode(text).flatMap { $0.code == text ? $0 : nil }
    }

    func find(_ key: Key, _ request: ClientRequest) async throws -> Resource {
        guard let stored = try await storedRate(key, request) else { throw Refusal.notFound }
        return stored
    }

    private func storedRate(_ key: Key, _ request: ClientRequest) async throws -> Resource? {
        try await database.read(
            request.household,
            """
            SELECT \(Resource.columns) FROM exchange_rate x WHERE x.household_id = \(request.household)
                AND x.currency = \(key.currency.code) AND x.day = \(key.day)
            """
        ).decode(Resource.self).first
    }

    func revision(_ stored: Resource) -> Int64 { stored.revision }

    /// Depends on the identifier, too: a rate that is removed and added again has the same address and revision.
    func tag(_ stored: Resource) -> EntityTag {
        EntityTag(hashing: JSONWriter(object: { stored.write(&$0) }).bytes)
    }

    func document(_ stored: Resource, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { stored.write(&$0) })
    }

    /// Creates a rate, or changes it at the revision that the client sent.
    private func set(_ request: ClientRequest) async throws -> Response {
        let key = try key(request)
        let stored = try await storedRate(key, request)
        if let stored { try request.requireMatch(tag(stored)) } else { try request.requireNoMatch() }
        var fields = JSONFields(try request.object())
        let rate = fields.given("per_euro_millionths") {
            $0.integer("per_euro_millionths", ExchangeRates.perEuroMillionths)
        }
        if rate == nil, fields.errors.isEmpty { fields.refuse("per_euro_millionths", "is required") }
        try fields.finish()
        guard let rate else { throw Refusal.badRequest }
        do {
            try await rates.set(
                EuroRate(currency: key.currency, day: key.day, perEuroMillionths: rate),
                over: stored?.version, by: request.member)
        } catch is AmountTooLarge {
            throw APIProblem.invalid("per_euro_millionths", "makes a converted amount too large")
        }
        return try await answer(key, request, status: stored == nil ? .created : .ok)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        let key = try key(request)
        let removed = try await rates.remove(key.currency, key.day, shown: stored.version, by: request.member)
        guard removed != nil else { throw Refusal.notFound }
    }
}

extension RateAPI.Resource: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        revision = try row.next()
        currency = try row.next()
        day = try row.next()
        rate = try row.next()
        source = try row.next()
    }

    fileprivate func write(_ json: inout JSONWriter) {
        json.member("id", id.description)
        json.member("revision", revision)
        json.member("currency", currency)
        json.member("day", day.iso)
        json.member("per_euro_millionths", rate)
        json.member("source", source)
    }
}
