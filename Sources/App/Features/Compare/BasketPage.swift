import Domain
import Templates

/// The usual basket in one line, such as `HOFER 61 €, BILLA 74 €; verteilt auf HOFER und SPAR 58 €`.
struct BasketLine: PageModel {
    /// The finished sentence.
    private let text: String

    /// The maximum number of single chains in the line; the best pair of chains follows.
    private static let maximumChains = 3

    /// Nil when fewer than two chains can be compared.
    init?(
        _ comparison: BasketComparison<String>, _ naming: Naming, _ currency: Currency, _ days: DayText
    ) {
        guard comparison.totals.count > 1 else { return nil }
        // Round to whole units of the currency, because the prices are from different dates.
        func amount(_ total: BasketComparison<String>.Total) -> String {
            let whole = Money(minorUnits: (total.cost + 50) / 100 * 100, currency: currency)
            let figure = whole.figure(days.language)
            return whole.formatted(days.language).replacing(figure, with: figure.dropLast(3))
                .replacing(" ", with: "\u{A0}")
        }
        let each = comparison.totals.prefix(Self.maximumChains).map { total in
            "\(naming.chain(total.places[0]))\u{A0}\(amount(total))"
        }.joined(separator: ", ")
        text =
            comparison.pair.map { pair in
                days.words[
                    "server.basket.line-pair",
                    [
                        "each": .text(each), "one": .text(naming.chain(pair.places[0])),
                        "two": .text(naming.chain(pair.places[1])), "amount": .text(amount(pair)),
                    ]]
            } ?? each
    }

    static let fields = Fields<Self> { f in
        f.text("text") { $0.text }
    }
}

/// The model of the view `compare/basket`: the cost of a month's usual basket in each chain.
struct BasketPage: PageModel {
    private let comparison: BasketComparison<String>
    private let basket: UsualBasket
    private let cells: [ComparisonGroupID: [PriceComparison.Cell]]
    private let household: HouseholdCatalogue
    private let currency: Currency
    private let days: DayText

    init(
        basket: UsualBasket, cells: [ComparisonGroupID: [PriceComparison.Cell]], household: HouseholdCatalogue,
        currency: Currency, days: DayText
    ) {
        self.basket = basket
        self.cells = cells
        self.household = household
        self.currency = currency
        self.days = days
        comparison = basket.comparison(cells, household)
    }

    static let fields = Fields<Self> { f in
        f.flag("isKnown") { $0.comparison.totals.count > 1 }
        f.number("itemCount") { $0.comparison.itemCount }
        f.number("days") { _ in UsualBasket.days }
        f.number("maximumEntries") { _ in UsualBasket.maximumEntries }
        f.number("freshDays") { _ in PriceComparison.freshDays }
        f.list("totals") { page in
            let lowest = page.comparison.totals.first?.cost
            return page.comparison.totals.map { page.row($0, isLowest: $0.cost == lowest) }
        }
        f.optional("pair") { page in page.comparison.pair.map { page.row($0, isLowest: true) } }
        // The chains that are not compared, because they have prices for too few of the comparisons.
        f.optionalText("sparse") { page in
            page.comparison.sparse.isEmpty
                ? nil : page.comparison.sparse.map { page.household.naming.chain($0) }.joined(separator: ", ")
        }
        f.list("entries") { page in page.basket.entries.map { page.entry($0) } }
    }

    private func row(_ total: BasketComparison<String>.Total, isLowest: Bool) -> Row {
        let missing = total.missing.compactMap { household.groups[basket.entries[$0].group]?.name }
        return Row(
            name: total.places.map { household.naming.chain($0) }.joined(separator: " + "),
            cost: Money(minorUnits: total.cost, currency: currency).formatted(days.language), isLowest: isLowest,
            missing: missing, oldCount: total.oldCount)
    }

    private func entry(_ entry: UsualBasket.Entry) -> Entry {
        let group = household.groups[entry.group]
        return Entry(
            href: "/compare/groups/\(entry.group)", name: group?.name ?? "",
            quantity: Quantity(thousandths: entry.quantity, unit: group?.unit.unit ?? .piece).shownAsPackage(
                days.language),
            best: ComparePage.cells(Array((cells[entry.group] ?? []).prefix(1)), household, days).first)
    }

    struct Row: PageModel {
        let name: String
        let cost: String
        /// Whether no other chain has a lower cost. Several chains can have the same lowest cost.
        let isLowest: Bool
        /// Names of the comparisons that have no price in this chain.
        let missing: [String]
        /// The number of prices that are older than `PriceComparison.freshDays`.
        let oldCount: Int

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("cost") { $0.cost }
            f.flag("isLowest") { $0.isLowest }
            f.flag("isMissing") { !$0.missing.isEmpty }
            f.text("missing") { $0.missing.joined(separator: ", ") }
            f.flag("hasOld") { $0.oldCount > 0 }
            f.number("oldCount") { $0.oldCount }
        }
    }

    struct Entry: PageModel {
        let href: String
        let name: String
        let quantity: String
        let best: ComparePage.Cell?

        static let fields = Fields<Self> { f in
            f.text("href") { $0.href }
            f.text("name") { $0.name }
            f.text("quantity") { $0.quantity }
            f.optional("best") { $0.best }
        }
    }
}
