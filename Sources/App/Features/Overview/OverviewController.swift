import Domain
import HTTP
import Templates

/// The start page: waiting receipts, spending, price changes.
struct OverviewController: Sendable {
    private let queries: OverviewQueries
    private let diskSpace: DiskSpace
    private let page: View<OverviewPage>

    /// The maximum number of price changes shown in each direction.
    private static let maximumMoves = 5

    init(_ database: Database, _ views: Views) throws {
        queries = OverviewQueries(database: database)
        diskSpace = database.diskSpace
        page = try views.page("overview/index", OverviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/", "OverviewController.show", show)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let today = WallClock.today()
        let month = request.head.query("month").flatMap { Month(parsing: $0, today: today) }
        let result = try await queries.load(request.member, month, maximumMoves: Int32(Self.maximumMoves), today: today)
        let words = page.words(request)
        let days = page.days(request, today: today)
        let moves = Self.moves(result, days)
        let model = OverviewPage(
            isEmpty: result.waiting.isEmpty && !result.hasConfirmed, isDiskFull: diskSpace.isFull,
            inbox: result.waiting.isEmpty
                ? nil
                : OverviewPage.WaitingReceipts(
                    sums: result.waitingSums, provenCount: Int(result.provenCount),
                    items: result.waiting.map {
                        ReceiptRow(
                            receipt: $0, words: words, language: request.language, today: today,
                            reader: request.member.person)
                    }, language: request.language),
            spending: Self.spending(result, days), trend: OverviewPage.Trend(result.spending, result.currency, days),
            risen: moves.filter { $0.change.permille > 0 }, fallen: moves.filter { $0.change.permille < 0 },
            inflation: OverviewPage.Inflation(matched: result.matched, currency: result.currency, days: days),
            newNames: WaitingCount(names: result.waitingNameCount),
            expenses: result.expenses.map {
                OverviewPage.Expenses(
                    month: words["server.month.\(today.month.number)"], sums: $0, currency: result.currency,
                    language: request.language)
            })
        return page.response(model, for: request)
    }

    /// The price changes, largest first.
    static func moves(_ result: OverviewQueries.Result, _ days: DayText) -> [OverviewPage.Move] {
        let language = days.language
        return result.moved.compactMap { product -> OverviewPage.Move? in
            guard let now = product.newest, let before = product.earlier,
                let change = Change(from: before, to: now, of: product.id, language)
            else { return nil }
            let measure = PriceMeasure([before, now])
            return OverviewPage.Move(
                product: product.id, name: product.name, chainName: result.naming.chain(product.chain),
                before: measure.text(measure.regular(before), language),
                now: measure.text(measure.regular(now), language),
                since: days.short(before.day), until: days.short(now.day), change: change)
        }
        .sorted { (abs($0.change.permille), $1.product) > (abs($1.change.permille), $0.product) }
    }

    /// The spending by main category, largest first.
    static func spending(_ result: OverviewQueries.Result, _ days: DayText) -> OverviewPage.SpendingModel {
        // By main category; nil for spending without a category.
        var sums: [CategoryID?: (now: Int64, before: Int64)] = [:]
        for spent in result.spending.spent {
            let isNone = spent.category == CategoryID(high: 0, low: 0)
            let top: CategoryID? = isNone ? nil : result.categories.top(spent.category)
            let sum = sums[top] ?? (now: 0, before: 0)
            sums[top] = (now: sum.now + spent.now, before: sum.before + spent.before)
        }
        func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: result.currency) }
        let month = result.spending.month
        let largest = sums.values.map { max($0.now, $0.before) }.max() ?? 0
        let spent = sums.filter { $0.value.now != 0 || $0.value.before != 0 }
        let categories = result.categories.sorted(spent) { $0 }.map { id, sum in
            let category = SpentCategory(
                id, excludesSubcategories: result.categories.hasSubcategory(of: id, among: spent.keys))
            return OverviewPage.Category(
                category: category, month: month,
                name: category.name(result.categories, days.language, days.words),
                colour: result.categories.colour(id), amount: money(sum.now), before: money(sum.before),
                largest: largest, language: days.language)
        }
        let isCurrentMonth = month == days.today.month
        return OverviewPage.SpendingModel(
            month: month, isCurrentMonth: isCurrentMonth, sameDay: min(days.today.day, month.previous.dayCount),
            total: money(sums.values.reduce(0) { $0 + $1.now }),
            before: money(sums.values.reduce(0) { $0 + $1.before }),
            isFirst: !result.spending.hasEarlier && (isCurrentMonth || !result.spending.isEmpty),
            abroad: result.spending.abroad,
            waiting: isCurrentMonth
                ? result.waitingSums.filter { $0.sumOfMonth != 0 }.map {
                    Money(minorUnits: $0.sumOfMonth, currency: $0.currency)
                } : [],
            categories: categories, words: days.words, language: days.language)
    }
}
