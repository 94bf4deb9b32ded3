import Domain
import HTTP
import Templates

/// A household's stores and categories: what is used, and what was made by mistake and can go.
struct CatalogueController: Sendable {
    private let queries: CatalogueQueries
    private let stores: StoreRemoval
    private let categories: CategoryRemoval
    private let page: View<CataloguePage>
    private let entryPage: View<CatalogueEntryPage>

    init(_ database: Database, _ views: Views) throws {
        queries = CatalogueQueries(database: database)
        stores = StoreRemoval(database: database)
        categories = CategoryRemoval(database: database)
        page = try views.page("catalogue/index", CataloguePage.self)
        entryPage = try views.page("catalogue/entry", CatalogueEntryPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/catalogue", "CatalogueController.show", show)
        try routes.member(.get, "/settings/stores/{store}", "CatalogueController.showStore", showStore)
        try routes.member(.post, "/settings/stores/{store}/removal", "CatalogueController.removeStore", removeStore)
        try routes.member(.get, "/settings/categories/{category}", "CatalogueController.showCategory", showCategory)
        try routes.member(
            .post, "/settings/categories/{category}/removal", "CatalogueController.removeCategory", removeCategory)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let catalogue = try await queries.load(request.member, page.texts[request.language])
        return page.response(CataloguePage(stores: catalogue.stores, categories: catalogue.categories), for: request)
    }

    private func showStore(_ request: MemberRequest) async throws -> Response {
        try await store(request, try request.identifier("store"))
    }

    private func showCategory(_ request: MemberRequest) async throws -> Response {
        try await category(request, try request.identifier("category"))
    }

    private func removeStore(_ request: MemberRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        let revision = try request.form.revision()
        let other: StoreID? = try Self.other(request.form["other-store"])
        return try await answer(isMerge: other != nil) {
            try await stores.remove(id, into: other, revision: revision, by: request.member)
        } refused: { error in
            try await store(request, id, refused: error, chosen: other?.description)
        }
    }

    private func removeCategory(_ request: MemberRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        let revision = try request.form.revision()
        let other: CategoryID? = try Self.other(request.form["other-category"])
        return try await answer(isMerge: other != nil) {
            try await categories.remove(id, into: other, revision: revision, by: request.member)
        } refused: { error in
            try await category(request, id, refused: error, chosen: other?.description)
        }
    }

    // MARK: Parts

    /// - Throws: `Refusal.badRequest` for what our own form never sends.
    private static func other<Tag>(_ text: String?) throws -> Identifier<Tag>? {
        guard let text, !text.isEmpty else { return nil }
        guard let id = Identifier<Tag>(text) else { throw Refusal.badRequest }
        return id
    }

    private func answer(
        isMerge: Bool, _ remove: () async throws -> Void, refused: (any Error) async throws -> Response
    ) async throws -> Response {
        do {
            try await remove()
            return .redirect(to: "/settings/catalogue").flashing(Flash(isMerge ? "merged" : "removed"))
        } catch is Ended {
            return .redirect(to: "/settings/catalogue").flashing(Flash("already"))
        } catch  where error is RemovalError || error is Conflict {
            return try await refused(error)
        }
    }

    private func store(
        _ request: MemberRequest, _ id: StoreID, refused error: (any Error)? = nil, chosen: String? = nil
    ) async throws -> Response {
        let catalogue = try await queries.load(request.member, page.texts[request.language])
        let entry = catalogue.stores.first { $0.id == id.description }
        return try response(request, entry, among: catalogue.stores, field: "other-store", error, chosen)
    }

    private func category(
        _ request: MemberRequest, _ id: CategoryID, refused error: (any Error)? = nil, chosen: String? = nil
    ) async throws -> Response {
        let catalogue = try await queries.load(request.member, page.texts[request.language])
        let entry = catalogue.categories.first { $0.id == id.description }
        return try response(request, entry, among: catalogue.categories, field: "other-category", error, chosen)
    }

    private func response(
        _ request: MemberRequest, _ entry: CatalogueEntry?, among all: [CatalogueEntry], field: String,
        _ error: (any Error)?, _ chosen: String?
    ) throws -> Response {
        guard let entry else { throw Refusal.notFound }
        let words = entryPage.texts[request.language]
        let problem = error.map { error in
            switch error as? RemovalError {
            case .inUse: Problem(title: words["server.catalogue.used"], text: words["server.catalogue.used-text"])
            case .booksDeposits:
                Problem(title: words["server.catalogue.deposits"], text: words["server.catalogue.deposits-text"])
            case nil:
                Problem(title: words["server.form.changed"], text: words["server.form.changed-text"])
            }
        }
        let status: Status =
            switch error {
            case nil: .ok
            case is Conflict: .conflict
            default: .unprocessableContent
            }
        return entryPage.response(
            CatalogueEntryPage(
                entry: entry,
                others: all.filter { $0.id != entry.id }.map {
                    CatalogueEntryPage.Other(id: $0.id, name: $0.name, isChosen: $0.id == chosen)
                }, field: field, problem: problem),
            for: request, status: status)
    }
}
