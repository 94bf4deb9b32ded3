import Domain
import HTTP
import Templates

/// The fields of the budget form as typed.
struct BudgetForm: Sendable {
    var name = ""
    var amount = ""
    var category = ""
    var person = ""
    var period = "month"
    var startDay = "1"
    var rollsOver = false

    struct Values: Equatable, Sendable {
        let name: String
        /// In minor units of the household's currency.
        let limit: Int64
        /// Nil for all categories.
        let category: CategoryID?
        /// Nil for the whole household.
        let person: PersonID?
        /// `month`, `week` or `year`.
        let period: String
        /// The day on which a month begins, 1…28; 1 for other periods.
        let startDay: Int32
        let rollsOver: Bool

        var budgetPeriod: BudgetPeriod {
            switch period {
            case "week": .week
            case "year": .year
            default: .month(startDay: Int(startDay))
            }
        }
    }

    static let periods = ["month", "week", "year"]

    init() {}

    /// - Throws: `Refusal.badRequest` for values that the form cannot send.
    init(_ form: FormFields) throws {
        name = try form.required("name")
        amount = try form.required("amount")
        category = form.trimmed("category") ?? ""
        person = form.trimmed("person") ?? ""
        period = form.trimmed("period") ?? "month"
        startDay = form.trimmed("start-day") ?? "1"
        rollsOver = form["rolls-over"] != nil
        guard Self.periods.contains(period), category.isEmpty || CategoryID(category) != nil,
            person.isEmpty || PersonID(person) != nil
        else { throw Refusal.badRequest }
    }

    init(_ budget: StoredBudget, limit: Int64, home: CurrencyCode, _ language: Language) {
        name = budget.name
        amount = Amount(minorUnits: limit, currency: home).field(language)
        category = budget.category?.description ?? ""
        person = budget.person?.description ?? ""
        switch budget.period {
        case .week: period = "week"
        case .year: period = "year"
        case .month(let day):
            period = "month"
            startDay = String(day)
        }
        rollsOver = budget.rollsOver
    }

    func values(home: CurrencyCode, _ words: LanguageTexts) -> (values: Values?, errors: FieldErrors) {
        var errors = FieldErrors()
        errors["name"] = TextLimit.problem(name, TextLimit.name, words)
        let limit = Amount.positive(amount, in: home)
        if limit == nil { errors["amount"] = words["server.form.number"] }
        let day = Int32(startDay) ?? 0
        if period == "month", !(1...28).contains(day) { errors["period"] = words["server.budget.start-day"] }
        guard errors.isEmpty, let limit else { return (nil, errors) }
        return (
            Values(
                name: name, limit: limit, category: CategoryID(category), person: PersonID(person),
                period: period, startDay: period == "month" ? day : 1, rollsOver: rollsOver), errors
        )
    }
}
