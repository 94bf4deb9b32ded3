import Domain
import Templates

/// The model of the view `products/show`: the prices of a product. The forms that change it are on `products/edit`.
struct ProductPage: PageModel {
    let product: StoredProduct
    /// Newest first.
    let prices: [ShownPrice]
    let chart: PriceChart?
    let days: DayText
    /// The number of prices on earlier pages.
    let skipped: Int
    let canEdit: Bool

    private var language: Language { days.language }
    private var newest: StoredPrice? { product.newest }
    /// Whether the values above the list are prices or base prices.
    private let measure: PriceMeasure

    init(
        product: StoredProduct, prices: [ShownPrice], chart: PriceChart?, days: DayText, skipped: Int, canEdit: Bool
    ) {
        self.product = product
        self.prices = prices
        self.chart = chart
        self.days = days
        self.skipped = skipped
        self.canEdit = canEdit
        let lastYear = days.today.adding(days: -365)
        let shownPrices = [product.newest, product.earlier, product.yearEarlier, product.cheapest].compactMap { $0 }
        // If there is only one package size and one unit, prices are comparable without base prices.
        measure =
            product.packages.count > 1 || Set(shownPrices.map(\.regular.unit)).count > 1
            ? PriceMeasure(shownPrices + product.prices.lazy.filter { $0.day > lastYear }) : .price
    }

    private func regular(_ price: StoredPrice) -> String { measure.text(measure.regular(price), language) }
    private func paid(_ price: StoredPrice) -> String { measure.text(measure.paid(price), language) }

    static let fields = Fields<Self> { f in
        f.text("name") { $0.product.name }
        f.optionalText("editHref") { $0.canEdit ? "/products/\($0.product.id)/edit" : nil }
        f.text("colour") { $0.product.categories.colour($0.product.category) }
        f.text("categoryName") { page in
            page.product.categories.name(page.product.category, page.language, page.days.words)
        }
        f.text("chainName") { $0.product.naming.chain($0.product.chain) }
        f.optionalText("package") { page in page.package?.size.shownAsPackage(page.language) }
        f.optionalText("shrink") { $0.shrink }
        f.optional("newest") { page in page.newest.map { LatestPrice(price: $0, page: page) } }
        f.optional("cheapest") { page in page.product.cheapest.map { LowestPrice(price: $0, page: page) } }
        f.list("earlier") { $0.earlierPrices }
        f.optional("chart") { $0.chart }
        f.flag("hasPrices") { !$0.prices.isEmpty }
        // Pages of older prices show only the table.
        f.flag("isUnfolded") { $0.skipped > 0 || $0.chart == nil }
        f.list("prices") { $0.prices }
        f.flag("hasBases") { $0.prices.contains { $0.basePrice != nil } }
        f.optionalText("olderHref") { page in
            page.product.prices.count > StoredProduct.pageSize
                ? "/products/\(page.product.id)?after=\(page.skipped + StoredProduct.pageSize)" : nil
        }
        f.optional("group") { page in
            page.product.group.map {
                GroupLink(id: $0.id, name: page.days.words.groupName($0.name, $0.unit, page.language))
            }
        }
    }

    /// The package that is valid today; if there is none, the package with the earliest date.
    private var package: StoredProduct.Package? {
        product.packages.last { $0.from <= days.today } ?? product.packages.first
    }

    /// A sentence that the package became smaller; nil if the package did not become smaller.
    private var shrink: String? {
        guard let now = package, let before = product.packages.last(where: { $0.from < now.from }),
            before.size.unit == now.size.unit, now.size.thousandths < before.size.thousandths,
            // If the current size is also an older size, the sizes alternate: both packages are on sale, and the
            // product did not shrink.
            !product.packages.contains(where: { $0.from < before.from && $0.size.isSameAmount(as: now.size) })
        else { return nil }
        return days.words[
            "server.shrunk",
            [
                "day": .text(now.from.formatted(language)), "new": .text(now.size.shownAsPackage(language)),
                "old": .text(before.size.shownAsPackage(language)),
            ]]
    }

    /// The earlier price that the list of products shows, then the price of about a year ago. Only the first of them if
    /// both are of the same day.
    private var earlierPrices: [EarlierPrice] {
        guard let newest else { return [] }
        let year = product.yearEarlier.flatMap { $0.day == product.earlier?.day ? nil : $0 }
        return [product.earlier, year].compactMap { $0 }.compactMap { earlier in
            Change(from: earlier, to: newest, of: product.id, language)
                .map { EarlierPrice(price: earlier, change: $0, page: self) }
        }
    }

    /// The latest price: the regular price, and for an offer the price paid.
    struct LatestPrice: PageModel {
        let price: StoredPrice
        let page: ProductPage

        private var isBase: Bool { page.measure == .basePrice }

        static let fields = Fields<Self> { f in
            f.text("regular") { $0.page.regular($0.price) }
            f.optionalText("paid") { $0.price.isOffer ? $0.page.paid($0.price) : nil }
            // The price of one piece, when the values above the list are base prices.
            f.optionalText("piece") { $0.isBase ? $0.price.regular.shown($0.page.language) : nil }
            f.optionalText("paidPiece") { $0.isBase ? $0.price.paid.shown($0.page.language) : nil }
            f.optionalText("basePrice") { $0.isBase ? nil : $0.price.shownBase($0.page.language) }
            f.text("storeName") { $0.page.product.naming.store($0.price.store) }
            f.text("when") { $0.page.days.dayWithAge($0.price.day) }
        }
    }

    /// An earlier price that is compared with the latest price.
    struct EarlierPrice: PageModel {
        let price: StoredPrice
        /// The change from this price to the latest price.
        let change: Change?
        let page: ProductPage

        static let fields = Fields<Self> { f in
            f.text("price") { $0.page.regular($0.price) }
            f.text("day") { $0.price.day.formatted($0.page.language) }
            f.optional("change") { $0.change }
        }
    }

    /// The lowest price paid in the last twelve months.
    struct LowestPrice: PageModel {
        let price: StoredPrice
        let page: ProductPage

        static let fields = Fields<Self> { f in
            f.text("price") { $0.page.paid($0.price) }
            f.optionalText("piece") { $0.page.measure == .basePrice ? $0.price.paid.shown($0.page.language) : nil }
            f.text("storeName") { $0.page.product.naming.store($0.price.store) }
            f.text("when") { $0.page.days.dayWithAge($0.price.day) }
        }
    }

    struct GroupLink: PageModel {
        let id: ComparisonGroupID
        let name: String

        static let fields = Fields<Self> { f in
            f.text("href") { "/compare/groups/\($0.id)" }
            f.text("name") { $0.name }
        }
    }
}
