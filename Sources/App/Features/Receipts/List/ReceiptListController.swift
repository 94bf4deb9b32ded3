import Domain
import HTTP
import Templates

/// The inbox, the confirmed receipts by month and the discarded receipts.
struct ReceiptListController: Sendable {
    private let queries: ReceiptListQueries
    private let listPage: View<ReceiptListPage>
    private let discardedPage: View<DiscardedPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        queries = ReceiptListQueries(database: database, slowWork: slowWork)
        listPage = try views.page("receipts/index", ReceiptListPage.self)
        discardedPage = try views.page("receipts/discarded", DiscardedPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/receipts", "ReceiptListController.list", list)
        try routes.member(.get, "/receipts/discarded", "ReceiptListController.discarded", discarded)
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let filter = ReceiptFilter(request.head)
        let result = try await queries.list(filter, request.member)
        let words = listPage.words(request)
        let rows = Rows(
            words: words, language: request.language, today: WallClock.today(),
            reader: request.member.person)
        // The filter also applies to the inbox. Pages of older receipts and of a category's lines have no inbox.
        let inbox =
            result.waiting.isEmpty || filter.before != nil || filter.category != nil && filter.month != nil
            ? nil
            : Inbox(
                count: Int(result.waitingCount),
                // The button confirms all proven receipts, so it is hidden when the list shows only some of them.
                provenCount: filter.isActive ? 0 : Int(result.ready),
                items: result.waiting.map(rows.row))
        let page = page(result.confirmed, filter)
        let months = page.months.map { month, receipts in
            let total = result.monthTotals[month.firstDay]
            let count = result.monthCounts[month.firstDay] ?? 0
            return MonthOfReceipts(
                month: month, name: "\(words["server.month.\(month.number)"]) \(month.year)",
                total: Money.listed(total ?? [], request.language),
                items: receipts.map { receipt in
                    var row = rows.row(receipt)
                    if filter.category != nil { row.parts = result.parts[receipt.id] ?? [] }
                    return row
                },
                all: filter.month == nil && count > receipts.count
                    ? MonthOfReceipts.AllReceipts(count: count, href: filter.href(month: month)) : nil)
        }
        let model = ReceiptListPage(
            filter: FilterModel(
                filter: filter,
                stores: result.stores.map {
                    Choice(value: "\($0.id)", label: $0.name, isSelected: $0.id == filter.store)
                },
                members: result.members.map {
                    Choice(value: "\($0.id)", label: $0.name, isSelected: $0.id == filter.member)
                },
                categories: result.categories.options(filter.category?.id, request.language)
                    + [
                        Choice(
                            value: SpentCategory(nil).value, label: rows.words["server.category.none"],
                            isSelected: filter.category.map { $0.id == nil } ?? false)
                    ]),
            inbox: inbox,
            months: months,
            partsOf: filter.category.map { category in
                PartsOfCategory(
                    name: category.name(result.categories, request.language, rows.words),
                    month: filter.month == nil ? nil : months.first)
            },
            olderHref: page.older, isCorrected: result.isCorrected)
        return listPage.response(model, for: request)
    }

    private func discarded(_ request: MemberRequest) async throws -> Response {
        let rows = Rows(
            words: discardedPage.texts[request.language], language: request.language, today: WallClock.today(),
            reader: request.member.person)
        let receipts = try await queries.discardedReceipts(request.member).map(rows.row)
        return discardedPage.response(DiscardedPage(receipts: receipts), for: request)
    }

    /// Shows whole months. If the last month does not fit on the page, it moves to the next page. A month that alone
    /// does not fit on a page is divided.
    private func page(
        _ confirmed: [ListedReceipt], _ filter: ReceiptFilter
    ) -> (months: [(month: Month, receipts: [ListedReceipt])], older: String?) {
        if let only = filter.month {
            let size = ReceiptListQueries.monthSize
            return (
                confirmed.isEmpty ? [] : [(only, Array(confirmed.prefix(size)))],
                confirmed.count > size ? filter.href(after: size) : nil
            )
        }
        var months: [(month: Month, receipts: [ListedReceipt])] = []
        for receipt in confirmed {
            let month = (receipt.day ?? DisplayDate.localDay(receipt.createdAt)).month
            if months.last?.month == month {
                months[months.count - 1].receipts.append(receipt)
            } else {
                months.append((month, [receipt]))
            }
        }
        guard confirmed.count > ReceiptListQueries.pageSize, let last = months.last else { return (months, nil) }
        if months.count > 1 {
            months.removeLast()
            return (months, months.last.map { filter.href(before: $0.month) })
        }
        return (months, filter.href(before: last.month))
    }

    /// The values that all rows of a page have in common.
    private struct Rows {
        let words: LanguageTexts
        let language: Language
        let today: LocalDate
        let reader: PersonID

        func row(_ receipt: ListedReceipt) -> ReceiptRow {
            ReceiptRow(receipt: receipt, words: words, language: language, today: today, reader: reader)
        }
    }
}

/// The model of the view `receipts/discarded`: the discarded receipts that can still be restored.
struct DiscardedPage: PageModel {
    let receipts: [ReceiptRow]

    static let fields = Fields<Self> { f in
        f.flag("hasReceipts") { !$0.receipts.isEmpty }
        f.list("receipts") { $0.receipts }
    }
}
