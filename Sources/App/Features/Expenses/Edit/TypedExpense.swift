import Domain
import HTTP
import Templates

/// The fields of the expense form as typed.
struct TypedExpense: Sendable {
    /// A negative amount means money back.
    var amount = ""
    var what = ""
    var kind = ExpenseKind.expense
    var currency = CurrencyCode.eur
    /// The amount in the household's currency, for an expense in another currency.
    var stated = ""
    var day = ""
    var payee = ""
    /// The identifier of a category, or `TypedExpense.none`, or empty to use the suggested category.
    var category = ""
    var paidBy = ""
    var labels = ""
    var note = ""
    var isPersonal = false
    /// Whether to show the page that splits the expense after it is created.
    var splitsNext = false

    /// The value of the category field that means no category.
    static let none = "none"
    static let maximumLabels = 20

    init(currency: CurrencyCode, paidBy: PersonID, today: LocalDate) {
        self.currency = currency
        self.paidBy = paidBy.description
        day = today.iso
    }

    /// Missing fields get the values of a new expense, because the quick form has two fields only.
    ///
    /// - Throws: `Refusal.badRequest` for values that the form does not offer.
    init(_ form: FormFields, currency: CurrencyCode, paidBy: PersonID, today: LocalDate) throws {
        self.init(currency: currency, paidBy: paidBy, today: today)
        amount = try form.required("amount")
        what = try form.required("what")
        if let kind = form.trimmed("kind") {
            guard let kind = ExpenseKind(rawValue: kind) else { throw Refusal.badRequest }
            self.kind = kind
        }
        if let code = form.trimmed("currency") {
            guard let code = CurrencyCode(code) else { throw Refusal.badRequest }
            self.currency = code
        }
        stated = form.trimmed("stated") ?? ""
        day = form.trimmed("day") ?? day
        payee = form.trimmed("payee") ?? ""
        category = form.trimmed("category") ?? ""
        self.paidBy = form.trimmed("paid-by") ?? self.paidBy
        labels = form.trimmed("labels") ?? ""
        note = form.trimmed("note") ?? ""
        isPersonal = form["personal"] != nil
        splitsNext = form["split"] != nil
    }

    init(_ stored: StoredExpense, _ language: Language) {
        amount = stored.amount.field(language)
        what = stored.what
        kind = stored.kind
        currency = stored.amount.currency
        stated = stored.stated.map { $0.field(language) } ?? ""
        day = stored.day.iso
        payee = stored.payee
        category = stored.category?.description ?? Self.none
        paidBy = stored.paidBy?.description ?? ""
        labels = stored.labels.joined(separator: ", ")
        note = stored.note
        isPersonal = stored.isPersonal
    }

    /// Returns the parsed values, or an error message for each invalid field.
    ///
    /// - Parameter home: the household's currency.
    func values(
        home: CurrencyCode, today: LocalDate, _ words: LanguageTexts
    ) -> (values: ExpenseValues?, errors: FieldErrors) {
        var errors = FieldErrors()
        let amount = read(amount, currency, "amount", &errors, words)
        if let amount, amount.minorUnits < 0, kind == .income || kind == .withdrawal {
            errors["amount"] = words["server.expense.negative"]
        }
        let stated = stated.isEmpty ? nil : read(stated, home, "stated", &errors, words)
        if let stated, stated.currency != home { errors["stated"] = words["server.form.number"] }
        errors["what"] = TextLimit.problem(what, TextLimit.purpose, words)
        errors["payee"] = TextLimit.excess(payee, TextLimit.payee, words)
        errors["note"] = TextLimit.excess(note, TextLimit.note, words)
        let day = LocalDate(parsing: day)
        if day == nil {
            errors["day"] = words["server.form.date"]
        } else if let day, day < .firstPurchaseDay || day > today.adding(days: 366) {
            errors["day"] = words["server.expense.day-range"]
        }
        let labels = Self.labels(labels)
        if !Self.allowsLabels(labels) {
            errors["labels"] = words["server.expense.labels"]
        }
        guard errors.isEmpty, let amount, let day else { return (nil, errors) }
        let statedAmount = stated.map { Amount(minorUnits: abs($0.minorUnits), currency: home) }
        return (
            ExpenseValues(
                kind: amount.minorUnits < 0 && kind == .expense ? .refund : kind, what: what,
                amount: Amount(minorUnits: abs(amount.minorUnits), currency: amount.currency),
                stated: amount.currency == home ? nil : statedAmount, day: day, payee: payee,
                category: CategoryID(category), paidBy: PersonID(paidBy), labels: labels, note: note,
                isPersonal: isPersonal), errors
        )
    }

    private func read(
        _ text: String, _ currency: CurrencyCode, _ field: String, _ errors: inout FieldErrors, _ words: LanguageTexts
    ) -> Amount? {
        do throws(NumberError) {
            let amount = try Amount(parsing: text, currency: currency)
            guard amount.minorUnits != 0 else {
                errors[field] = words["server.expense.zero"]
                return nil
            }
            return amount
        } catch {
            switch error {
            case .empty: errors[field] = words["server.form.required"]
            case .ambiguous: errors[field] = words["server.form.ambiguous", ["value": .text(text)]]
            case .outOfRange: errors[field] = words["server.form.amount-range"]
            default: errors[field] = words["server.form.number"]
            }
            return nil
        }
    }

    /// Whether an expense or a rule can have these labels.
    static func allowsLabels(_ labels: [String]) -> Bool {
        labels.count <= maximumLabels && labels.allSatisfy { $0.length <= TextLimit.label }
            && labels.joined(separator: " ").length <= TextLimit.labels
    }

    /// Splits a text into labels at commas. Removes duplicates and the sign `#`.
    static func labels(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(separator: ",").map { part in
            var label = String(part).trimmed
            if label.hasPrefix("#") { label.removeFirst() }
            return label
        }.filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    }
}
