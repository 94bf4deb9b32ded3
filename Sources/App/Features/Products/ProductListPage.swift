import Domain
import Templates

/// The model of the view `products/index`: the list of products.
struct ProductListPage: PageModel {
    let filter: FilterModel
    let products: [Row]
    let hasAny: Bool
    let isCorrected: Bool
    let newNames: WaitingCount?
    let moreHref: String?

    static let fields = Fields<Self> { f in
        f.flag("isEmpty") { !$0.hasAny }
        f.flag("hasProducts") { !$0.products.isEmpty }
        f.flag("correctedSearch") { $0.isCorrected }
        f.model("filter") { $0.filter }
        f.list("products") { $0.products }
        f.optional("newNames") { $0.newNames }
        f.optionalText("moreHref") { $0.moreHref }
    }

    struct FilterModel: PageModel {
        let filter: ProductFilter
        let categories: [Choice]
        let chains: [Choice]

        static let fields = Fields<Self> { f in
            f.text("search") { $0.filter.search }
            f.flag("isActive") { $0.filter.isActive }
            f.list("categories") { $0.categories }
            f.list("chains") { $0.chains }
            f.model("sort") { Sort(order: $0.filter.order) }
        }
    }

    struct Sort: PageModel {
        let order: ProductFilter.Order

        static let fields = Fields<Self> { f in
            f.flag("isRecent") { $0.order == .recent }
            f.flag("isName") { $0.order == .name }
            f.flag("isRise") { $0.order == .rise }
        }
    }

    struct Row: PageModel {
        let product: ListedProduct
        let colour: String
        let chainName: String
        let days: DayText

        static let fields = Fields<Self> { f in
            f.text("href") { "/products/\($0.product.id)" }
            f.text("name") { $0.product.name }
            f.text("colour") { $0.colour }
            f.text("chainName") { $0.chainName }
            f.text("price") { $0.product.newest?.regular.shown($0.days.language) ?? "–" }
            f.optionalText("paid") { row in
                row.product.newest.flatMap { $0.isOffer ? $0.paid.shown(row.days.language) : nil }
            }
            f.optionalText("basePrice") { $0.product.newest?.shownBase($0.days.language) }
            f.text("lastSeen") { row in
                row.product.newest.map { row.days.day($0.day) } ?? row.days.words["server.never-bought"]
            }
            f.optional("change") { $0.product.change($0.days, showsDay: true) }
        }
    }
}
