import Domain
import HTTP
import Postgres
import Templates

/// Saved, tasted and wanted wines, and the bottles in the cellar.
struct CellarController: Sendable {
    private let database: Database
    private let edits: CellarEdits
    private let page: View<CellarPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = CellarEdits(database: database)
        page = try views.page("wines/mine", CellarPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wines/mine", "CellarController.show", show)
        try routes.member(.post, "/wines/{wine}/mark", "CellarController.mark", mark)
        try routes.member(.post, "/wines/{wine}/bottles", "CellarController.add", add)
        try routes.member(.post, "/wine-bottles/{bottle}", "CellarController.change", change)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let cellar = try await CellarQueries(database: database).load(request.member)
        return page.response(
            CellarPage(
                cellar: cellar, words: page.words(request), language: request.language, today: WallClock.today()),
            for: request)
    }

    private func mark(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        let form = request.form
        var mark = WineFacts.Mark(
            isSaved: form["saved"] != nil, isTasted: form["tasted"] != nil, isWanted: form["wanted"] != nil,
            note: form.trimmed("own-note") ?? "")
        let points = form.trimmed("own-points") ?? ""
        if !points.isEmpty {
            guard let scale = ScoreScale(rawValue: form.trimmed("own-scale") ?? "100"),
                let number = scale.points(points)
            else { return .redirect(to: "/wines/\(id)").flashing(Flash("wine-points")) }
            mark.points = number
        }
        guard mark.note.length <= TextLimit.note else { throw Refusal.badRequest }
        return try await .withinWineQuota(elseTo: "/wines/\(id)") {
            let isNewlySaved = try await edits.mark(id, mark, by: request.member)
            if isNewlySaved { try await WineCounters.add([.saved: 1], request.household, database) }
            return .redirect(to: "/wines/\(id)").flashing(Flash("saved"))
        }
    }

    private func add(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        let home = try await HouseholdCurrency.of(request.household, database)
        guard let values = values(request.form, home) else {
            return .redirect(to: "/wines/\(id)").flashing(Flash("wine-bottles"))
        }
        return try await .withinWineQuota(elseTo: "/wines/\(id)") {
            do {
                try await edits.add(values, of: id, form: request.sentForm, by: request.member)
                return .redirect(to: "/wines/\(id)").flashing(Flash("saved"))
            } catch is RepeatedForm {
                return .redirect(to: "/wines/\(id)").flashing(Flash("already"))
            }
        }
    }

    /// Returns nil if a value is invalid.
    private func values(_ form: FormFields, _ home: CurrencyCode) -> CellarEdits.BottleValues? {
        let price = form.trimmed("bottle-price") ?? ""
        let amount = try? Amount(parsing: price, currency: home)
        let day = form.trimmed("bought-on") ?? ""
        let place = form.trimmed("place") ?? ""
        guard let count = Int64(form.trimmed("count") ?? "1"), (1...10_000).contains(count),
            place.length <= TextLimit.place, price.isEmpty || (amount?.minorUnits ?? -1) >= 0,
            day.isEmpty || LocalDate(parsing: day) != nil
        else { return nil }
        return CellarEdits.BottleValues(
            count: count, place: place, boughtOn: LocalDate(parsing: day), price: price.isEmpty ? nil : amount)
    }

    private func change(_ request: MemberRequest) async throws -> Response {
        let id: WineBottleID = try request.identifier("bottle")
        guard let count = Int64(request.form.trimmed("count") ?? "0"), (0...10_000).contains(count) else {
            throw Refusal.badRequest
        }
        let place = request.form.trimmed("place")
        guard (place?.length ?? 0) <= TextLimit.place else { throw Refusal.badRequest }
        do {
            let wine = try await edits.change(
                id, count: count, place: place, revision: request.form.optionalRevision(), by: request.member)
            return .redirect(to: "/wines/\(wine)").flashing(Flash("saved"))
        } catch is Conflict {
            return .redirect(to: "/wines/mine").flashing(Flash("wine-changed"))
        }
    }
}
