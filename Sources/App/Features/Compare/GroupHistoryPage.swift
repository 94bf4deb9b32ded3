import Domain
import Templates

/// The model of the view `compare/show`: one comparison with its stores and its history.
struct GroupHistoryPage: PageModel {
    let id: ComparisonGroupID
    let name: String
    /// Cheapest first, then outdated prices.
    let cells: [ComparePage.Cell]
    /// A sentence that names the cheapest store.
    let summary: String?
    let chart: PriceChart?
    /// Newest first.
    let prices: [Row]
    let canEdit: Bool

    static let fields = Fields<Self> { f in
        f.optionalText("editHref") { $0.canEdit ? "/compare/groups/\($0.id)/edit" : nil }
        f.text("name") { $0.name }
        f.optionalText("summary") { $0.summary }
        f.flag("hasCells") { !$0.cells.isEmpty }
        f.list("cells") { $0.cells }
        f.number("freshDays") { _ in PriceComparison.freshDays }
        f.optional("chart") { $0.chart }
        f.flag("hasPrices") { !$0.prices.isEmpty }
        f.list("prices") { $0.prices }
    }

    struct Row: PageModel {
        let price: ShownPrice
        let productName: String
        let basePrice: String

        static let fields = Fields<Self> { f in
            f.text("day") { $0.price.day }
            f.text("storeName") { $0.price.storeName }
            f.text("productName") { $0.productName }
            f.text("paid") { $0.price.paid }
            f.text("basePrice") { $0.basePrice }
            f.flag("isOffer") { $0.price.price.isOffer }
            f.optionalText("receiptHref") { $0.price.receiptHref }
        }
    }

    /// A sentence such as `Am billigsten ist HOFER mit 1,00 €/l. Bei BILLA kostet dasselbe 15 % mehr.` Names all stores
    /// that are equally cheap. Nil unless a recent price is higher than the cheapest.
    static func summary(_ cells: [PriceComparison.Cell], _ naming: Naming, _ days: DayText) -> String? {
        let cheapest = cells.filter(\.isCheapest)
        guard let best = cheapest.first, let other = cells.last(where: { !$0.isOld && !$0.isCheapest }),
            let permille = PriceChange.permille(
                from: best.price.thousandthsOfMinor, to: other.price.thousandthsOfMinor), permille > 0
        else { return nil }
        let percent = PriceChange.formatted(permille: permille, days.language).filter {
            $0.isNumber || $0 == "," || $0 == "."
        }
        return days.words[
            cheapest.count > 1 ? "server.group.summary-several" : "server.group.summary",
            [
                "best": .text(cheapest.map { naming.store($0.observation.store) }.joined(separator: ", ")),
                "price": .text(best.price.shownAsBase(days.language)),
                "other": .text(naming.store(other.observation.store)), "percent": .text(percent),
            ]]
    }
}
