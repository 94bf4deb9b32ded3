import Domain
import JSON

/// A change of an expense as JSON. Members of the object replace the values of the stored or new expense; the values of
/// missing members do not change.
struct ExpensePatch: Sendable {
    let values: ExpenseValues
    /// Whether the body contains a category. The category can be null.
    let hasCategory: Bool

    /// - Throws: `APIProblem` 422, which lists all errors.
    init(_ object: JSONObject, over stored: ExpenseValues?, _ choices: ExpenseChoices, _ member: Member) throws {
        var fields = JSONFields(object)
        let (today, isNew) = (WallClock.today(), stored == nil)
        var values =
            stored
            ?? ExpenseValues(
                kind: .expense, what: "", amount: Amount(minorUnits: 0, currency: choices.home), stated: nil,
                day: today,
                payee: "", category: nil, paidBy: member.person, labels: [], note: "", isPersonal: false)
        if let kind = fields.given("kind", { $0.choice("kind", of: ExpenseKind.self) }) { values.kind = kind }
        if isNew {
            values.what = fields.requiredText("what", 1...TextLimit.purpose)
            if !fields.has("amount_minor") { fields.refuse("amount_minor", "is required") }
        } else if let what = fields.given("what", { $0.text("what", 1...TextLimit.purpose) }) {
            values.what = what
        }
        let currency = fields.given("currency") { $0.currency("currency") } ?? values.amount.currency
        let amount = fields.given("amount_minor") { $0.minorUnits("amount_minor") } ?? values.amount.minorUnits
        values.amount = Amount(minorUnits: amount, currency: currency)
        values.stated = Self.stated(&fields, values, home: choices.home)
        let days = LocalDate.firstPurchaseDay...today.adding(days: 366)
        if let day = fields.given("day", { $0.day("day", days) }) { values.day = day }
        if let payee = fields.given("payee", { $0.text("payee", 0...TextLimit.payee) }) { values.payee = payee }
        if let note = fields.given("note", { $0.text("note", 0...TextLimit.note) }) { values.note = note }
        if let labels = fields.given("labels", { $0.labels("labels") }) { values.labels = labels }
        hasCategory = fields.has("category_id")
        if hasCategory { values.category = fields.category("category_id", of: choices.categories) }
        if fields.has("paid_by") { values.paidBy = Self.payer(&fields, values.paidBy, choices) }
        if let isPersonal = fields.given("is_personal", { $0.flag("is_personal") }) { values.isPersonal = isPersonal }
        try fields.finish()
        self.values = values
    }

    /// Reads the amount in the household's currency, which is only allowed for an expense in another currency.
    private static func stated(_ fields: inout JSONFields, _ values: ExpenseValues, home: CurrencyCode) -> Amount? {
        let isForeign = values.amount.currency != home
        guard fields.has("stated_minor") else { return isForeign ? values.stated : nil }
        guard let minorUnits = fields.minorUnits("stated_minor") else { return nil }
        guard isForeign else {
            fields.refuse("stated_minor", "is only allowed for amounts in a currency other than \(home.code)")
            return nil
        }
        return Amount(minorUnits: minorUnits, currency: home)
    }

    /// Reads the payer: a member, or the stored payer even if that person has left the household.
    static func payer(
        _ fields: inout JSONFields, _ stored: PersonID?, _ choices: ExpenseChoices
    ) -> PersonID? {
        // Read a copy, because `person` refuses a former member, and a malformed value must add only one error.
        var copy = fields
        if let stored, copy.identifier("paid_by") == stored { return stored }
        return fields.person("paid_by", of: choices)
    }
}
