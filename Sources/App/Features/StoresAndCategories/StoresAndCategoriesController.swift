import Domain
import HTTP
import Templates

/// The pages of a household's stores and categories. They add categories, and rename, remove and merge stores and
/// categories.
struct StoresAndCategoriesController: Sendable {
    private let queries: StoresAndCategoriesQueries
    private let stores: StoreRemoval
    private let categories: CategoryRemoval
    private let edits: CategoryEdits
    private let storeEdits: StoreEdits
    private let splits: SplitEdits
    private let page: View<StoresAndCategoriesPage>
    private let entryPage: View<StoreOrCategoryPage>

    init(_ database: Database, _ views: Views) throws {
        queries = StoresAndCategoriesQueries(database: database)
        stores = StoreRemoval(database: database)
        categories = CategoryRemoval(database: database)
        edits = CategoryEdits(database: database)
        storeEdits = StoreEdits(database: database)
        splits = SplitEdits(database: database)
        page = try views.page("stores-and-categories/index", StoresAndCategoriesPage.self)
        entryPage = try views.page("stores-and-categories/entry", StoreOrCategoryPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/stores-and-categories", "StoresAndCategoriesController.show", show)
        let list = "/settings/stores-and-categories"
        let storeRedirects = EndedDocument<IdentifierTag.Store>(
            "store", list: list, Flash("store-ended"), queries.database)
        let categoryRedirects = EndedDocument<IdentifierTag.Category>(
            "category", list: list, Flash("category-ended"), queries.database)
        try routes.member(
            .get, "/settings/stores/{store}", "StoresAndCategoriesController.showStore", storeRedirects.wrap(showStore))
        try routes.member(.post, "/settings/stores/{store}", "StoresAndCategoriesController.renameStore", renameStore)
        try routes.member(
            .post, "/settings/stores/{store}/removal", "StoresAndCategoriesController.removeStore", removeStore)
        try routes.member(.post, "/settings/categories", "StoresAndCategoriesController.addCategory", addCategory)
        try routes.member(
            .get, "/settings/categories/{category}", "StoresAndCategoriesController.showCategory",
            categoryRedirects.wrap(showCategory))
        try routes.member(
            .post, "/settings/categories/{category}", "StoresAndCategoriesController.renameCategory", renameCategory)
        try routes.member(
            .post, "/settings/categories/{category}/removal", "StoresAndCategoriesController.removeCategory",
            removeCategory)
        try routes.member(
            .post, "/settings/categories/{category}/split/removal", "StoresAndCategoriesController.removeSplit",
            removeSplit)
    }

    private func show(_ request: MemberRequest) async throws -> Response { try await list(request) }

    private func showStore(_ request: MemberRequest) async throws -> Response {
        try await store(request, try request.identifier("store"))
    }

    private func showCategory(_ request: MemberRequest) async throws -> Response {
        try await category(request, try request.identifier("category"))
    }

    private func renameStore(_ request: MemberRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        return try await rename(
            request, limit: TextLimit.storeName, taken: "server.places.store-taken", gone: "store-gone"
        ) {
            try await storeEdits.rename(id, to: $0, revision: $1, by: request.member)
        } refused: { name, sentence, conflict in
            try await store(request, id, refused: conflict, typed: name, sentence: sentence)
        }
    }

    private func removeStore(_ request: MemberRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        let revision = try request.form.revision()
        let other: StoreID? = try Self.selectedIdentifier(request.form["other-store"])
        return try await answer(isMerge: other != nil) {
            try await stores.remove(id, into: other, revision: revision, by: request.member)
        } refused: { error in
            try await store(request, id, refused: error, chosen: other?.description)
        }
    }

    private func removeCategory(_ request: MemberRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        let revision = try request.form.revision()
        let other: CategoryID? = try Self.selectedIdentifier(request.form["other-category"])
        return try await answer(isMerge: other != nil) {
            try await categories.remove(id, into: other, revision: revision, by: request.member)
        } refused: { error in
            try await category(request, id, refused: error, chosen: other?.description)
        }
    }

    private func addCategory(_ request: MemberRequest) async throws -> Response {
        let name = request.form.trimmed("name") ?? ""
        let parent: CategoryID? = try Self.selectedIdentifier(request.form["category"])
        let words = page.texts[request.language]
        if let sentence = TextLimit.problem(name, TextLimit.categoryName, words) {
            return try await list(request, name: name, parent: parent, error: sentence)
        }
        do {
            try await edits.add(name, below: parent, form: request.sentForm, by: request.member)
        } catch is RepeatedForm {
            // The same form was sent before and has added the category.
        } catch is NameTaken {
            return try await list(request, name: name, parent: parent, error: words["server.form.name-taken"])
        }
        return .redirect(to: "/settings/stores-and-categories").flashing(Flash("saved"))
    }

    private func renameCategory(_ request: MemberRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        return try await rename(
            request, limit: TextLimit.categoryName, taken: "server.form.name-taken", gone: "category-gone"
        ) {
            try await edits.rename(id, to: $0, revision: $1, by: request.member)
        } refused: { name, sentence, conflict in
            try await category(request, id, refused: conflict, typed: name, sentence: sentence)
        }
    }

    /// - Parameters:
    ///   - taken: The key of the error message for a name that another entry has.
    ///   - gone: The message if the entry does not exist any more.
    ///   - change: Stores the name. Its second argument is the revision that the page showed.
    ///   - refused: Shows the page again with the typed name and an error message or a conflict.
    private func rename(
        _ request: MemberRequest, limit: Int, taken: String, gone: String,
        _ change: (String, Int64) async throws -> Void,
        refused: (String, String?, Conflict?) async throws -> Response
    ) async throws -> Response {
        let name = request.form.trimmed("name") ?? ""
        let revision = try request.form.revision()
        let words = entryPage.texts[request.language]
        if let sentence = TextLimit.problem(name, limit, words) { return try await refused(name, sentence, nil) }
        do {
            try await change(name, revision)
        } catch is NameTaken {
            return try await refused(name, words[taken], nil)
        } catch let conflict as Conflict {
            return try await refused(name, nil, conflict)
        } catch is AlreadyDeleted {
            return .redirect(to: "/settings/stores-and-categories").flashing(Flash(gone))
        }
        return .redirect(to: "/settings/stores-and-categories").flashing(Flash("saved"))
    }

    private func removeSplit(_ request: MemberRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        do {
            try await splits.removeDefault(of: id, by: request.member)
        } catch is AlreadyDeleted {
            return .redirect(to: "/settings/stores-and-categories").flashing(Flash("category-gone"))
        }
        return .redirect(to: "/settings/categories/\(id)").flashing(Flash("saved"))
    }

    // MARK: Parts

    /// Shows the list.
    ///
    /// - Parameter error: the message at the name of a new category that was refused.
    private func list(
        _ request: MemberRequest, name: String = "", parent: CategoryID? = nil, error: String? = nil
    ) async throws -> Response {
        let entries = try await queries.load(request.member, page.texts[request.language])
        var errors = FieldErrors()
        errors["name"] = error
        let model = StoresAndCategoriesPage(
            stores: entries.stores, categories: entries.categories, name: name, parent: parent, errors: errors)
        return page.response(model, for: request, status: error == nil ? .ok : .unprocessableContent)
    }

    /// Parses the identifier in a select box; nil if none is selected.
    ///
    /// - Throws: `Refusal.badRequest` for a value that is not an identifier.
    private static func selectedIdentifier<Tag>(_ text: String?) throws -> Identifier<Tag>? {
        guard let text, !text.isEmpty else { return nil }
        guard let id = Identifier<Tag>(text) else { throw Refusal.badRequest }
        return id
    }

    /// Runs a removal and redirects to the list. If the removal fails, `refused` shows the page again.
    private func answer(
        isMerge: Bool, _ remove: () async throws -> Void, refused: (any Error) async throws -> Response
    ) async throws -> Response {
        do {
            try await remove()
            return .redirect(to: "/settings/stores-and-categories").flashing(Flash(isMerge ? "merged" : "removed"))
        } catch is AlreadyDeleted {
            return .redirect(to: "/settings/stores-and-categories").flashing(Flash("already"))
        } catch  where error is RemovalError || error is Conflict {
            return try await refused(error)
        }
    }

    /// Shows the page of a store.
    ///
    /// - Parameters:
    ///   - typed: the name in a refused form.
    ///   - sentence: the error message at the name.
    private func store(
        _ request: MemberRequest, _ id: StoreID, refused error: (any Error)? = nil, chosen: String? = nil,
        typed: String? = nil, sentence: String? = nil
    ) async throws -> Response {
        let entries = try await queries.load(request.member, page.texts[request.language])
        let entry = entries.stores.first { $0.id == id.description }
        return try await response(
            request, entry, among: entries.stores, field: "other-store", error, chosen, typed: typed, sentence: sentence
        )
    }

    /// Shows the page of a category. The parameters are those of `store`.
    private func category(
        _ request: MemberRequest, _ id: CategoryID, refused error: (any Error)? = nil, chosen: String? = nil,
        typed: String? = nil, sentence: String? = nil
    ) async throws -> Response {
        let entries = try await queries.load(request.member, page.texts[request.language])
        let entry = entries.categories.first { $0.id == id.description }
        return try await response(
            request, entry, among: entries.categories, field: "other-category", error, chosen, typed: typed,
            sentence: sentence)
    }

    private func response(
        _ request: MemberRequest, _ entry: StoreOrCategory?, among all: [StoreOrCategory], field: String,
        _ error: (any Error)?, _ chosen: String?, typed: String? = nil, sentence: String? = nil
    ) async throws -> Response {
        guard let entry else { throw Refusal.notFound }
        let words = entryPage.texts[request.language]
        let problem = error.map { error in
            switch error as? RemovalError {
            case .inUse: Problem(title: words["server.places.used"], text: words["server.places.used-text"])
            case .isDepositCategory:
                Problem(title: words["server.places.deposits"], text: words["server.places.deposits-text"])
            case nil: Problem.changed(words)
            }
        }
        let status: Status =
            switch error {
            case nil: sentence == nil ? .ok : .unprocessableContent
            case is Conflict: .conflict
            default: .unprocessableContent
            }
        var errors = FieldErrors()
        errors["name"] = sentence
        let shownRevision = try sentence == nil ? nil : request.form.optionalRevision()
        return entryPage.response(
            StoreOrCategoryPage(
                entry: entry, name: typed ?? entry.ownName ?? entry.name, shownRevision: shownRevision,
                errors: errors,
                others: all.filter { $0.id != entry.id }.map {
                    StoreOrCategoryPage.MergeTarget(id: $0.id, name: $0.name, isChosen: $0.id == chosen)
                }, field: field, problem: problem, split: try await split(of: entry, request)),
            for: request, status: status)
    }

    private func split(of entry: StoreOrCategory, _ request: MemberRequest) async throws -> DefaultSplit? {
        guard let split = entry.split else { return nil }
        return DefaultSplit(
            split: split, people: try await queries.people(of: split, request.household),
            removal: "\(entry.href)/split/removal", words: entryPage.words(request), language: request.language)
    }
}
