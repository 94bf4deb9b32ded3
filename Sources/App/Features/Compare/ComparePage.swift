import Domain
import Templates

/// `compare/index`.
struct ComparePage: PageModel {
    let problem: Problem?
    let unnamed: Waiting?
    let suggestions: [Suggested]
    let stores: [Store]
    let groups: [Group]
    let filter: FilterModel
    let hasAny: Bool
    let moreHref: String?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optional("unnamed") { $0.unnamed }
        f.flag("hasSuggestions") { !$0.suggestions.isEmpty }
        f.number("suggestionCount") { $0.suggestions.count }
        f.list("suggestions") { $0.suggestions }
        f.flag("hasGroups") { !$0.groups.isEmpty }
        f.list("stores") { $0.stores }
        f.list("groups") { $0.groups }
        f.model("filter") { $0.filter }
        f.flag("hasAny") { $0.hasAny }
        f.number("freshDays") { _ in PriceComparison.freshDays }
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

    struct Store: PageModel {
        let name: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
        }
    }

    struct Suggested: PageModel {
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
        let cells: [Cell]
        /// No store has a price in the unit.
        let isBare: Bool

        /// The cheapest stands alone on the phone until the others are asked for.
        init(id: ComparisonGroupID, name: String, unitLabel: String, cells: [Cell], isBare: Bool) {
            self.isBare = isBare
            self.id = id
            self.name = name
            self.unitLabel = unitLabel
            let first =
                cells.firstIndex(where: \.isCheapest) ?? cells.firstIndex { $0.known?.cell.isOld == false }
                ?? cells.firstIndex { $0.known != nil }
            self.cells = cells.enumerated().map { index, cell in
                var cell = cell
                cell.isFirst = index == first
                return cell
            }
        }

        private var knownCells: Int { cells.count { $0.known != nil } }

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.number("knownCount") { $0.knownCells }
            f.flag("isBare") { $0.isBare }
            f.flag("hasSeveral") { $0.knownCells > 1 }
            f.text("href") { "/compare/groups/\($0.id)" }
            f.text("name") { $0.name }
            f.text("unitLabel") { $0.unitLabel }
            f.list("cells") { $0.cells }
        }
    }

    /// One store's newest price of the good; nothing in it when none is known.
    struct Cell: PageModel {
        let storeName: String
        let known: Known?
        var isFirst = false

        private var basePrice: String {
            known.map { $0.cell.price.shownAsBase($0.days.language) } ?? ""
        }

        var isCheapest: Bool { known?.cell.isCheapest ?? false }

        struct Known: Sendable {
            let cell: PriceComparison.Cell
            let productName: String
            let days: DayText
        }

        static let fields = Fields<Self> { f in
            f.text("storeName") { $0.known == nil ? "" : $0.storeName }
            f.flag("isKnown") { $0.known != nil }
            // The unit stands beside the good where the stores stand beside each other.
            f.text("baseFigure") { String($0.basePrice.prefix { $0 != "/" }) }
            f.text("perUnit") { String($0.basePrice.drop { $0 != "/" }) }
            f.text("price") { cell in
                cell.known.map { known in
                    let observation = known.cell.observation
                    return (known.cell.isFreshOffer ? observation.paid : observation.regular)
                        .shown(known.days.language)
                } ?? ""
            }
            f.text("productName") { $0.known?.productName ?? "" }
            f.text("href") { cell in cell.known.map { "/products/\($0.cell.observation.product)" } ?? "" }
            f.text("age") { cell in cell.known.map { $0.days.age($0.cell.ageInDays) } ?? "" }
            f.flag("isCheapest") { $0.isCheapest }
            f.flag("isFirst") { $0.isFirst }
            f.flag("isOffer") { $0.known?.cell.isFreshOffer ?? false }
            f.flag("isOld") { $0.known?.cell.isOld ?? false }
        }
    }
}
