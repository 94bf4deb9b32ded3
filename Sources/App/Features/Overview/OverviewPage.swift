import Domain
import Templates

/// `overview/index`.
struct OverviewPage: PageModel {
    let isEmpty: Bool
    let inbox: Inbox?
    let spending: SpendingModel
    let dearer: [Move]
    let cheaper: [Move]
    let inflation: Inflation
    let unnamed: Waiting?

    static let fields = Fields<Self> { f in
        f.flag("isEmpty") { $0.isEmpty }
        f.optional("inbox") { $0.inbox }
        f.model("spending") { $0.spending }
        f.flag("hasDearer") { !$0.dearer.isEmpty }
        f.list("dearer") { $0.dearer }
        f.flag("hasCheaper") { !$0.cheaper.isEmpty }
        f.list("cheaper") { $0.cheaper }
        f.model("inflation") { $0.inflation }
        f.optional("unnamed") { $0.unnamed }
    }

    /// `parts/move-row`.
    struct Move: PageModel {
        let product: ProductID
        let name: String
        let chainName: String
        let before: String
        let now: String
        /// The days of the two prices.
        let since: String
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
        let month: String
        let previousMonth: String
        /// How far the previous month is counted: as far as this one has come.
        let sameDay: Int
        let total: Money
        let before: Money
        let isFirst: Bool
        /// Sums in other currencies, which `total` leaves out.
        let abroad: [Money]
        let categories: [Category]
        let language: Language

        private var difference: Int64 { total.minorUnits - before.minorUnits }

        static let fields = Fields<Self> { f in
            f.text("month") { $0.month }
            f.text("previousMonth") { $0.previousMonth }
            f.number("sameDay") { $0.sameDay }
            f.text("amount") { $0.total.formatted($0.language) }
            f.text("difference") { model in
                Money(minorUnits: abs(model.difference), currency: model.total.currency).formatted(model.language)
            }
            f.flag("isMore") { !$0.isFirst && $0.difference > 0 }
            f.flag("isLess") { !$0.isFirst && $0.difference < 0 }
            f.flag("isSame") { !$0.isFirst && $0.difference == 0 }
            f.flag("isFirst") { $0.isFirst }
            f.optionalText("abroad") { $0.abroad.isEmpty ? nil : Money.listed($0.abroad, $0.language) }
            f.flag("hasCategories") { !$0.categories.isEmpty }
            f.list("categories") { $0.categories }
        }
    }

    struct Category: PageModel {
        let id: CategoryID?
        let month: Month
        let name: String
        let colour: String
        let amount: Money
        let before: Money
        /// What a full bar stands for, in minor units.
        let largest: Int64
        let language: Language

        static let fields = Fields<Self> { f in
            // To the very lines that the amount is made of.
            f.text("href") { category in
                "/receipts?category=\(SpentCategory(category.id).value)&month=\(ReceiptFilter.value(category.month))"
            }
            f.text("name") { $0.name }
            f.text("colour") { $0.colour }
            f.text("amount") { $0.amount.formatted($0.language) }
            f.text("previousAmount") { $0.before.isZero ? "–" : $0.before.formatted($0.language) }
            f.number("share") { $0.share($0.amount) }
            f.number("previousShare") { $0.share($0.before) }
        }

        /// Percent of the widest bar, with a little room at its end.
        private func share(_ money: Money) -> Int {
            largest > 0 ? Int(clamping: max(0, money.minorUnits) * 98 / largest) : 0
        }
    }
}
