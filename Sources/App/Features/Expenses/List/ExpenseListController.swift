import Domain
import HTTP
import Templates

/// The list of expenses and receipts by month.
struct ExpenseListController: Sendable {
    private let queries: ExpenseListQueries
    private let page: View<ExpenseListPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        queries = ExpenseListQueries(database: database, slowWork: slowWork)
        page = try views.page("expenses/list", ExpenseListPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses/list", "ExpenseListController.list", list)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let filter = ExpenseFilter(request.head)
        let result = try await queries.list(filter, request.member)
        let days = page.days(request)
        let (shown, older) = Self.page(result.entries, filter)
        var months: [(month: Month, entries: [Entry])] = []
        for entry in shown {
            if months.last?.month == entry.day.month {
                months[months.count - 1].entries.append(entry)
            } else {
                months.append((entry.day.month, [entry]))
            }
        }
        return page.response(
            ExpenseListPage(
                filter: filter, choices: result.choices, formerPayer: result.formerPayer, labels: result.labels,
                months: months.map { month, entries in
                    ExpenseListPage.MonthOfExpenses(
                        month: month, entries: entries, sums: result.sums[month.firstDay] ?? [:],
                        withoutRate: Int(result.withoutRate[month.firstDay] ?? 0), category: filter.category,
                        choices: result.choices, days: days)
                }, olderHref: older, isCorrected: result.isCorrected, bankPairCount: result.bankPairCount,
                isMember: request.member.role >= .member, path: request.context.path, days: days),
            for: request)
    }

    /// Selects the entries of whole months. A last month that does not fit is moved to the next page, unless it is the
    /// only month. Returns the address of the next page, if there is one.
    private static func page(_ entries: [Entry], _ filter: ExpenseFilter) -> (shown: [Entry], olderHref: String?) {
        let limit = Int(ExpenseListQueries.limit(filter))
        guard entries.count > limit, let last = entries.last?.day.month else { return (entries, nil) }
        let whole = entries.filter { $0.day.month != last }
        if let next = whole.last?.day.month { return (whole, filter.href(before: next)) }
        let hasOlder = filter.days.map { $0.lowerBound < last.firstDay } ?? true
        return (
            Array(entries.prefix(Int(ExpenseListQueries.monthSize))), hasOlder ? filter.href(before: last) : nil
        )
    }
}
