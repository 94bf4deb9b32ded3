import Domain
import HTTP
import Templates

/// The fields of the form for a recurring expense as typed.
struct RecurringForm: Sendable {
    var name = ""
    var amount = ""
    var interval = Recurrence.Interval.month
    var day = ""
    var category = ""
    var tolerance = "0"
    var isPersonal = false

    private static let tolerances: [Int64] = [0, 5, 10, 20, 50]

    /// The tolerances to offer, in percent. Includes the form's own tolerance, because API clients can store other
    /// values.
    var tolerances: [String] {
        Set(Self.tolerances + [Int64(tolerance)].compactMap { $0 }).sorted().map { String($0) }
    }

    init(today: LocalDate) { day = today.iso }

    /// - Throws: `Refusal.badRequest` for values that the form does not offer.
    init(_ form: FormFields) throws {
        name = try form.required("name")
        amount = try form.required("amount")
        day = try form.required("day")
        category = form.trimmed("category") ?? ""
        tolerance = form.trimmed("tolerance") ?? "0"
        isPersonal = form["personal"] != nil
        guard let interval = Recurrence.Interval(rawValue: form.trimmed("interval") ?? "month"),
            category.isEmpty || CategoryID(category) != nil, (0...50).contains(Int64(tolerance) ?? -1)
        else { throw Refusal.badRequest }
        self.interval = interval
    }

    init(_ stored: StoredRecurring, home: CurrencyCode, _ language: Language) {
        let values = stored.values
        name = values.name
        amount = Amount(minorUnits: values.amount, currency: home).field(language)
        interval = values.interval
        day = stored.next.iso
        category = values.category?.description ?? ""
        tolerance = String(values.tolerance)
        isPersonal = values.isPersonal
    }

    func values(home: CurrencyCode, _ words: LanguageTexts) -> (values: StoredRecurring.Values?, errors: FieldErrors) {
        var errors = FieldErrors()
        errors["name"] = TextLimit.problem(name, TextLimit.purpose, words)
        let parsed = Amount.positive(amount, in: home)
        if parsed == nil { errors["amount"] = words["server.form.number"] }
        let first = LocalDate(parsing: day)
        if first.map({ $0 < .firstPurchaseDay || $0 > WallClock.today().adding(days: 3_660) }) ?? true {
            errors["day"] = words["server.form.date"]
        }
        guard errors.isEmpty, let parsed, let first else { return (nil, errors) }
        return (
            StoredRecurring.Values(
                name: name, category: CategoryID(category), interval: interval, starts: first,
                amount: parsed, tolerance: Int64(tolerance) ?? 0, isPersonal: isPersonal), errors
        )
    }
}
