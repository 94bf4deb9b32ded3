import Domain
import HTTP
import Templates

/// The page of a product: its current price, its price history, its comparison.
struct ProductPageController: Sendable {
    private let database: Database
    private let edits: ProductEdits
    private let page: View<ProductPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = ProductEdits(database: database)
        page = try views.page("products/show", ProductPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(
            .get, "/products/{product}", "ProductPageController.show", edits.redirectsForEndedProducts.wrap(show))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let skipped = request.head.query("after").flatMap { Int($0) }.map { min(max($0, 0), 1_000_000) } ?? 0
        let product = try await StoredProduct.find(
            try request.identifier("product"), request.member, database, for: .prices(skipped: skipped))
        let words = page.words(request)
        let prices = ShownPrice.list(
            product.prices.prefix(StoredProduct.pageSize), naming: product.naming, language: request.language)
        let model = ProductPage(
            product: product, prices: prices,
            // Later pages, with older prices, show only the table.
            chart: skipped == 0
                ? PriceChart(
                    prices, hasSizes: product.packages.count > 1, words: words, language: request.language) : nil,
            days: page.days(request), skipped: skipped,
            canEdit: request.member.role >= .member)
        return page.response(model, for: request)
    }
}
