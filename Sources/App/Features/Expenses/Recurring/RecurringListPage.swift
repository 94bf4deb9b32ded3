import Domain
import Templates

/// The model of the view `expenses/recurring`.
struct RecurringListPage: PageModel {
    let stored: [StoredRecurring]
    let proposals: [RecurringSearch.FoundSeries]
    let choices: ExpenseChoices
    let isMember: Bool
    let days: DayText

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: choices.home).formatted(days.language)
    }

    /// The yearly cost of all recurring expenses, divided by twelve.
    private var monthly: Int64 {
        stored.reduce(0) { sum, recurring in
            let times: Int64 =
                switch recurring.values.interval {
                case .week: 52
                case .month: 12
                case .quarter: 4
                case .year: 1
                }
            return sum + recurring.values.amount * times
        } / 12
    }

    private func row(_ recurring: StoredRecurring) -> RecurringRow {
        RecurringRow(recurring: recurring, choices: choices, days: days)
    }

    /// Sorted by the next expected date. Recurring expenses with the same date stay sorted by name, as the query sorts
    /// them.
    private var sorted: [StoredRecurring] {
        stored.enumerated().sorted { ($0.element.next, $0.offset) < ($1.element.next, $1.offset) }.map(\.element)
    }

    private var expected: [StoredRecurring] { sorted.filter { !$0.isMissing(today: days.today) } }

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { $0.stored.isEmpty && $0.proposals.isEmpty }
        f.flag("hasAny") { !$0.stored.isEmpty }
        f.text("monthly") { $0.money($0.monthly) }
        f.flag("hasNews") { page in
            page.stored.contains { $0.isMissing(today: page.days.today) || $0.isChanged }
        }
        f.list("missing") { page in
            page.sorted.filter { $0.isMissing(today: page.days.today) }.map { page.row($0) }
        }
        f.list("changed") { page in page.sorted.filter(\.isChanged).map { page.row($0) } }
        f.flag("hasExpected") { !$0.expected.isEmpty }
        f.list("expected") { page in page.expected.map { page.row($0) } }
        f.flag("hasProposals") { !$0.proposals.isEmpty }
        f.list("proposals") { page in
            page.proposals.map { RecurringProposalRow(found: $0, choices: page.choices, days: page.days) }
        }
    }
}

/// A recurring expense in a list.
struct RecurringRow: PageModel {
    let recurring: StoredRecurring
    let choices: ExpenseChoices
    let days: DayText

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: choices.home).formatted(days.language)
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/recurring/\($0.recurring.id)" }
        f.text("name") { $0.recurring.values.name }
        f.text("colour") { $0.choices.categories.colour($0.recurring.values.category) }
        f.text("interval") { $0.days.words["server.recurring.\($0.recurring.values.interval.rawValue)"] }
        f.text("amount") { $0.money($0.recurring.values.amount) }
        f.text("next") { $0.days.short($0.recurring.next) }
        f.text("nextValue") { $0.recurring.next.iso }
        f.flag("isMissing") { $0.recurring.isMissing(today: $0.days.today) }
        f.flag("isDue") { $0.recurring.next <= $0.days.today }
        f.flag("isPersonal") { $0.recurring.values.isPersonal }
        f.text("paid") { row in row.recurring.last.map { row.money($0.amount) } ?? "" }
        f.flag("isRise") { row in (row.recurring.last?.amount ?? 0) > row.recurring.values.amount }
        f.text("difference") { row in
            row.money(abs((row.recurring.last?.amount ?? 0) - row.recurring.values.amount))
        }
    }
}

/// A proposed recurring expense, found in past payments.
struct RecurringProposalRow: PageModel {
    let found: RecurringSearch.FoundSeries
    let choices: ExpenseChoices
    let days: DayText

    static let fields = Fields<Self> { f in
        f.text("key") { $0.found.last.key }
        f.text("value") { String($0.found.last.amount) }
        f.text("name") { $0.found.last.text }
        f.text("interval") { $0.days.words["server.recurring.\($0.found.recurrence.interval.rawValue)"] }
        f.text("amount") { row in
            Amount(minorUnits: row.found.last.amount, currency: row.choices.home).formatted(row.days.language)
        }
        f.number("count") { $0.found.payments.count }
        f.text("last") { $0.days.short($0.found.last.day) }
    }
}

/// The model of the view `expenses/recurring-edit`.
struct RecurringPage: EditPage {
    let form: RecurringForm
    let stored: StoredRecurring?
    let choices: ExpenseChoices
    let words: LanguageTexts
    let language: Language
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?

    var storedRevision: Int64? { stored?.revision }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        f.text("storedName") { $0.stored?.values.name ?? "" }
        f.text("action") { page in page.stored.map { "/recurring/\($0.id)" } ?? "/recurring" }
        f.formState()
        f.text("name") { $0.form.name }
        f.text("amount") { $0.form.amount }
        f.text("currency") { $0.choices.home.symbol }
        f.text("day") { $0.form.day }
        f.flag("isPersonal") { $0.form.isPersonal }
        f.list("intervals") { page in
            Recurrence.Interval.allCases.map {
                Choice(
                    value: $0.rawValue, label: page.words["server.recurring.\($0.rawValue)"],
                    isSelected: $0 == page.form.interval)
            }
        }
        f.list("tolerances") { page in
            page.form.tolerances.map { tolerance in
                let sign = page.language == .german ? "\u{A0}%" : "%"
                return Choice(value: tolerance, label: tolerance + sign, isSelected: tolerance == page.form.tolerance)
            }
        }
        f.list("categories") { page in
            [Choice(value: "", label: page.words["server.category.none"], isSelected: page.form.category.isEmpty)]
                + page.choices.categories.options(CategoryID(page.form.category), page.language)
        }
    }
}
