import Domain
import HTTP
import Templates

/// The fields of the goal form as typed.
struct GoalForm: Sendable {
    var name = ""
    var amount = ""
    var until = ""

    init() {}

    /// - Throws: `Refusal.badRequest` if a field is missing.
    init(_ form: FormFields) throws {
        name = try form.required("name")
        amount = try form.required("amount")
        until = try form.required("until")
    }

    init(_ values: StoredGoal.Values, home: CurrencyCode, _ language: Language) {
        name = values.name
        amount = Amount(minorUnits: values.target, currency: home).field(language)
        until = values.until.iso
    }

    /// - Parameter stored: the stored values of the goal, whose date may have passed; nil for a new goal.
    func values(
        home: CurrencyCode, today: LocalDate, over stored: StoredGoal.Values?, _ words: LanguageTexts
    ) -> (values: StoredGoal.Values?, errors: FieldErrors) {
        var errors = FieldErrors()
        errors["name"] = TextLimit.problem(name, TextLimit.name, words)
        let target = Amount.positive(amount, in: home)
        if target == nil { errors["amount"] = words["server.form.number"] }
        let day = LocalDate(parsing: until)
        let days = today...today.adding(days: StoredGoal.maximumDays)
        if day.map({ !days.contains($0) && $0 != stored?.until }) ?? true {
            errors["until"] = words["server.goal.day"]
        }
        guard errors.isEmpty, let target, let day else { return (nil, errors) }
        return (StoredGoal.Values(name: name, target: target, until: day), errors)
    }
}

/// The model of the view `budgets/goal`: a new goal, or a stored goal with its deposits.
struct GoalPage: EditPage {
    let form: GoalForm
    let stored: StoredGoal?
    let deposits: [StoredGoal.Deposit]
    let choices: ExpenseChoices
    let isMember: Bool
    let days: DayText
    /// The typed amount of a refused deposit or withdrawal.
    var deposit = ""
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?

    var storedRevision: Int64? { stored?.revision }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        f.flag("isMember") { $0.isMember }
        f.optional("goal") { page in page.stored.map { GoalRow(goal: $0, home: page.choices.home, days: page.days) } }
        f.text("storedName") { $0.stored?.values.name ?? "" }
        f.text("action") { page in page.stored.map { "/goals/\($0.id)" } ?? "/goals" }
        f.formState()
        f.text("name") { $0.form.name }
        f.text("amount") { $0.form.amount }
        f.text("currency") { $0.choices.home.symbol }
        f.text("until") { $0.form.until }
        f.text("deposit") { $0.deposit }
        f.flag("hasDeposits") { !$0.deposits.isEmpty }
        f.list("deposits") { page in
            page.deposits.map {
                DepositRow(
                    id: $0.id, day: page.days.short($0.day),
                    person: page.choices.name($0.person) ?? $0.personName ?? "",
                    amount: Amount(minorUnits: $0.amount, currency: page.choices.home).formatted(page.days.language))
            }
        }
    }
}

/// A goal with its progress.
struct GoalRow: PageModel {
    let goal: StoredGoal
    let home: CurrencyCode
    let days: DayText

    private var state: SavingsState { goal.state(today: days.today) }

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: home).formatted(days.language)
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/goals/\($0.goal.id)" }
        f.text("name") { $0.goal.values.name }
        f.text("saved") { $0.money($0.state.saved) }
        f.text("target") { $0.money($0.state.target) }
        f.text("until") { $0.days.short($0.goal.values.until) }
        f.number("percent") { $0.state.percent }
        f.flag("isReached") { $0.state.isReached }
        f.flag("isOverdrawn") { $0.state.overdrawn > 0 }
        f.text("overdrawn") { $0.money($0.state.overdrawn) }
        f.flag("isLate") { $0.state.monthsLeft == 0 && !$0.state.isReached }
        f.flag("isBehind") { !$0.state.isOnCourse && $0.state.monthsLeft > 0 && !$0.state.isReached }
        f.text("left") { $0.money($0.state.left) }
        f.optionalText("perMonth") { row in row.state.perMonth.map(row.money) }
    }
}

/// A deposit or a withdrawal.
struct DepositRow: PageModel {
    let id: SavingsDepositID
    let day: String
    let person: String
    let amount: String

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id.description }
        f.text("day") { $0.day }
        f.text("person") { $0.person }
        f.text("amount") { $0.amount }
    }
}
