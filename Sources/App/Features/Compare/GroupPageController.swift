import Domain
import HTTP
import Postgres
import Templates

/// The page of one comparison: prices by store, and their history.
struct GroupPageController: Sendable {
    private let catalogues: HouseholdCatalogues
    private let queries: CompareQueries
    private let edits: GroupEdits
    private let page: View<GroupHistoryPage>

    init(_ database: Database, _ catalogues: HouseholdCatalogues, _ views: Views) throws {
        self.catalogues = catalogues
        queries = CompareQueries(database: database)
        edits = GroupEdits(database: database)
        page = try views.page("compare/show", GroupHistoryPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(
            .get, "/compare/groups/{group}", "GroupPageController.show", edits.redirectsForEndedGroups.wrap(show))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let id: ComparisonGroupID = try request.identifier("group")
        let household = try await catalogues.load(request.household)
        guard let group = household.groups[id] else { throw Refusal.notFound }
        let words = page.words(request)
        let days = page.days(request)
        let products = household.productsByGroup[id] ?? []
        let (currency, newest, history) = try await queries.comparison(products, request.household)
        let compared = ComparedPrices([id], newest, currency, household, today: days.today)
        let prices = history.filter { _, price in
            price.base?.unit == group.unit.unit.base && price.regular.currency == currency && price.day <= days.today
        }
        let shown = ShownPrice.list(prices.map(\.1), naming: household.naming, language: request.language)
        let model = GroupHistoryPage(
            id: id, name: words.groupName(group.name, group.unit, request.language),
            cells: ComparePage.cells(compared.cells[id] ?? [], household, days),
            summary: GroupHistoryPage.summary(compared.cells[id] ?? [], household.naming, days),
            chart: PriceChart(shown, by: .basePrice, words: words, language: request.language),
            prices: zip(prices, shown).map { price, row in
                GroupHistoryPage.Row(
                    price: row, productName: household.products[price.0]?.name ?? "",
                    basePrice: price.1.paidBase?.shownAsBase(request.language) ?? "")
            }, canEdit: request.member.role >= .member)
        return page.response(model, for: request)
    }
}

extension CompareQueries {
    /// Loads the household's currency, and the latest and earlier prices of `products`, in one round trip.
    func comparison(
        _ products: [ProductID], _ household: HouseholdID
    ) async throws -> (currency: Currency, newest: [(ProductID, StoredPrice)], history: [(ProductID, StoredPrice)]) {
        let rows = try await database.read(
            household,
            batch: [
                "SELECT currency FROM household WHERE id = \(household)", Self.newest(products, household),
                Self.history(products, household),
            ])
        return (
            try rows[0].first(Currency.self) ?? .eur, try Self.prices(rows[1]), try Self.prices(rows[2])
        )
    }
}
