import Domain
import HTTP
import Templates

/// The model of the view `expenses/list`.
struct ExpenseListPage: PageModel {
    let filter: ExpenseFilter
    let choices: ExpenseChoices
    /// The name of the payer in the filter, if that person has left the household.
    let formerPayer: String?
    let labels: [String]
    let months: [MonthOfExpenses]
    let olderHref: String?
    let isCorrected: Bool
    /// The number of recent expenses of bank files that may be the same payments as other entries.
    let bankPairCount: Int64
    let isMember: Bool
    let path: String
    let days: DayText

    /// The dates in the filter; nil if they are a month.
    private var range: DateRange? {
        guard let range = filter.days, filter.month == nil else { return nil }
        return DateRange(first: range.lowerBound, last: range.upperBound.adding(days: -1), language: days.language)
    }

    private var formerPayerChoice: [Choice] {
        guard let payer = filter.member, let formerPayer else { return [] }
        return [Choice(value: payer.description, label: formerPayer, isSelected: true)]
    }

    static let fields = Fields<Self> { f in
        f.text("search") { $0.filter.search }
        f.flag("isActive") { $0.filter.hasChoices || $0.range != nil }
        f.optional("range") { $0.range }
        f.text("monthValue") { page in page.filter.month.map(ReceiptFilter.value) ?? "" }
        f.text("back") { $0.path }
        f.flag("isMember") { $0.isMember }
        f.flag("isCorrected") { $0.isCorrected }
        f.optional("bankPairs") { $0.bankPairCount > 0 ? WaitingCount(count: $0.bankPairCount) : nil }
        f.flag("isEmpty") {
            $0.months.isEmpty && !$0.filter.isActive && $0.filter.days == nil && $0.filter.before == nil
        }
        f.flag("hasNoMatches") { page in
            page.months.isEmpty && (page.filter.isActive || page.filter.days != nil || page.filter.before != nil)
        }
        f.flag("hasMonths") { !$0.months.isEmpty }
        f.list("months") { $0.months }
        f.optionalText("olderHref") { $0.olderHref }
        f.text("label") { $0.filter.label }
        f.text("payee") { $0.filter.payee }
        f.list("labels") { page in
            page.labels.map { Choice(value: $0, label: $0, isSelected: $0 == page.filter.label) }
        }
        f.list("kinds") { page in
            ExpenseKind.allCases.map {
                Choice(
                    value: $0.rawValue, label: page.days.words["server.expense.kind.\($0.rawValue)"],
                    isSelected: $0 == page.filter.kind)
            }
        }
        f.list("members") { page in
            page.choices.memberOptions { $0 == page.filter.member } + page.formerPayerChoice + [
                Choice(
                    value: ExpenseFilter.withoutPayer.description, label: page.days.words["server.expense.nobody"],
                    isSelected: page.filter.member == ExpenseFilter.withoutPayer)
            ]
        }
        f.list("categories") { page in
            page.choices.categories.options(page.filter.category?.id, page.days.language) + [
                Choice(
                    value: SpentCategory(nil).value, label: page.days.words["server.category.none"],
                    isSelected: page.filter.category.map { $0.id == nil } ?? false)
            ]
        }
        f.list("newCategories") { page in
            [Choice(value: TypedExpense.none, label: page.days.words["server.category.none"], isSelected: false)]
                + page.choices.categories.options(nil, page.days.language)
        }
        f.list("newPayers") { page in
            page.choices.memberOptions { _ in false }
        }
    }

    struct DateRange: PageModel {
        let first: LocalDate
        let last: LocalDate
        let language: Language

        static let fields = Fields<Self> { f in
            f.text("from") { $0.first.iso }
            f.text("to") { $0.last.iso }
            f.text("first") { $0.first.formatted($0.language) }
            f.text("last") { $0.last.formatted($0.language) }
        }
    }

