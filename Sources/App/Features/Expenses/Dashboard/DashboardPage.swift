import Domain
import HTTP
import Templates

/// The model of the view `expenses/index`.
struct DashboardPage: PageModel {
    let period: ExpensePeriod
    let days: Range<LocalDate>
    let result: DashboardQueries.Result
    let isMember: Bool
    let text: DayText

    private var month: Month { days.lowerBound.month }
    private var isRunningMonth: Bool { period == .month && month == text.today.month }
    private var total: Int64 { result.spending.values.reduce(0) { $0 + $1.now } }
    private var totalBefore: Int64 { result.spending.values.reduce(0) { $0 + $1.before } }
    private var totalYearBefore: Int64 { result.spending.values.reduce(0) { $0 + $1.yearBefore } }
    private var dayCount: Int { max(1, days.lowerBound.days(to: days.upperBound)) }

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: result.choices.home).formatted(text.language)
    }

    private func name(_ month: Month) -> String { text.words["server.month.\(month.number)"] }

    private var expected: Int64 { result.expected(today: text.today) }

    private var forecast: MonthForecast? {
        isRunningMonth ? result.forecast(spent: total, today: text.today) : nil
    }

    /// Returns a sentence that compares the spending with an earlier amount; nil if that amount is 0.
    private func comparison(with earlier: Int64, _ key: (String) -> String) -> String? {
        guard earlier != 0 else { return nil }
        let difference = total - earlier
        let word = difference > 0 ? "more" : difference < 0 ? "less" : "same"
        return text.words[key(word), ["amount": .text(money(abs(difference)))]]
    }

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { !$0.result.hasAny && $0.result.spending.isEmpty }
        f.list("periods") { page in
            ExpensePeriod.allCases.map {
                Choice(
                    value: $0.rawValue, label: page.text.words["server.expenses.period-\($0.rawValue)"],
                    isSelected: $0 == page.period)
            }
        }
        f.text("title") { page in
            switch page.period {
            case .month: "\(page.name(page.month)) \(page.month.year)"
            case .year: String(page.month.year)
            case .week, .days30, .days90: page.text.words["server.expenses.period-\(page.period.rawValue)"]
            }
        }
        f.text("range") { page in
            "\(page.text.short(page.days.lowerBound)) – \(page.text.short(page.days.upperBound.adding(days: -1)))"
        }
        f.text("total") { $0.money($0.total) }
        f.optionalText("before") { page in
            page.comparison(with: page.totalBefore) { word in
                page.period == .month ? "server.expenses.month-\(word)" : "server.expenses.period-\(word)"
            }
        }
        f.optionalText("yearBefore") { page in
            page.period == .year
                ? nil : page.comparison(with: page.totalYearBefore) { "server.expenses.year-\($0)" }
        }
        f.text("average") { $0.money($0.total / Int64($0.dayCount)) }
        f.optionalText("forecast") { page in page.forecast.map { page.money($0.middle) } }
        f.text("forecastLow") { page in page.forecast.map { page.money($0.low) } ?? "" }
        f.text("forecastHigh") { page in page.forecast.map { page.money($0.high) } ?? "" }
        f.optionalText("forecastExpected") { page in page.expected == 0 ? nil : page.money(page.expected) }
        f.text("forecastMonths") { page in page.forecast.map { String($0.monthCount) } ?? "" }
        f.optionalText("income") { $0.result.income == 0 ? nil : $0.money($0.result.income) }
        f.optionalText("cash") { $0.result.cash == 0 ? nil : $0.money($0.result.cash) }
        f.flag("hasWithoutRate") { $0.result.withoutRate > 0 }
        f.number("withoutRate") { Int($0.result.withoutRate) }
        f.optional("bankPairs") { page in
            page.result.bankPairCount > 0 ? WaitingCount(count: page.result.bankPairCount) : nil
        }
        f.text("listHref") { $0.href([]) }
        f.list("months") { $0.bars }
        f.text("trendSentence") { $0.trendSentence }
        f.flag("hasCategories") { !$0.categories.isEmpty }
        f.list("categories") { $0.categories }
        f.flag("hasPayees") { !$0.payees.isEmpty }
        f.list("payees") { $0.payees }
        f.flag("hasMembers") { $0.result.choices.members.count > 1 && $0.result.members.count > 1 }
        f.list("members") { $0.members }
    }

    /// Returns the address of the list of the entries that add up to an amount.
    private func href(_ pairs: [(String, String)]) -> String {
        let all = pairs + [("from", days.lowerBound.iso), ("to", days.upperBound.adding(days: -1).iso)]
        return "/expenses/list?" + all.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
    }

    private var bars: [MonthBar] {
        let months = (1 - DashboardQueries.trendMonths...0).map { text.today.month.adding($0) }
        let largest = months.map { result.trend[$0] ?? 0 }.max() ?? 0
        return months.map { month in
            let amount = result.trend[month] ?? 0
            return MonthBar(
                href: "/expenses?month=\(ReceiptFilter.value(month))", name: "\(name(month)) \(month.year)",
                short: String(text.words["server.month-short.\(month.number)"].prefix(3)),
                amount: amount == 0 ? "–" : money(amount), share: DashboardRow.share(amount, of: largest),
                isCurrent: period == .month && month == self.month)
        }
    }

    /// A sentence with the month that has the highest spending.
    private var trendSentence: String {
        guard let most = result.trend.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value > 0 else {
            return text.words["server.expenses.trend-none"]
        }
        return text.words[
            "server.expenses.trend-most",
            ["month": .text("\(name(most.key)) \(most.key.year)"), "amount": .text(money(most.value))]]
    }

    private var categories: [DashboardRow] {
        var sums: [CategoryID?: DashboardQueries.Sum] = [:]
        for (id, sum) in result.spending {
            let key: CategoryID? = id == CategoryID(high: 0, low: 0) ? nil : result.choices.categories.root(id)
            sums[key, default: DashboardQueries.Sum()].now += sum.now
            sums[key, default: DashboardQueries.Sum()].before += sum.before
        }
        let largest = sums.values.map { max($0.now, $0.before) }.max() ?? 0
        let spent = sums.filter { $0.value.now != 0 || $0.value.before != 0 }
        return result.choices.categories.sorted(spent) { ($0.now, $0.before) }.map { id, sum in
            DashboardRow(
                href: href([("category", SpentCategory(id).value)]),
                name: result.choices.categories.name(id, text.language, text.words),
                colour: result.choices.categories.colour(id), amount: money(sum.now),
                before: sum.before == 0 ? "–" : money(sum.before), share: DashboardRow.share(sum.now, of: largest),
                shareBefore: DashboardRow.share(sum.before, of: largest))
        }
    }

    private var payees: [DashboardRow] {
        let largest = result.payees.map(\.amount).max() ?? 0
        return result.payees.map { key, name, amount in
            DashboardRow(
                href: href([("payee", key)]), name: name ?? result.naming.chain(key), colour: "slate",
                amount: money(amount), before: "", share: DashboardRow.share(amount, of: largest), shareBefore: 0)
        }
    }

    private var members: [DashboardRow] {
        let largest = result.members.map(\.amount).max() ?? 0
        return result.members.filter { $0.amount != 0 }.map { person, name, amount in
            DashboardRow(
                href: href([("member", person.description)]), name: name ?? text.words["server.expense.nobody"],
                colour: "slate", amount: money(amount), before: "", share: DashboardRow.share(amount, of: largest),
                shareBefore: 0)
        }
    }
}

/// A row of a table with bars.
struct DashboardRow: PageModel {
    let href: String
    let name: String
    let colour: String
    let amount: String
    /// The amount of the previous period; empty if the periods are not compared.
    let before: String
    /// The length of this period's bar in percent.
    let share: Int
    /// The length of the previous period's bar, in percent.
    let shareBefore: Int

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("name") { $0.name }
        f.text("colour") { $0.colour }
        f.text("amount") { $0.amount }
        f.text("before") { $0.before }
        f.number("share") { $0.share }
        f.number("shareBefore") { $0.shareBefore }
    }

    /// The length of a bar in percent. The longest bar has 98 %.
    static func share(_ amount: Int64, of largest: Int64) -> Int {
        largest > 0 ? Int(clamping: max(0, amount) * 98 / largest) : 0
    }
}
