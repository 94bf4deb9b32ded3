import Domain
import HTTP
import Templates

/// The comparison: goods by store, the newest price each, the cheapest marked.
struct CompareController: Sendable {
    private let queries: CompareQueries
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let page: View<ComparePage>

    /// Columns; stores with fewer prices are left out. So many fit beside each other on a desktop.
    private static let mostStores = 8
    /// Goods on one page.
    private static let pageSize = 25

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.catalogues = catalogues
        self.slowWork = slowWork
        queries = CompareQueries(database: database)
        page = try views.page("compare/index", ComparePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/compare", "CompareController.show", show)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let result = try await queries.load(request.member)
        let household = try await catalogues.load(request.household)
        let proposals = try await household.proposals(slowWork)
        let language = request.language
        let today = WallClock.today()
        let days = DayText(words: page.words(request), language: language, today: today)
        let prices = Dictionary(grouping: result.prices, by: \.group)
        let names = Dictionary(result.prices.map { ($0.product, $0.productName) }) { first, _ in first }
        let filter = CompareFilter(request.head)
        let wanted = try await narrowed(result, filter, household)
        let rows = wanted.dropFirst(filter.skipped).prefix(Self.pageSize).map { group in
            let observations = (prices[group.id] ?? []).compactMap { row in
                row.price?.observation(of: row.product)
            }
            return (group, PriceComparison(observations: observations, baseUnit: group.unit.unit, asOf: today).cells)
        }
        let stores = columns(rows.flatMap(\.1), household.naming)
        let groups = rows.map { group, cells in
            ComparePage.Group(
                id: group.id, name: group.name, unitLabel: Self.label(result.currency, group.unit, language),
                cells: stores.map { store, name in
                    ComparePage.Cell(
                        storeName: name,
                        known: cells.first { $0.observation.store == store }.map {
                            .init(cell: $0, productName: names[$0.observation.product] ?? "", days: days)
                        })
                }, isBare: cells.isEmpty)
        }
        let left = wanted.count - filter.skipped - rows.count
        let model = ComparePage(
            problem: nil, unnamed: Waiting(names: result.names),
            suggestions: suggestions(proposals, household, result.currency, language),
            stores: stores.map { ComparePage.Store(name: $0.1) }, groups: groups,
            filter: ComparePage.FilterModel(
                filter: filter, categories: household.categories.options(filter.category, language)),
            hasAny: !result.groups.isEmpty, moreHref: left > 0 ? filter.href(after: rows.count) : nil)
        return page.response(model, for: request)
    }

    /// The goods that were asked for: those found best first, else by name.
    private func narrowed(
        _ result: CompareQueries.Result, _ filter: CompareFilter, _ household: HouseholdCatalogue
    ) async throws -> [CompareQueries.Group] {
        var groups = result.groups
        if let category = filter.category {
            groups = groups.filter { group in
                guard let own = household.groups[group.id]?.category else { return false }
                return own == category || household.categories.top(own) == category
            }
        }
        guard !filter.search.isEmpty else { return groups }
        let names =
            groups.map { (id: $0.id, name: $0.name) } + result.prices.map { (id: $0.group, name: $0.productName) }
        let hits = try await slowWork.run { NameSearch(names).find(filter.search, limit: names.count) }
        let byID = Dictionary(groups.map { ($0.id, $0) }) { first, _ in first }
        return hits.compactMap { byID[$0.id] }
    }

    /// The stores that sell most of the goods, by name.
    private func columns(_ cells: [PriceComparison.Cell], _ naming: Naming) -> [(StoreID, String)] {
        Dictionary(grouping: cells, by: \.observation.store)
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(Self.mostStores)
            .map { ($0.key, naming.store($0.key)) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    /// `€/kg`, `CHF/l`.
    private static func label(_ currency: Currency, _ unit: StoredUnit, _ language: Language) -> String {
        "\(currency.symbol)/\(unit.unit.symbol(language))"
    }

    private func suggestions(
        _ proposals: [GroupProposal], _ household: HouseholdCatalogue, _ currency: Currency, _ language: Language
    ) -> [ComparePage.Suggested] {
        proposals.map { proposal in
            let unit = StoredUnit(proposal.baseUnit)
            return ComparePage.Suggested(
                name: proposal.name.cut(to: TextLimit.groupName), unit: unit,
                unitLabel: Self.label(currency, unit, language),
                productNames: proposal.products.compactMap { id in
                    household.products[id].map { "\($0.name) (\(household.naming.chain($0.chain)))" }
                }.joined(separator: ", "),
                products: proposal.products)
        }
    }
}
