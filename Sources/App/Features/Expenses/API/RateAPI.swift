import Domain
import HTTP
import JSON
import Postgres

/// Exchange rates in the API. The server fetches no rates. Imported rates do not replace rates set by a person or a
/// program.
struct RateAPI: Sendable {
    private let database: Database
    private let rates: ExchangeRates
    private let cursors: Cursors

    init(_ database: Database) {
        self.database = database
        rates = ExchangeRates(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/exchange-rates", "/api/v1/exchange-rates/{currency}/{day}")
        try routes.client(.get, all, "RateAPI.list", scope: .read, list)
        try routes.client(.put, one, "RateAPI.set", scope: .write, set)
        try routes.client(.delete, one, "RateAPI.remove", scope: .write, remove)
    }

    /// Lists the rates by currency, newest first.
    private func list(_ request: ClientRequest) async throws -> Response {
        let currency = try request.query("currency", Self.code)
        let limit = try request.number("limit", 1...500, default: 100)
        let list = "rates" + request.listName
        let skipped = try await cursors.offset(request, of: list)
        let ofCurrency: SQL = currency.map { "x.currency = \($0.code)" } ?? "true"
        let found = try await database.read(
            request.household,
            """
            SELECT x.currency, x.day, x.per_euro_millionths, x.source FROM exchange_rate x
            WHERE x.household_id = \(request.household) AND \(ofCurrency)
            ORDER BY x.currency, x.day DESC OFFSET \(Int32(skipped)) LIMIT \(Int32(limit) + 1)
            """
        ).decode((String, LocalDate, Int64, String).self)
        let next =
            found.count > limit
            ? try await cursors.make(String(skipped + limit), of: list, for: request.member) : nil
        return request.answer(list: "exchange_rates", next: next) { json in
            for (code, day, rate, source) in found.prefix(limit) {
                json.object { Self.write(code, day, rate, source, &$0) }
            }
        }
    }

    private static func write(
        _ currency: String, _ day: LocalDate, _ rate: Int64, _ source: String, _ json: inout JSONWriter
    ) {
        json.member("currency", currency)
        json.member("day", day.iso)
        json.member("per_euro_millionths", rate)
        json.member("source", source)
    }

    private func set(_ request: ClientRequest) async throws -> Response {
        let (currency, day) = try place(request)
        var fields = JSONFields(try request.object())
        let rate = fields.given("per_euro_millionths") {
            $0.integer("per_euro_millionths", 1...1_000_000_000_000_000)
        }
        if rate == nil, fields.errors.isEmpty { fields.refuse("per_euro_millionths", "is required") }
        try fields.finish()
        guard let rate else { throw Refusal.badRequest }
        try await rates.store(
            [EuroRate(currency: currency, day: day, perEuroMillionths: rate)], .manual, by: request.member)
        var json = JSONWriter()
        json.object { Self.write(currency.code, day, rate, ExchangeRates.Source.manual.rawValue, &$0) }
        return request.answer(json)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let (currency, day) = try place(request)
        guard try await rates.remove(currency, day, by: request.member) else { throw Refusal.notFound }
        return Response(.noContent)
    }

    /// The currency and the day in the path.
    private func place(_ request: ClientRequest) throws -> (CurrencyCode, LocalDate) {
        guard let code = request.parameters["currency"].flatMap(Self.code), code != .eur,
            let text = request.parameters["day"], let day = LocalDate(parsing: text), day.iso == text,
            day >= .firstPurchaseDay, day <= WallClock.today()
        else { throw Refusal.notFound }
        return (code, day)
    }

    private static func code(_ text: String) -> CurrencyCode? {
        CurrencyCode(text).flatMap { $0.code == text ? $0 : nil }
    }
}
