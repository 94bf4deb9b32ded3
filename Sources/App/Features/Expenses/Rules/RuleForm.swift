import Domain
import HTTP
import Templates

/// The fields of the rule form as typed.
struct RuleForm: Sendable {
    var contains = ""
    var minimumAmount = ""
    var maximumAmount = ""
    var category = ""
    var labels = ""
    var people: [PersonID] = []

    init() {}

    /// - Throws: `Refusal.badRequest` for values that the form cannot send.
    init(_ form: FormFields) throws {
        contains = try form.required("contains")
        minimumAmount = form.trimmed("least") ?? ""
        maximumAmount = form.trimmed("most") ?? ""
        category = form.trimmed("category") ?? ""
        labels = form.trimmed("labels") ?? ""
        people = form.values("person").compactMap { PersonID($0) }
        guard category.isEmpty || CategoryID(category) != nil, people.count == form.values("person").count else {
            throw Refusal.badRequest
        }
    }

    init(_ values: StoredRule.Values, home: CurrencyCode, _ language: Language) {
        contains = values.contains
        minimumAmount = values.minimumAmount.map { Amount(minorUnits: $0, currency: home).field(language) } ?? ""
        maximumAmount = values.maximumAmount.map { Amount(minorUnits: $0, currency: home).field(language) } ?? ""
        category = values.category?.description ?? ""
        labels = values.labels.joined(separator: ", ")
        people = values.people
    }

    func values(home: CurrencyCode, _ words: LanguageTexts) -> (values: StoredRule.Values?, errors: FieldErrors) {
        var errors = FieldErrors()
        errors["contains"] = TextLimit.excess(contains, TextLimit.payee, words)
        func limit(_ text: String, _ field: String) -> Int64? {
            guard !text.isEmpty else { return nil }
            guard let amount = try? Amount(parsing: text, currency: home), amount.currency == home,
                amount.minorUnits >= 0
            else {
                errors[field] = words["server.form.number"]
                return nil
            }
            return amount.minorUnits
        }
        let (minimum, maximum) = (limit(minimumAmount, "least"), limit(maximumAmount, "most"))
        if let minimum, let maximum, minimum > maximum { errors["most"] = words["server.rule.order"] }
        let labels = TypedExpense.labels(labels)
        if !TypedExpense.allowsLabels(labels) {
            errors["labels"] = words["server.expense.labels"]
        }
        let values = StoredRule.Values(
            contains: contains, minimumAmount: minimum, maximumAmount: maximum, category: CategoryID(category),
            labels: labels,
            people: Array(Set(people)).sorted())
        if errors.isEmpty, values.rule.isEmpty { errors["contains"] = words["server.rule.condition"] }
        if errors.isEmpty, values.category == nil, labels.isEmpty, people.isEmpty {
            errors["category"] = words["server.rule.outcome"]
        }
        return (errors.isEmpty ? values : nil, errors)
    }
}
