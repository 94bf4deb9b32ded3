import Domain
import HTTP
import Templates

/// The list of comparisons, and the page of the usual basket.
struct CompareController: Sendable {
    private let queries: CompareQueries
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let page: View<ComparePage>
    private let basketPage: View<BasketPage>

    /// The number of comparisons on one page.
    private static let pageSize = 20

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.catalogues = catalogues
        self.slowWork = slowWork
        queries = CompareQueries(database: database)
        page = try views.page("compare/index", ComparePage.self)
        basketPage = try views.page("compare/basket", BasketPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/compare", "CompareController.show", show)
        try routes.member(.get, "/compare/basket", "CompareController.basket", basket)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let household = try await catalogues.load(request.household)
        let proposals = try await household.proposals(slowWork)
        let days = page.days(request)
        let facts = try await queries.facts(request.member, today: days.today)
        let filter = CompareFilter(request.head)
        let productsByGroup = household.productsByGroup
        let matching = try await household.groups(filter, slowWork)
        let shown = matching.dropFirst(filter.skipped).prefix(Self.pageSize)
        let basket = UsualBasket(facts.basket, household)
        let groups = Set(shown).union(basket.entries.map(\.group))
        let prices = try await queries.prices(groups.flatMap { productsByGroup[$0] ?? [] }, request.household)
        let compared = ComparedPrices(groups, prices, facts.currency, household, today: days.today)
        let hasMore = matching.count > filter.skipped + shown.count
        let model = ComparePage(
            newNames: WaitingCount(names: facts.newNameCount),
            suggestions: suggestions(proposals, household, facts.currency, request.language),
            basket: BasketLine(basket.comparison(compared.cells, household), household.naming, facts.currency, days),
            groups: shown.compactMap { id in
                household.groups[id].map { group in
                    ComparePage.Group(
                        id: id, name: group.name,
                        unitLabel: Self.unitLabel(facts.currency, group.unit, request.language),
                        cells: ComparePage.cells(compared.cells[id] ?? [], household, days))
                }
            },
            filter: ComparePage.FilterModel(
                filter: filter, categories: household.categories.options(filter.category, request.language)),
            hasAny: !household.groups.isEmpty, hasProducts: !household.products.isEmpty,
            moreHref: hasMore ? filter.href(after: shown.count) : nil)
        return page.response(model, for: request)
    }

    private func basket(_ request: MemberRequest) async throws -> Response {
        let household = try await catalogues.load(request.household)
        let days = basketPage.days(request)
        let facts = try await queries.facts(request.member, today: days.today)
        let basket = UsualBasket(facts.basket, household)
        let productsByGroup = household.productsByGroup
        let groups = basket.entries.map(\.group)
        let prices = try await queries.prices(groups.flatMap { productsByGroup[$0] ?? [] }, request.household)
        let compared = ComparedPrices(groups, prices, facts.currency, household, today: days.today)
        let model = BasketPage(
            basket: basket, cells: compared.cells, household: household, currency: facts.currency, days: days)
        return basketPage.response(model, for: request)
    }

    /// A unit label such as `€/kg` or `CHF/l`.
    static func unitLabel(_ currency: Currency, _ unit: StoredUnit, _ language: Language) -> String {
        "\(currency.symbol)/\(unit.unit.symbolOfOne(language))"
    }

    /// Proposed comparisons of similar products.
    private func suggestions(
        _ proposals: [GroupProposal], _ household: HouseholdCatalogue, _ currency: Currency, _ language: Language
    ) -> [ComparePage.ProposedComparison] {
        proposals.map { proposal in
            let unit = StoredUnit(proposal.baseUnit)
            return ComparePage.ProposedComparison(
                name: proposal.name.cut(to: TextLimit.groupName), unit: unit,
                unitLabel: Self.unitLabel(currency, unit, language),
                productNames: proposal.products.compactMap { id in
                    household.products[id].map { "\($0.name) (\(household.naming.chain($0.chain)))" }
                }.joined(separator: ", "),
                products: proposal.products)
        }
    }
}
