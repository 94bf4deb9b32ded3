import Domain

/// Who decided the category of an expense. Only what a person chose is learned.
enum CategoryDecision: String, Sendable {
    case person, rule, suggested
}

/// An expense that is inserted.
struct NewExpense: Sendable {
    let id: ExpenseID
    let values: ExpenseValues
    var decision = CategoryDecision.person
    /// Between whom it is split equally; empty for the household's.
    var people: [PersonID] = []
    /// Nil for that of the values.
    var payeeKey: String?

    /// Personal expenses and cash are not split.
    func isSplit(_ members: [PersonID]) -> Bool {
        people.contains(where: members.contains) && !values.isPersonal && values.kind != .withdrawal
    }
}
