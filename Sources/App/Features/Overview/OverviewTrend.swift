import Domain
import Templates

extension OverviewPage {
    /// The spending of twelve months. Each bar links to its month.
    struct Trend: PageModel {
        private let months: [MonthBar]
        private let earlier: Month
        private let later: Month?

        init(_ spending: OverviewQueries.MonthSpending, _ currency: Currency, _ days: DayText) {
            let range = (1 - OverviewQueries.trendMonths...0).map { spending.end.adding($0) }
            let largest = max(1, range.map { spending.trend[$0] ?? 0 }.max() ?? 1)
            months = range.map { month in
                let amount = spending.trend[month] ?? 0
                return MonthBar(
                    href: Self.href(month), name: "\(days.words["server.month.\(month.number)"]) \(month.year)",
                    short: String(days.words["server.month-short.\(month.number)"].prefix(3)),
                    amount: amount == 0 ? "–" : Money(minorUnits: amount, currency: currency).formatted(days.language),
                    share: Int(clamping: max(0, amount) * 100 / largest), isCurrent: month == spending.month)
            }
            earlier = spending.month.previous
            later = spending.month < days.today.month ? spending.month.next : nil
        }

        static let fields = Fields<Self> { f in
            f.list("months") { $0.months }
            f.flag("isEmpty") { $0.months.allSatisfy { $0.share == 0 } }
            f.text("earlierHref") { href($0.earlier) }
            f.optionalText("laterHref") { trend in trend.later.map { href($0) } }
        }

        private static func href(_ month: Month) -> String { "/?month=\(ReceiptFilter.value(month))" }
    }
}
