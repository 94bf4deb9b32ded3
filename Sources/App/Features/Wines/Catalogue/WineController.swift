import Domain
import HTTP
import Postgres
import Templates
import Wines

/// The pages of the wine catalogue: list, details, creation and editing.
struct WineController: Sendable {
    private let database: Database
    private let queries: WineQueries
    private let edits: WineEdits
    private let listPage: View<WineListPage>
    private let detailPage: View<WinePage>
    private let editPage: View<WineEditPage>

    init(_ database: Database, _ catalogues: WineCatalogues, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        queries = WineQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        edits = WineEdits(database: database)
        listPage = try views.page("wines/index", WineListPage.self)
        detailPage = try views.page("wines/show", WinePage.self)
        editPage = try views.page("wines/edit", WineEditPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wines", "WineController.list", list)
        try routes.member(.get, "/wines/new", "WineController.new", role: .member, new)
        try routes.member(.post, "/wines", "WineController.create", create)
        try routes.member(.get, "/wines/{wine}", "WineController.show", show)
        try routes.member(.get, "/wines/{wine}/edit", "WineController.edit", role: .member, edit)
        try routes.member(.post, "/wines/{wine}", "WineController.update", update)
        try routes.member(.post, "/wines/{wine}/scores", "WineController.score", score)
        try routes.member(.post, "/wines/{wine}/scores/removal", "WineController.removeScore", removeScore)
        try routes.member(.post, "/wines/{wine}/removal", "WineController.remove", remove)
        try routes.member(.post, "/wines/{wine}/restoration", "WineController.restore", restore)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let filter = WineFilter(request.head)
        let today = WallClock.today()
        let result = try await queries.list(filter, request.household, today: today)
        return listPage.response(
            WineListPage(
                filter: filter, result: result, isMember: request.member.role >= .member,
                words: listPage.words(request),
                language: request.language, today: today), for: request)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        var form = WineForm()
        form.name = request.head.queryText("name", limit: TextLimit.wineName)
        return editPage.response(WineEditPage(form: form, stored: nil, words: editPage.words(request)), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        let form = try WineForm(request.form)
        do {
            return try await save(request, form, nil) { values in
                try await edits.add(values, form: request.sentForm, by: request.member)
            }
        } catch is RepeatedForm {
            return .redirect(to: "/wines").flashing(Flash("already"))
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        try await winePage(request)
    }

    private func edit(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        let home = try await HouseholdCurrency.of(request.household, database)
        let form = WineForm(wine, home: home, request.language)
        return editPage.response(
            WineEditPage(form: form, stored: wine, words: editPage.words(request)), for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        let form = try WineForm(request.form)
        let revision = try request.form.revision()
        return try await save(request, form, wine) { values in
            try await edits.update(wine.id, values, revision: revision, by: request.member)
            return wine.id
        }
    }

    private func score(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        let form = try ScoreForm(request.form)
        var errors = FieldErrors()
        let score = form.value(detailPage.words(request), &errors)
        if score == nil, errors.isEmpty { errors["points"] = detailPage.words(request)["server.wine.points"] }
        guard let score, errors.isEmpty else { return try await winePage(request, score: form, errors: errors) }
        return try await .withinWineQuota(elseTo: "/wines/\(wine.id)") {
            try await edits.score(wine.id, score, by: request.member)
            return .redirect(to: "/wines/\(wine.id)").flashing(Flash("saved"))
        }
    }

    private func removeScore(_ request: MemberRequest) async throws -> Response {
        let wine = try await storedWine(request)
        return try await .withinWineQuota(elseTo: "/wines/\(wine.id)") {
            try await edits.removeScore(of: request.form["critic"] ?? "", wine.id, by: request.member)
            return .redirect(to: "/wines/\(wine.id)").flashing(Flash("removed"))
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        let changed = Response.redirect(to: "/wines/\(id)").flashing(Flash("wine-changed"))
        return try await .removed("/wines/\(id)", list: "/wines", changed: changed) {
            try await edits.setDiscarded(
                true, id, revision: request.form.optionalRevision(), by: request.member)
        }
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        return try await .withinWineQuota(elseTo: "/wines") {
            try await edits.setDiscarded(false, id, revision: nil, by: request.member)
            return .redirect(to: "/wines/\(id)")
        }
    }

    // MARK: Parts

    private func save(
        _ request: MemberRequest, _ form: WineForm, _ stored: StoredWine?,
        _ write: (WineForm.Values) async throws -> WineID
    ) async throws -> Response {
        let words = editPage.words(request)
        let home = try await HouseholdCurrency.of(request.household, database)
        let (values, errors) = form.values(home: home, words)
        let typed = WineEditPage(form: form, stored: stored, words: words)
        var model = try editPage.refused(typed, errors, for: request)
        guard let values else { return editPage.response(model, for: request, status: .unprocessableContent) }
        do {
            let id = try await write(values)
            return .redirect(to: "/wines/\(id)").flashing(Flash("saved"))
        } catch let error as WineQuotaError {
            model.problem = Problem(title: words["server.wine.quota"], text: error.sentence(words))
            return editPage.response(model, for: request, status: .unprocessableContent)
        } catch is Conflict {
            model.problem = Problem.changed(words)
            model.shownRevision = nil
            return editPage.response(model, for: request, status: .conflict)
        }
    }

    private func storedWine(_ request: MemberRequest) async throws -> StoredWine {
        try await StoredWine.find(request.identifier("wine"), request.household, database)
    }

    private func winePage(
        _ request: MemberRequest, score: ScoreForm = ScoreForm(), errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let wine = try await storedWine(request)
        let facts = try await WineFacts.load(wine, request.member, database)
        let model = WinePage(
            wine: wine, facts: facts, score: score, errors: errors, isMember: request.member.role >= .member,
            words: detailPage.words(request), language: request.language, today: WallClock.today())
        return detailPage.response(model, for: request, status: errors.isEmpty ? .ok : .unprocessableContent)
    }
}
