import Domain
import HTTP
import Templates

/// The comparison: goods by store, the newest price each, the cheapest marked.
struct CompareController: Sendable {
    private let queries: CompareQueries
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let page: View<ComparePage>

    /// Columns; stores with fewer prices are left out.
    private static let mostStores = 12

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
        let days = DayText(words: page.texts[language], language: language, today: today)
        let prices = Dictionary(grouping: result.prices, by: \.group)
        let names = Dictionary(result.prices.map { ($0.product, $0.productName) }) { first, _ in first }
        let rows = result.groups.map { group in
            let observations = (prices[group.id] ?? []).compactMap { row in
                row.price?.observation(of: row.product)
            }
            return (group, PriceComparison(observations: observations, baseUnit: group.unit.unit, asOf: today).cells)
        }
        let stores = columns(rows.flatMap(\.1), household.naming)
        let groups = rows.map { group, cells in
            ComparePage.Group(
                id: group.id, name: group.name, unitLabel: "€/\(group.unit.unit.symbol(language))",
                cells: stores.map { store, name in
                    ComparePage.Cell(
                        storeName: name,
                        known: cells.first { $0.observation.store == store }.map {
                            .init(cell: $0, productName: names[$0.observation.product] ?? "", days: days)
                        })
                })
        }
        let model = ComparePage(
            problem: nil, unnamed: Waiting(names: result.names),
            suggestions: suggestions(proposals, household, language),
            stores: stores.map { ComparePage.Store(name: $0.1) }, groups: groups)
        return page.response(model, for: request)
    }

    /// The stores that sell most of the goods, by name.
    private func columns(_ cells: [PriceComparison.Cell], _ naming: Naming) -> [(StoreID, String)] {
        Dictionary(grouping: cells, by: \.observation.store)
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(Self.mostStores)
            .map { ($0.key, naming.store($0.key)) }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    private func suggestions(
        _ proposals: [GroupProposal], _ household: HouseholdCatalogue, _ language: Language
    ) -> [ComparePage.Suggested] {
        proposals.map { proposal in
            let unit = StoredUnit(proposal.baseUnit)
            return ComparePage.Suggested(
                name: proposal.name.cut(to: TextLimit.groupName), unit: unit,
                unitLabel: "€/\(unit.unit.symbol(language))",
                productNames: proposal.products.compactMap { id in
                    household.products[id].map { "\($0.name) (\(household.naming.chain($0.chain)))" }
                }.joined(separator: ", "),
                products: proposal.products)
        }
    }
}
