import Domain
import HTTP
import Postgres
import Templates

/// Merges duplicate wines.
struct WineMergeController: Sendable {
    private let database: Database
    private let queries: WineQueries
    private let edits: WineEdits
    private let page: View<WineMergePage>

    private static let maximumCandidates = 20

    init(_ database: Database, _ catalogues: WineCatalogues, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        queries = WineQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        edits = WineEdits(database: database)
        page = try views.page("wines/merge", WineMergePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wines/{wine}/merge", "WineMergeController.show", role: .member, show)
        try routes.member(.post, "/wines/{wine}/merge", "WineMergeController.merge", merge)
        try routes.member(.post, "/wines/{wine}/merge/removal", "WineMergeController.undo", undo)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let wine = try await StoredWine.find(request.identifier("wine"), request.household, database)
        let typed = request.head.queryText("search", limit: TextLimit.search)
        let hits = try await queries.find(
            typed.isEmpty ? wine.fullName : typed, isFuzzy: true, limit: Self.maximumCandidates, request.household)
        let wines = try await StoredWine.load(hits.map(\.id), request.household, database)
        let words = page.words(request)
        let model = WineMergePage(
            wine: wine, search: typed,
            candidates: hits.compactMap { $0.id == wine.id ? nil : wines[$0.id] }.map {
                WineRow(wine: $0, words: words, language: request.language, today: WallClock.today())
            })
        return page.response(model, for: request)
    }

    private func merge(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        guard let target = WineID(try request.form.required("into")) else { throw Refusal.badRequest }
        return try await .withinWineQuota(elseTo: "/wines/\(id)") {
            try await edits.merge(id, into: target, by: request.member)
            return .redirect(to: "/wines/\(target)").flashing(Flash("merged", undo: "/wines/\(id)/merge/removal"))
        }
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let id: WineID = try request.identifier("wine")
        return try await .withinWineQuota(elseTo: "/wines") {
            try await edits.undoMerge(of: id, by: request.member)
            return .redirect(to: "/wines/\(id)")
        }
    }
}

/// The model of the view `wines/merge`.
struct WineMergePage: PageModel {
    let wine: StoredWine
    let search: String
    let candidates: [WineRow]

    static let fields = Fields<Self> { f in
        f.text("title") { $0.wine.title }
        f.text("href") { "/wines/\($0.wine.id)" }
        f.text("search") { $0.search }
        f.list("candidates") { $0.candidates }
    }
}
