import Domain
import Templates

/// The model of the view `overview/index`: the start page.
struct OverviewPage: PageModel {
    let isEmpty: Bool
    let isDiskFull: Bool
    let inbox: WaitingReceipts?
    let spending: SpendingModel
    let trend: Trend
    let risen: [Move]
    let fallen: [Move]
    let inflation: Inflation
    let newNames: WaitingCount?
    /// The expenses of a household without receipts.
    let expenses: Expenses?

    static let fields = Fields<Self> { f in
        f.flag("isEmpty") { $0.isEmpty }
        f.flag("isDiskFull") { $0.isDiskFull }
        f.optional("inbox") { $0.inbox }
        f.model("spending") { $0.spending }
        f.model("trend") { $0.trend }
        f.flag("hasRisen") { !$0.risen.isEmpty }
        f.list("risen") { $0.risen }
        f.flag("hasFallen") { !$0.fallen.isEmpty }
        f.list("fallen") { $0.fallen }
        f.model("inflation") { $0.inflation }
        f.optional("newNames") { $0.newNames }
        f.optional("expenses") { $0.expenses }
    }

    /// The expenses of the current month.
    struct Expenses: PageModel {
        let month: String
        let sums: OverviewQueries.MonthExpenses
        let currency: Currency
        let language: Language

        private func money(_ minorUnits: Int64) -> String {
            Money(minorUnits: minorUnits, currency: currency).formatted(language)
        }

        static let fields = Fields<Self> { f in
            f.text("month") { $0.month }
            f.text("spent") { $0.money($0.sums.spent) }
            f.optionalText("income") { $0.sums.income == 0 ? nil : $0.money($0.sums.income) }
        }
    }

    /// The receipts that wait for confirmation, and their total.
    struct WaitingReceipts: PageModel {
        let sums: [OverviewQueries.WaitingSum]
        let provenCount: Int
        /// The newest of the waiting receipts.
        let items: [ReceiptRow]
        let language: Language

        static let fields = Fields<Self> { f in
            f.number("count") { Int($0.sums.reduce(0) { $0 + $1.count }) }
            f.optionalText("sum") { waiting in
                let known = waiting.sums.filter { $0.count > $0.unknown }
                return known.isEmpty
                    ? nil
                    : Money.listed(
                        known.map { Money(minorUnits: $0.sum, currency: $0.currency) }, waiting.language)
            }
            f.flag("isPartial") { $0.sums.contains { $0.unknown > 0 } }
            f.number("unknownCount") { Int($0.sums.reduce(0) { $0 + $1.unknown }) }
            f.optional("proven") { $0.provenCount > 0 ? Inbox.ProvenReceipts(count: $0.provenCount) : nil }
            f.list("items") { $0.items }
        }
    }

    /// The model of the partial `parts/move-row`: a product whose price has changed.
    struct Move: PageModel {
        let product: ProductID
        let name: String
        let chainName: String
        let before: String
        let now: String
        /// The date of the earlier price.
        let since: String
        /// The date of the later price.
        let until: String
        let change: Change

        static let fields = Fields<Self> { f in
            f.text("href") { "/products/\($0.product)" }
            f.text("name") { $0.name }
            f.text("chainName") { $0.chainName }
            f.text("before") { $0.before }
            f.text("now") { $0.now }
            f.text("since") { $0.since }
            f.text("until") { $0.until }
            f.optional("change") { Optional($0.change) }
        }
    }

    struct SpendingModel: PageModel {
        let month: Month
        /// Whether `month` is the current month, which is not over yet.
        let isCurrentMonth: Bool
        /// The last day of the previous month that is included when the current month is compared with it.
        let sameDay: Int
        let total: Money
        /// The spending of the previous month; only up to `sameDay` if `month` is the current month.
        let before: Money
        /// Whether `month` is the first month with receipts, or the current month of a household without receipts.
        let isFirst: Bool
        /// Totals in other currencies. They are not part of `total`.
        let abroad: [Money]
        /// Totals of the month's unconfirmed receipts.
        let waiting: [Money]
        let categories: [Category]
        let words: LanguageTexts
        let language: Language

        private var difference: Int64 { total.minorUnits - before.minorUnits }

        private var hasBefore: Bool { !isFirst && !before.isZero }

        private func name(_ month: Month) -> String { words["server.month.\(month.number)"] }

        static let fields = Fields<Self> { f in
            f.text("month") { $0.isCurrentMonth ? $0.name($0.month) : "\($0.name($0.month)) \($0.month.year)" }
            f.text("previousMonth") { $0.name($0.month.previous) }
            f.flag("isCurrentMonth") { $0.isCurrentMonth }
            f.number("sameDay") { $0.sameDay }
            f.text("amount") { $0.total.formatted($0.language) }
            f.text("difference") { model in
                Money(minorUnits: abs(model.difference), currency: model.total.currency).formatted(model.language)
            }
            f.flag("isMore") { $0.hasBefore && $0.difference > 0 }
            f.flag("isLess") { $0.hasBefore && $0.difference < 0 }
            f.flag("isSame") { $0.hasBefore && $0.difference == 0 }
            f.flag("isFirst") { $0.isFirst }
            f.flag("hasNothingBefore") { !$0.isFirst && $0.before.isZero }
            f.optionalText("abroad") { $0.abroad.isEmpty ? nil : Money.listed($0.abroad, $0.language) }
            f.optionalText("waiting") { $0.waiting.isEmpty ? nil : Money.listed($0.waiting, $0.language) }
            f.flag("hasCategories") { !$0.categories.isEmpty }
            f.list("categories") { $0.categories }
        }
    }

    struct Category: PageModel {
        let category: SpentCategory
        let month: Month
        let name: String
        let colour: String
        let amount: Money
        let before: Money
        /// The amount of the longest bar in minor units.
        let largest: Int64
        let language: Language

        static let fields = Fields<Self> { f in
            // The address of the list with the receipt lines that make up the amount.
            f.text("href") { row in
                "/receipts?category=\(row.category.value)\(row.category.excludesSubcategories ? "&alone=1" : "")"
                    + "&month=\(ReceiptFilter.value(row.month))"
            }
            f.text("name") { $0.name }
            f.text("colour") { $0.colour }
            f.text("amount") { $0.amount.formatted($0.language) }
            f.text("previousAmount") { $0.before.isZero ? "–" : $0.before.formatted($0.language) }
            f.number("share") { $0.share($0.amount) }
            f.number("previousShare") { $0.share($0.before) }
        }

        /// The length of a bar in percent of the available length. The longest bar has 98 %.
        private func share(_ money: Money) -> Int {
            largest > 0 ? Int(clamping: max(0, money.minorUnits) * 98 / largest) : 0
        }
    }
}
