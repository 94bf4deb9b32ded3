import Domain
import Templates

/// `products/show`.
struct ProductPage: PageModel {
    let product: StoredProduct
    /// Newest first.
    let prices: [ShownPrice]
    let chart: PriceChart?
    let days: DayText
    /// What was typed, when it could not be saved.
    var typedName: String?
    var typedPackage: TypedPackage?
    var problem: Problem?
    var errors = FieldErrors()
    /// How many prices stand on the pages before.
    var skipped = 0

    private var language: Language { days.language }
    private var newest: StoredPrice? { product.newest }
    /// Of the prices that the facts speak of.
    private let measure: PriceMeasure

    init(product: StoredProduct, prices: [ShownPrice], chart: PriceChart?, days: DayText) {
        self.product = product
        self.prices = prices
        self.chart = chart
        self.days = days
        let lastYear = days.today.adding(days: -365)
        let named = [product.newest, product.earlier, product.cheapest].compactMap { $0 }
        // Without a second size or unit there is nothing to look through.
        measure =
            product.packages.count > 1 || Set(named.map(\.regular.unit)).count > 1
            ? PriceMeasure(named + product.prices.lazy.filter { $0.day > lastYear }) : .price
    }

    /// A price as the facts name it.
    private func shown(_ price: StoredPrice) -> String { measure.text(measure.paid(price), language) }

    /// What one cost, where the facts name base prices.
    private func shownBeside(_ price: StoredPrice) -> String? {
        measure == .basePrice ? price.paid.shown(language) : nil
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/products/\($0.product.id)" }
        f.text("revision") { String($0.product.revision) }
        f.optional("problem") { $0.problem }
        f.model("errors") { $0.errors }
        f.text("name") { $0.typedName ?? $0.product.name }
        f.text("storedName") { $0.product.name }
        f.flag("hasPrices") { $0.newest != nil }
        f.text("colour") { $0.product.categories.colour($0.product.category) }
        f.text("categoryName") { page in
            page.product.categories.name(page.product.category, page.language, page.days.words)
        }
        f.text("chainName") { $0.product.naming.chain($0.product.chain) }
        f.optionalText("package") { page in page.package?.size.shownAsPackage(page.language) }
        f.optionalText("shrink") { $0.shrink }
        f.text("lastPrice") { page in page.newest.map(page.shown) ?? "–" }
        f.optionalText("lastPiece") { page in page.newest.flatMap(page.shownBeside) }
        f.text("lastStore") { page in page.newest.map { page.product.naming.store($0.store) } ?? "" }
        f.text("lastSeen") { page in
            page.newest.map { page.days.dayWithAge($0.day) } ?? page.days.words["server.never-bought"]
        }
        f.optionalText("basePrice") { $0.measure == .price ? $0.newest?.shownPaidBase($0.language) : nil }
        f.optional("cheapest") { page in page.product.cheapest.map { Cheapest(price: $0, page: page) } }
        f.optional("change") { $0.change }
        f.text("changeLabel") { $0.changeLabel }
        f.optional("chart") { $0.chart }
        f.list("prices") { $0.prices }
        f.flag("hasBases") { $0.prices.contains { $0.basePrice != nil } }
        f.optionalText("olderHref") { page in
            page.product.prices.count > StoredProduct.pageSize
                ? "/products/\(page.product.id)?after=\(page.skipped + StoredProduct.pageSize)" : nil
        }
        f.list("categories") { page in
            page.product.categories.choices(page.product.category, page.language, page.days.words)
        }
        f.flag("hasPackages") { !$0.product.packages.isEmpty }
        f.list("packages") { page in
            page.product.packages.map { PackageRow(product: page.product.id, package: $0, language: page.language) }
        }
        f.model("typed") { $0.typedPackage ?? TypedPackage(amount: "", unit: "g", from: $0.days.today.iso) }
        f.list("aliases") { page in
            page.product.aliases.map {
                AliasRow(
                    alias: $0, chainName: page.product.naming.chain($0.chain), canSplit: page.product.aliases.count > 1)
            }
        }
        f.optional("group") { page in
            page.product.group.map {
                GroupLink(id: $0.id, name: page.days.words.groupName($0.name, $0.unit, page.language))
            }
        }
    }

    /// Today's package: the latest begun, else the first.
    private var package: StoredProduct.Package? {
        product.packages.last { $0.from <= days.today } ?? product.packages.first
    }

    /// Says that the package became smaller.
    private var shrink: String? {
        guard let now = package, let before = product.packages.last(where: { $0.from < now.from }),
            before.size.unit == now.size.unit, now.size.thousandths < before.size.thousandths,
            // Two sizes by turns are two packages on sale, not one that shrank.
            !product.packages.contains(where: { $0.from < before.from && $0.size.isSameAmount(as: now.size) })
        else { return nil }
        return days.words[
            "server.shrunk",
            [
                "day": .text(now.from.formatted(language)), "new": .text(now.size.shownAsPackage(language)),
                "old": .text(before.size.shownAsPackage(language)),
            ]]
    }

    private var change: Change? {
        guard let newest, let earlier = product.earlier else { return nil }
        return Change(from: earlier, to: newest, of: product.id, language)
    }

    /// `Letzte 12 Monate`, or since when where the prices do not reach back so far, or further.
    private var changeLabel: String {
        guard let newest, let earlier = product.earlier else { return "" }
        let isYear = (StoredProduct.yearDays...400).contains(earlier.day.days(to: newest.day))
        return isYear
            ? days.words["server.in-a-year"]
            : days.words["server.since", ["day": .text(earlier.day.formatted(language))]]
    }

    /// The form of a package size as it was typed.
    struct TypedPackage: PageModel {
        let amount: String
        /// A value of the form's choice.
        let unit: String
        /// ISO, as the browser sends it.
        let from: String

        static let fields = Fields<Self> { f in
            f.text("amount") { $0.amount }
            f.text("from") { $0.from }
            f.list("units") { typed in
                ["g", "kg", "ml", "l", "piece", "m"].map { UnitChoice(value: $0, isSelected: $0 == typed.unit) }
            }
        }
    }

    struct UnitChoice: PageModel {
        let value: String
        let isSelected: Bool

        static let fields = Fields<Self> { f in
            f.text("value") { $0.value }
            f.flag("isPiece") { $0.value == "piece" }
            f.flag("isSelected") { $0.isSelected }
        }
    }

    struct Cheapest: PageModel {
        let price: StoredPrice
        let page: ProductPage

        static let fields = Fields<Self> { f in
            f.text("price") { $0.page.shown($0.price) }
            f.optionalText("piece") { $0.page.shownBeside($0.price) }
            f.text("storeName") { $0.page.product.naming.store($0.price.store) }
            f.text("when") { $0.page.days.dayWithAge($0.price.day) }
        }
    }

    struct PackageRow: PageModel {
        let product: ProductID
        let package: StoredProduct.Package
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("size") { $0.package.size.shownAsPackage($0.language) }
            f.text("from") { $0.package.from.formatted($0.language) }
            f.text("removeAction") { "/products/\($0.product)/packages/\($0.package.from.iso)/removal" }
        }
    }

    struct AliasRow: PageModel {
        let alias: StoredProduct.Alias
        let chainName: String
        /// The last printed name stays: a product without one would never get a price again.
        let canSplit: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.alias.id.description }
            f.text("printedName") { $0.alias.printedName }
            f.text("chainName") { $0.chainName }
            f.text("count") { String($0.alias.count) }
            f.flag("canSplit") { $0.canSplit }
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
