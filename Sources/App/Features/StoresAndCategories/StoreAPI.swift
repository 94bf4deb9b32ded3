import Domain
import HTTP
import JSON
import Templates

/// Lists, renames, removes and merges stores and categories in the API, and adds categories.
struct StoreAPI: Sendable {
    private let queries: StoresAndCategoriesQueries
    private let stores: StoreRemoval
    private let categories: CategoryRemoval
    private let edits: CategoryEdits
    private let storeEdits: StoreEdits
    private let texts: Texts

    init(_ database: Database, _ views: Views) {
        queries = StoresAndCategoriesQueries(database: database)
        stores = StoreRemoval(database: database)
        categories = CategoryRemoval(database: database)
        edits = CategoryEdits(database: database)
        storeEdits = StoreEdits(database: database)
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/stores", "StoreAPI.listStores", scope: .read, listStores)
        try routes.client(.get, "/api/v1/stores/{store}", "StoreAPI.showStore", scope: .read, showStore)
        try routes.client(.patch, "/api/v1/stores/{store}", "StoreAPI.renameStore", scope: .write, renameStore)
        try routes.client(
            .post, "/api/v1/stores/{store}/removal", "StoreAPI.removeStore", scope: .write, removeStore)
        try routes.client(.get, "/api/v1/categories", "StoreAPI.listCategories", scope: .read, listCategories)
        try routes.client(.post, "/api/v1/categories", "StoreAPI.addCategory", scope: .write, addCategory)
        let category = "/api/v1/categories/{category}"
        try routes.client(.get, category, "StoreAPI.showCategory", scope: .read, showCategory)
        try routes.client(.patch, category, "StoreAPI.renameCategory", scope: .write, renameCategory)
        try routes.client(
            .post, "\(category)/removal", "StoreAPI.removeCategory", scope: .write, removeCategory)
    }

    private func listStores(_ request: ClientRequest) async throws -> Response {
        let entries = try await entries(request).stores
        return request.answer(list: "stores", next: nil) { json in for entry in entries { Self.write(entry, &json) } }
    }

    private func listCategories(_ request: ClientRequest) async throws -> Response {
        let entries = try await entries(request).categories
        return request.answer(list: "categories", next: nil) { json in
            for entry in entries { Self.write(entry, &json) }
        }
    }

    private func showStore(_ request: ClientRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        return request.answer(try Self.find(id.description, in: try await entries(request).stores))
    }

    private func renameStore(_ request: ClientRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        let stored = try Self.find(id.description, in: try await entries(request).stores)
        try request.requireMatch(stored.revision)
        var fields = JSONFields(try request.object())
        let name = fields.requiredText("name", 1...TextLimit.storeName)
        try fields.finish()
        try await storeEdits.rename(id, to: name, revision: stored.revision, by: request.member)
        return request.answer(try Self.find(id.description, in: try await entries(request).stores))
    }

    private func showCategory(_ request: ClientRequest) async throws -> Response {
        try await answer(try request.identifier("category"), request)
    }

    private func addCategory(_ request: ClientRequest) async throws -> Response {
        var fields = JSONFields(try request.object())
        let name = fields.requiredText("name", 1...TextLimit.categoryName)
        let parent: CategoryID? = fields.identifier("parent_id")
        if let parent, try await !entries(request).categories.contains(where: { $0.id == parent.description }) {
            fields.refuse("parent_id", "is not a category of this household")
        }
        try fields.finish()
        let id = try await request.writingOnce {
            try await edits.add(name, below: parent, form: nil, by: request.member)
        }
        var response = try await answer(id, request, status: .created)
        response.headers[.location] = "/api/v1/categories/\(id)"
        return response
    }

    private func renameCategory(_ request: ClientRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        let stored = try Self.find(id.description, in: try await entries(request).categories)
        try request.requireMatch(stored.revision)
        var fields = JSONFields(try request.object())
        let name = fields.requiredText("name", 1...TextLimit.categoryName)
        try fields.finish()
        try await edits.rename(id, to: name, revision: stored.revision, by: request.member)
        return try await answer(id, request)
    }

    private func removeStore(_ request: ClientRequest) async throws -> Response {
        let id: StoreID = try request.identifier("store")
        let stored = try Self.find(id.description, in: try await entries(request).stores)
        try request.requireMatch(stored.revision)
        try await stores.remove(
            id, into: try Self.other(request, than: id), revision: stored.revision, by: request.member)
        return Response(.noContent)
    }

    private func removeCategory(_ request: ClientRequest) async throws -> Response {
        let id: CategoryID = try request.identifier("category")
        let stored = try Self.find(id.description, in: try await entries(request).categories)
        try request.requireMatch(stored.revision)
        try await categories.remove(
            id, into: try Self.other(request, than: id), revision: stored.revision, by: request.member)
        return Response(.noContent)
    }

    // MARK: Parts

    private func answer(_ id: CategoryID, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        request.answer(try Self.find(id.description, in: try await entries(request).categories), status: status)
    }

    private func entries(
        _ request: ClientRequest
    ) async throws -> (stores: [StoreOrCategory], categories: [StoreOrCategory]) {
        try await queries.load(request.member, texts[request.language])
    }

    private static func find(_ id: String, in entries: [StoreOrCategory]) throws -> StoreOrCategory {
        guard let entry = entries.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return entry
    }

    /// The target of a merge from the member `into`; nil to remove an unused store or category.
    private static func other<Tag>(_ request: ClientRequest, than id: Identifier<Tag>) throws -> Identifier<Tag>? {
        var fields = JSONFields(try request.object())
        let other: Identifier<Tag>? = fields.identifier("into")
        if other == id { fields.refuse("into", "must be another store or category") }
        try fields.finish()
        return other
    }

    fileprivate static func write(_ entry: StoreOrCategory, _ json: inout JSONWriter) {
        json.object { json in
            json.member("id", entry.id)
            json.member("revision", entry.revision)
            json.member("name", entry.name)
            json.member("is_used", entry.isUsed)
            if let colour = entry.colour { json.member("colour", colour) }
            if let split = entry.split { write(split, &json) }
        }
    }

    private static func write(_ split: CategorySplit, _ json: inout JSONWriter) {
        json.member("split", split.method.rawValue)
        json.array("shares") { json in
            for (person, weight) in split.weights.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("person_id", person.description)
                    json.member("weight", weight)
                }
            }
        }
    }
}

extension ClientRequest {
    fileprivate func answer(_ entry: StoreOrCategory, status: Status = .ok) -> Response {
        var json = JSONWriter()
        StoreAPI.write(entry, &json)
        // `is_used` can change without a new revision.
        return answer(json, revision: entry.revision, status: status, mayAnswerNotModified: false)
    }
}
