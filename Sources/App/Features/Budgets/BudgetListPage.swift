import Domain
import HTTP
import Templates

/// The model of the view `budgets/index`.
struct BudgetListPage: PageModel {
    let result: BudgetQueries.Result
    let isMember: Bool
    let days: DayText

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { $0.result.budgets.isEmpty }
        f.flag("hasGoals") { !$0.result.goals.isEmpty }
        f.list("goals") { page in
            page.result.goals.map { GoalRow(goal: $0, home: page.result.choices.home, days: page.days) }
        }
        f.list("budgets") { page in
            page.result.budgets.map {
                BudgetRow(budget: $0.budget, state: $0.state, choices: page.result.choices, days: page.days)
            }
        }
    }
}

struct BudgetRow: PageModel {
    let budget: StoredBudget
    let state: BudgetState
    let choices: ExpenseChoices
    let days: DayText

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: choices.home).formatted(days.language)
    }

    private var current: Range<LocalDate> { budget.periods(today: days.today)[0] }

    static let fields = Fields<Self> { f in
        f.text("href") { "/budgets/\($0.budget.id)" }
        f.text("listHref") { row in
            var pairs = [("from", row.current.lowerBound.iso), ("to", row.current.upperBound.adding(days: -1).iso)]
            if let category = row.budget.category { pairs.append(("category", category.description)) }
            if let person = row.budget.person { pairs.append(("member", person.description)) }
            return "/expenses/list?" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        }
        f.text("name") { $0.budget.name }
        f.text("colour") { $0.choices.categories.colour($0.budget.category) }
        f.text("detail") { row in
            [
                row.budget.category.map { row.choices.categories.name($0, row.days.language, row.days.words) }
                    ?? row.days.words["server.budget.everything"],
                row.choices.name(row.budget.person) ?? row.budget.personName,
                "\(row.days.short(row.current.lowerBound)) – \(row.days.short(row.current.upperBound.adding(days: -1)))",
            ].compactMap { $0 }.joined(separator: " · ")
        }
        f.text("spent") { $0.money($0.state.spent) }
        f.text("limit") { $0.money($0.state.limit - $0.state.carriedOver) }
        f.optionalText("added") { row in row.state.carriedOver > 0 ? row.money(row.state.carriedOver) : nil }
        f.optionalText("taken") { row in row.state.carriedOver < 0 ? row.money(-row.state.carriedOver) : nil }
        f.number("percent") { $0.state.percent }
        f.flag("isOver") { $0.state.left < 0 }
        f.text("left") { $0.money(abs($0.state.left)) }
        f.optionalText("perDay") { row in row.state.leftPerDay.map(row.money) }
        f.text("pace") { row in row.state.pace.map(row.money) ?? "" }
        f.flag("isUsed") { $0.state.alert == .fullySpent }
        f.flag("isNearly") { $0.state.alert == .nearlySpent }
        f.flag("isTight") { $0.state.alert == .paceExceedsLimit }
    }
}

/// The model of the view `budgets/edit`.
struct BudgetPage: EditPage {
    let form: BudgetForm
    let stored: StoredBudget?
    let choices: ExpenseChoices
    let words: LanguageTexts
    let language: Language
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?

    var storedRevision: Int64? { stored?.revision }

    /// The person of the stored budget, if that person has left the household.
    private var formerMember: [Choice] {
        guard let person = stored?.person, choices.name(person) == nil, let name = stored?.personName else { return [] }
        return [Choice(value: person.description, label: name, isSelected: person.description == form.person)]
    }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        f.text("storedName") { $0.stored?.name ?? "" }
        f.text("action") { page in page.stored.map { "/budgets/\($0.id)" } ?? "/budgets" }
        f.formState()
        f.text("name") { $0.form.name }
        f.text("amount") { $0.form.amount }
        f.text("currency") { $0.choices.home.symbol }
        f.text("startDay") { $0.form.startDay }
        f.flag("rollsOver") { $0.form.rollsOver }
        f.list("periods") { page in
            BudgetForm.periods.map {
                Choice(value: $0, label: page.words["server.budget.period-\($0)"], isSelected: $0 == page.form.period)
            }
        }
        f.list("categories") { page in
            [Choice(value: "", label: page.words["server.budget.everything"], isSelected: page.form.category.isEmpty)]
                + page.choices.categories.options(CategoryID(page.form.category), page.language)
        }
        f.list("people") { page in
            [Choice(value: "", label: page.words["server.budget.household"], isSelected: page.form.person.isEmpty)]
                + page.choices.memberOptions { $0.description == page.form.person } + page.formerMember
        }
        f.flag("hasHistory") { ($0.stored?.limits.count ?? 0) > 1 }
        f.list("history") { page in
            (page.stored?.limits ?? []).reversed().map {
                BudgetLimitRow(
                    from: $0.from.formatted(page.language),
                    limit: Amount(minorUnits: $0.amount, currency: page.choices.home).formatted(page.language))
            }
        }
    }
}

/// A current or former limit of a budget.
struct BudgetLimitRow: PageModel {
    let from: String
    let limit: String

    static let fields = Fields<Self> { f in
        f.text("from") { $0.from }
        f.text("limit") { $0.limit }
    }
}
