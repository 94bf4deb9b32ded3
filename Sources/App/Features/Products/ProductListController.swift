import Domain
import HTTP
import Templates

/// The list of products.
struct ProductListController: Sendable {
    private let queries: ProductListQueries
    private let page: View<ProductListPage>

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        queries = ProductListQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        page = try views.page("products/index", ProductListPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/products", "ProductListController.list", list)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let filter = ProductFilter(request.head)
        let result = try await queries.list(filter, request.member)
        let language = request.language
        let days = page.days(request)
        let shown = result.products.prefix(ProductListQueries.pageSize)
        let model = ProductListPage(
            filter: ProductListPage.FilterModel(
                filter: filter, categories: result.categories.options(filter.category, language),
                chains: result.naming.all.map {
                    Choice(value: $0.chain, label: $0.name, isSelected: $0.chain == filter.chain)
                }),
            products: shown.map { product in
                ProductListPage.Row(
                    product: product, colour: result.categories.colour(product.category),
                    chainName: result.naming.chain(product.chain), days: days)
            },
            hasAny: result.hasAny, isCorrected: result.isCorrected && !shown.isEmpty,
            newNames: WaitingCount(names: result.waiting),
            moreHref: result.products.count > shown.count ? filter.href(after: shown.count) : nil)
        return page.response(model, for: request)
    }
}
