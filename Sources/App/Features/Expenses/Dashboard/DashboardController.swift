import Domain
import HTTP
import Templates

/// The dashboard: spending by period, category, payee and member, with a forecast for the month.
struct DashboardController: Sendable {
    private let queries: DashboardQueries
    private let page: View<DashboardPage>

    init(_ database: Database, _ views: Views) throws {
        queries = DashboardQueries(database: database)
        page = try views.page("expenses/index", DashboardPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses", "DashboardController.show", show)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let today = WallClock.today()
        let month = request.head.query("month").flatMap { Month(parsing: $0, today: today) }
        let period =
            month == nil ? request.head.query("period").flatMap(ExpensePeriod.init(rawValue:)) ?? .month : .month
        let days = period.days(today: today, month: month)
        let result = try await queries.load(period, days, request.member, today: today)
        return page.response(
            DashboardPage(
                period: period, days: days, result: result, isMember: request.member.role >= .member,
                text: page.days(request, today: today)), for: request)
    }
}
