import Domain
import Templates

/// The model of the view `receipts/index`: the waiting receipts, then the confirmed receipts by month.
struct ReceiptListPage: PageModel {
    let filter: FilterModel
    let inbox: Inbox?
    let months: [MonthOfReceipts]
    /// The category whose lines are shown and summed up.
    let partsOf: PartsOfCategory?
    let olderHref: String?
    /// Whether no receipt matches the search words exactly and the page shows receipts with similar names.
    let isCorrected: Bool

    static let fields = Fields<Self> { f in
        f.flag("isEmpty") { $0.hasNoReceipts && !$0.filter.filter.isActive && $0.filter.filter.before == nil }
        f.flag("hasNoMatches") { $0.hasNoReceipts && ($0.filter.filter.isActive || $0.filter.filter.before != nil) }
        f.model("filter") { $0.filter }
        f.optional("inbox") { $0.inbox }
        f.list("months") { $0.months }
        f.optional("partsOf") { $0.hasNoReceipts ? nil : $0.partsOf }
        f.optionalText("olderHref") { $0.olderHref }
        f.flag("isCorrected") { $0.isCorrected && !$0.hasNoReceipts }
    }

    private var hasNoReceipts: Bool { inbox == nil && months.isEmpty }
}

/// The category whose lines the list shows.
struct PartsOfCategory: PageModel {
    let name: String
    /// The requested month with its sum; nil when all months are listed.
    let month: MonthOfReceipts?

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.optionalText("month") { $0.month?.name }
        f.text("sum") { $0.month?.total ?? "" }
    }
}

/// Receipts that wait for a person, newest first.
struct Inbox: PageModel {
    /// The number of all waiting receipts. The page shows only the newest receipts.
    let count: Int
    let provenCount: Int
    let items: [ReceiptRow]

    struct ProvenReceipts: PageModel {
        let count: Int

        static let fields = Fields<Self> { f in
            f.number("count") { $0.count }
        }
    }

    static let fields = Fields<Self> { f in
        f.number("count") { $0.count }
        f.optional("proven") { $0.provenCount > 0 ? ProvenReceipts(count: $0.provenCount) : nil }
        f.list("items") { $0.items }
        f.optional("older") { $0.count > $0.items.count ? OlderReceipts(shown: $0.items.count) : nil }
    }

    /// The notice that there are older receipts than the page shows.
    struct OlderReceipts: PageModel {
        let shown: Int

        static let fields = Fields<Self> { f in f.number("shown") { $0.shown } }
    }
}

/// The confirmed receipts of a month, with their total.
struct MonthOfReceipts: PageModel {
    let month: Month
    let name: String
    let total: String
    let items: [ReceiptRow]
    /// The address of the whole month; nil when all its receipts are shown.
    let all: AllReceipts?

    struct AllReceipts: PageModel {
        let count: Int64
        let href: String

        static let fields = Fields<Self> { f in
            f.text("count") { String($0.count) }
            f.text("href") { $0.href }
        }
    }

    static let fields = Fields<Self> { f in
        f.text("id") { String($0.month.firstDay.iso.prefix(7)) }
        f.text("name") { $0.name }
        f.text("total") { $0.total }
        f.list("items") { $0.items }
        f.optional("all") { $0.all }
    }
}

struct FilterModel: PageModel {
    let filter: ReceiptFilter
    let stores: [Choice]
    let members: [Choice]
    let categories: [Choice]

    static let fields = Fields<Self> { f in
        f.text("search") { $0.filter.search }
        f.flag("isActive") { $0.filter.hasChoices }
        f.text("month") { $0.filter.month.map(ReceiptFilter.value) ?? "" }
        f.list("stores") { $0.stores }
        f.list("members") { $0.members }
        f.list("categories") { $0.categories }
        f.optionalText("alone") { $0.filter.category.flatMap { $0.excludesSubcategories ? $0.value : nil } }
        f.model("state") { StateChoice(state: $0.filter.state) }
    }

    struct StateChoice: PageModel {
        let state: ReceiptState.Name?

        static let fields = Fields<Self> { f in
            f.flag("isReading") { $0.state == .reading }
            f.flag("isProven") { $0.state == .proven }
            f.flag("isReview") { $0.state == .review }
            f.flag("isUnreadable") { $0.state == .unreadable }
            f.flag("isDuplicate") { $0.state == .duplicate }
            f.flag("isConfirmed") { $0.state == .confirmed }
        }
    }
}