    struct MonthOfExpenses: PageModel {
        let month: Month
        let entries: [Entry]
        let sums: [MoneyFlow: Int64]
        let withoutRate: Int
        /// The category in the filter. If it is set, the amount of a receipt is the part in this category.
        let category: SpentCategory?
        let choices: ExpenseChoices
        let days: DayText

        private func sum(_ flow: MoneyFlow) -> String? {
            sums[flow].map { Amount(minorUnits: $0, currency: choices.home).formatted(days.language) }
        }

        static let fields = Fields<Self> { f in
            f.text("id") { ReceiptFilter.value($0.month) }
            f.text("name") { "\($0.days.words["server.month.\($0.month.number)"]) \($0.month.year)" }
            f.optionalText("spent") { $0.sum(.spending) }
            f.optionalText("income") { $0.sum(.income) }
            f.optionalText("cash") { $0.sum(.withdrawal) }
            f.flag("isPartial") { $0.withoutRate > 0 }
            f.number("withoutRate") { $0.withoutRate }
            f.list("entries") { month in
                month.entries.map {
                    EntryRow(entry: $0, part: month.category, choices: month.choices, days: month.days)
                }
            }
        }
    }
}

/// The model of the view `parts/entry-row`: an expense or a receipt in a list.
struct EntryRow: PageModel {
    let entry: Entry
    /// If set, the shown amount of a receipt is only the part in this category.
    var part: SpentCategory?
    let choices: ExpenseChoices
    let days: DayText

    /// The category of the shown amount. For a receipt with items of several categories, this is their common main
    /// category, if they have one.
    private var category: CategoryID? {
        if entry.isReceipt, let part { return part.id }
        let roots = Set(entry.categories.map(choices.categories.root))
        return entry.categories.count > 1 && roots.count == 1 ? roots.first : entry.category
    }

    private var categoryName: String {
        let isDivided = Set(entry.categories.map(choices.categories.root)).count > 1
        return part == nil && isDivided
            ? days.words["server.expense.several-categories"]
            : choices.categories.name(category, days.language, days.words)
    }

    static let fields = Fields<Self> { f in
        f.text("id") { $0.entry.id.description }
        f.text("href") { $0.entry.href }
        f.text("what") { $0.entry.what.isEmpty ? $0.days.words["server.expense.receipt"] : $0.entry.what }
        f.flag("isReceipt") { $0.entry.isReceipt }
        f.flag("isPersonal") { $0.entry.isPersonal }
        f.flag("isSplit") { !$0.entry.split.isEmpty }
        f.text("colour") { $0.choices.categories.colour($0.category) }
        f.text("icon") {
            $0.entry.isReceipt && $0.category == nil ? "receipt" : $0.choices.categories.icon($0.category)
        }
        f.text("day") { $0.days.short($0.entry.day) }
        f.text("detail") { row in
            var parts = [row.categoryName]
            if !row.entry.payee.isEmpty, row.entry.payee != row.entry.what { parts.append(row.entry.payee) }
            if row.choices.members.count > 1, let name = row.choices.name(row.entry.paidBy) { parts.append(name) }
            return (parts + row.entry.labels.map { "#\($0)" }).joined(separator: " · ")
        }
        f.text("amount") { row in
            let sign: Int64 = row.entry.kind == .refund ? -1 : 1
            return Amount(minorUnits: sign * row.entry.amount.minorUnits, currency: row.entry.amount.currency)
                .formatted(row.days.language)
        }
        f.optionalText("kind") { row in
            row.entry.kind == .expense ? nil : row.days.words["server.expense.kind.\(row.entry.kind.rawValue)"]
        }
        f.optionalText("home") { row in
            guard row.entry.amount.currency != row.choices.home else { return nil }
            if let home = row.entry.home {
                return Amount(minorUnits: home, currency: row.choices.home).formatted(row.days.language)
            }
            return row.days.words["server.expense.no-rate"]
        }
    }
}
