import Domain
import HTTP
import Templates

/// Exchange rates that a person types or imports from the files of the European Central Bank. The server does not fetch
/// rates itself.
struct RateController: Sendable {
    private let rates: ExchangeRates
    private let slowWork: SlowWork
    private let page: View<RatePage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        rates = ExchangeRates(database: database)
        self.slowWork = slowWork
        page = try views.page("expenses/rates", RatePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses/rates", "RateController.show", show)
        try routes.member(.post, "/expenses/rates", "RateController.add", add)
        try routes.member(.post, "/expenses/rates/import", "RateController.upload", body: .stream, upload)
        try routes.member(.post, "/expenses/rates/import/removal", "RateController.undoImport", undoImport)
        try routes.member(.post, "/expenses/rates/removal", "RateController.remove", remove)
        try routes.member(.post, "/expenses/rates/restoration", "RateController.restore", restore)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request), for: request)
    }

    private func add(_ request: MemberRequest) async throws -> Response {
        let typed = try TypedRate(request.form)
        let words = page.words(request)
        let (rate, faults) = typed.rate(today: WallClock.today(), words)
        var errors = faults
        if let rate {
            do {
                try await rates.store([rate], .manual, by: request.member)
                return .redirect(to: "/expenses/rates").flashing(Flash("saved"))
            } catch is AmountTooLarge {
                errors["rate"] = words["server.rates.extreme-text"]
            }
        }
        var model = try await model(request)
        model.typed = typed
        model.errors = errors
        model.problem = Problem.invalidFields(words)
        return page.response(model, for: request, status: .unprocessableContent)
    }

    private func upload(_ request: MemberRequest) async throws -> Response {
        do {
            let file = try await UploadedFile.read(request, limit: EuroRateFile.maximumBytes)
            let newRates = try await slowWork.run { try EuroRateFile.read(file.bytes) }
            let id = OperationID.new()
            let count = try await rates.store(newRates, .ecb, of: id, by: request.member)
            return .redirect(to: "/expenses/rates").flashing(
                Flash(
                    "rates-imported", count: count,
                    undo: count == 0 ? nil : "/expenses/rates/import/removal?import=\(id)"))
        } catch EuroRateFile.Failure.unknownFormat {
            return try await refusalPage("unknown", .unprocessableContent, request)
        } catch is AmountTooLarge {
            return try await refusalPage("extreme", .unprocessableContent, request)
        } catch EuroRateFile.Failure.tooLarge, ImportText.Failure.tooLarge {
            return try await refusalPage("too-large", .contentTooLarge, request)
        }
    }

    private func undoImport(_ request: MemberRequest) async throws -> Response {
        guard let id = request.head.query("import").flatMap({ OperationID($0) }) else { throw Refusal.badRequest }
        return try await .restored("/expenses/rates") { try await rates.undoImport(id, by: request.member) }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        guard let currency = CurrencyCode(try request.form.required("currency")),
            let day = LocalDate(parsing: try request.form.required("day"))
        else { throw Refusal.badRequest }
        guard let removed = try await rates.remove(currency, day, by: request.member) else {
            return .redirect(to: "/expenses/rates").flashing(Flash("already"))
        }
        // The change log does not contain every rate, so the path that undoes the removal contains the values.
        let source = removed.source ?? .manual
        let undo = """
            /expenses/rates/restoration?currency=\(currency.code)&day=\(day.iso)\
            &rate=\(removed.rate.perEuroMillionths)&source=\(source.rawValue)
            """
        return .redirect(to: "/expenses/rates").flashing(Flash("removed", undo: undo))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let head = request.head
        guard let currency = head.query("currency").flatMap({ CurrencyCode($0) }), currency != .eur,
            let day = head.query("day").flatMap({ LocalDate(parsing: $0) }), day <= WallClock.today(),
            let rate = head.query("rate").flatMap({ Int64($0) }), ExchangeRates.perEuroMillionths.contains(rate),
            let source = head.query("source").flatMap({ ExchangeRates.Source(rawValue: $0) })
        else { throw Refusal.badRequest }
        let restored = EuroRate(currency: currency, day: day, perEuroMillionths: rate)
        return try await .restored("/expenses/rates") {
            try await rates.restore(restored, source, by: request.member)
        }
    }

    // MARK: Parts

    private func model(_ request: MemberRequest) async throws -> RatePage {
        let result = try await rates.load(request.member)
        return RatePage(
            result: result, typed: TypedRate(result, today: WallClock.today()),
            isMember: request.member.role >= .member,
            isForActual: request.head.query("export") == ExpenseExport.actual.rawValue, language: request.language)
    }

    private func refusalPage(_ key: String, _ status: Status, _ request: MemberRequest) async throws -> Response {
        let words = page.words(request)
        var model = try await model(request)
        model.problem = Problem(title: words["server.rates.\(key)"], text: words["server.rates.\(key)-text"])
        return page.response(model, for: request, status: status)
    }
}

/// The fields of the form for a rate as typed.
struct TypedRate: Sendable {
    var currency = "USD"
    var day = ""
    var rate = ""

    /// A form for a missing rate, if there is one.
    init(_ result: ExchangeRates.Result, today: LocalDate) {
        day = today.iso
        guard let missing = result.missing.first else { return }
        // A household's currency is the euro or the franc, and all rates are per euro. If an amount in euros cannot be
        // converted, the rate of the franc is missing.
        currency = missing.currency == CurrencyCode.eur.code ? Currency.chf.rawValue : missing.currency
        day = min(missing.last, today).iso
    }

    /// - Throws: `Refusal.badRequest` for values that the form cannot send.
    init(_ form: FormFields) throws {
        currency = try form.required("currency")
        day = try form.required("day")
        rate = try form.required("rate")
        guard let code = CurrencyCode(currency), code != .eur else { throw Refusal.badRequest }
    }

    func rate(today: LocalDate, _ words: LanguageTexts) -> (rate: EuroRate?, errors: FieldErrors) {
        var errors = FieldErrors()
        let parsed = LocalDate(parsing: day)
        if parsed == nil {
            errors["day"] = words["server.form.date"]
        } else if let parsed, parsed < .firstPurchaseDay || parsed > today {
            errors["day"] = words["server.rates.day-range"]
        }
        let found = CurrencyCode(currency).flatMap { EuroRate(currency: $0, day: parsed ?? today, rate: rate) }
        if found == nil { errors["rate"] = words["server.form.number"] }
        return (errors.isEmpty ? found : nil, errors)
    }
}
