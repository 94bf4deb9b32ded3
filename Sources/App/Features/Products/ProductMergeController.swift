import Domain
import HTTP
import Postgres
import Templates

/// Merges a product into another product that a person chooses on the page.
struct ProductMergeController: Sendable {
    private let database: Database
    private let queries: ProductListQueries
    private let edits: ProductEdits
    private let page: View<ProductMergePage>

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.database = database
        queries = ProductListQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        edits = ProductEdits(database: database)
        page = try views.page("products/merge", ProductMergePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(
            .get, "/products/{product}/merge", "ProductMergeController.show", role: .member,
            edits.redirectsForEndedProducts.wrap(show))
        try routes.member(.post, "/products/{product}/merge", "ProductMergeController.merge", merge)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        try await response(request, problem: nil)
    }

    private func merge(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        guard let other = ProductID(try request.form.required("into")), other != id else { throw Refusal.badRequest }
        let revision = try request.form.revision()
        do {
            try await edits.merge(id, into: other, revision: revision, by: request.member)
        } catch is AlreadyDeleted {
            guard let ended = try await edits.endedProduct(id, request.household) else { throw Refusal.notFound }
            if case .merged(let remaining) = ended, remaining == other {
                return .redirect(to: "/products/\(other)").flashing(Flash("already"))
            }
            return ended.response(to: request.head)
        } catch is Conflict {
            let changed = Problem.changed(page.texts[request.language])
            return try await response(request, problem: changed, status: .conflict)
        } catch is ProductEdits.OtherChain {
            let words = page.texts[request.language]
            return try await response(
                request,
                problem: Problem(title: words["server.form.other-chain"], text: words["server.form.other-chain-text"]),
                status: .unprocessableContent)
        }
        return .redirect(to: "/products/\(other)").flashing(Flash("merged"))
    }

    private func response(
        _ request: MemberRequest, problem: Problem?, status: Status = .ok
    ) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        let household = request.household
        guard
            let (name, chain, revision) = try await database.read(
                household, "SELECT name, chain, revision FROM product WHERE household_id = \(household) AND id = \(id)"
            ).first((String, String, Int64).self)
        else { throw Refusal.notFound }
        // The search results; without a search, products with similar names.
        let search = request.head.queryText("search", limit: TextLimit.search)
        var found: [ProductID] = []
        if search.isEmpty {
            let words = name.split(separator: " ").filter { $0.count > 2 }.prefix(4).map(String.init)
            for hits in try await queries.search(words, household, chain: chain) {
                for hit in hits.prefix(10) where hit.id != id && !found.contains(hit.id) { found.append(hit.id) }
            }
        } else {
            found = try await queries.search(search, household, chain: chain).map(\.id).filter { $0 != id }
        }
        let candidates = try await queries.products([id] + found.prefix(20), request.member)
        let mergedProduct = candidates.products.first { $0.id == id }
        let days = page.days(request)
        let model = ProductMergePage(
            id: id, name: name, chainName: candidates.naming.chain(chain), revision: revision, search: search,
            problem: problem,
            candidates: candidates.products.filter { $0.id != id }.map { product in
                ProductMergePage.Candidate(
                    product: product,
                    doubts: MergeDoubt.doubts(
                        mergedProduct?.mergeProperties(candidates.categories),
                        product.mergeProperties(candidates.categories)),
                    colour: candidates.categories.colour(product.category),
                    chainName: candidates.naming.chain(product.chain), days: days)
            })
        return page.response(model, for: request, status: status)
    }
}

/// The model of the view `products/merge`: choosing the product into which this product is merged.
struct ProductMergePage: PageModel {
    let id: ProductID
    let name: String
    let chainName: String
    let revision: Int64
    let search: String
    let problem: Problem?
    let candidates: [Candidate]

    static let fields = Fields<Self> { f in
        f.text("href") { "/products/\($0.id)" }
        f.text("revision") { String($0.revision) }
        f.optional("problem") { $0.problem }
        f.text("name") { $0.name }
        f.text("chainName") { $0.chainName }
        f.text("search") { $0.search }
        f.flag("isSearched") { !$0.search.isEmpty }
        f.flag("hasCandidates") { !$0.candidates.isEmpty }
        f.list("candidates") { $0.candidates }
    }

    struct Candidate: PageModel {
        let product: ListedProduct
        /// The reasons why the candidate may be a different product.
        let doubts: [MergeDoubt]
        let colour: String
        let chainName: String
        let days: DayText

        static let fields = Fields<Self> { f in
            f.text("id") { $0.product.id.description }
            f.text("productName") { $0.product.name }
            f.text("colour") { $0.colour }
            f.text("chainName") { $0.chainName }
            f.text("price") { $0.product.newest?.regular.shown($0.days.language) ?? "–" }
            f.optionalText("doubt") { row in
                row.doubts.isEmpty
                    ? nil
                    : row.doubts.map { row.days.words["server.merge-doubt.\($0.rawValue)"] }.joined(separator: " ")
            }
            f.text("lastSeen") { row in
                row.product.newest.map { row.days.day($0.day) } ?? row.days.words["server.never-bought"]
            }
        }
    }
}
