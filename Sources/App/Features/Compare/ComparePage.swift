import Domain
import Templates

/// The model of the view `compare/index`: the list of comparisons.
struct ComparePage: PageModel {
    /// The new names, which are not matched yet; nil if there are none.
    let newNames: WaitingCount?
    let suggestions: [ProposedComparison]
    let basket: BasketLine?
    let groups: [Group]
    let filter: FilterModel
    let hasAny: Bool
    /// Whether the household has products that can be compared.
    let hasProducts: Bool
    let moreHref: String?

    static let fields = Fields<Self> { f in
        f.optional("newNames") { $0.newNames }
        f.flag("hasSuggestions") { !$0.suggestions.isEmpty }
        f.number("suggestionCount") { $0.suggestions.count }
        f.list("suggestions") { $0.suggestions }
        f.optional("basket") { $0.basket }
        f.flag("hasGroups") { !$0.groups.isEmpty }
        f.list("groups") { $0.groups }
        f.model("filter") { $0.filter }
        f.flag("hasAny") { $0.hasAny }
        f.flag("hasProducts") { $0.hasProducts }
        f.number("freshDays") { _ in PriceComparison.freshDays }
        // The comparison uses the prices of offers that are less than this many days old.
        f.number("offerDays") { _ in PriceComparison.offerDays }
        f.optionalText("moreHref") { $0.moreHref }
    }

    struct FilterModel: PageModel {
        let filter: CompareFilter
        let categories: [Choice]

        static let fields = Fields<Self> { f in
            f.text("search") { $0.filter.search }
            f.flag("isActive") { $0.filter.isActive }
            f.list("categories") { $0.categories }
        }
    }

    struct ProposedComparison: PageModel {
        let name: String
        let unit: StoredUnit
        let unitLabel: String
        let productNames: String
        let products: [ProductID]

        struct Member: PageModel {
            let id: ProductID

            static let fields = Fields<Self> { f in
                f.text("id") { $0.id.description }
            }
        }

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("unit") { $0.unit.rawValue }
            f.text("unitLabel") { $0.unitLabel }
            f.text("productNames") { $0.productNames }
            f.list("products") { $0.products.map(Member.init) }
        }
    }

    struct Group: PageModel {
        let id: ComparisonGroupID
        let name: String
        let unitLabel: String
        /// Cheapest first, then outdated prices; empty when no price is in the comparison's unit.
        let cells: [Cell]

        static let fields = Fields<Self> { f in
            f.flag("hasNoPrices") { $0.cells.isEmpty }
            f.number("storeCount") { $0.cells.count }
            f.flag("hasMore") { group in group.cells.contains { !$0.isFirst } }
            f.text("href") { "/compare/groups/\($0.id)" }
            f.text("name") { $0.name }
            f.text("unitLabel") { $0.unitLabel }
            f.list("cells") { $0.cells }
        }
    }

    /// The cells for a page. A phone shows the cheapest cells, or the first cell if none is marked as cheapest. The
    /// other cells can be unfolded.
    static func cells(
        _ cells: [PriceComparison.Cell], _ household: HouseholdCatalogue, _ days: DayText
    ) -> [Cell] {
        let hasCheapest = cells.contains(where: \.isCheapest)
        return cells.enumerated().map { index, cell in
            Cell(
                cell: cell, storeName: household.naming.store(cell.observation.store),
                productName: household.products[cell.observation.product]?.name ?? "", days: days,
                isFirst: hasCheapest ? cell.isCheapest : index == 0)
        }
    }

    /// The model of the partial `parts/store-price`: the latest price in one store.
    struct Cell: PageModel {
        let cell: PriceComparison.Cell
        let storeName: String
        let productName: String
        let days: DayText
        /// Whether a phone shows the cell before the person unfolds the others.
        let isFirst: Bool

        private var basePrice: String { cell.price.shownAsBase(days.language) }

        static let fields = Fields<Self> { f in
            f.text("storeName") { $0.storeName }
            f.text("baseFigure") { String($0.basePrice.prefix { $0 != "/" }) }
            f.text("perUnit") { String($0.basePrice.drop { $0 != "/" }) }
            f.text("price") { row in
                let observation = row.cell.observation
                return (row.cell.isFreshOffer ? observation.paid : observation.regular).shown(row.days.language)
            }
            f.text("productName") { $0.productName }
            f.text("href") { "/products/\($0.cell.observation.product)" }
            f.text("age") { $0.days.age($0.cell.ageInDays) }
            f.flag("isCheapest") { $0.cell.isCheapest }
            f.flag("isFirst") { $0.isFirst }
            f.flag("isOffer") { $0.cell.isFreshOffer }
            f.flag("isOld") { $0.cell.isOld }
        }
    }
}
