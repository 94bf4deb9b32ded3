import Domain

/// The origin of an expense's category. Suggestions learn only from categories that a person chose.
enum CategoryDecision: String, Sendable {
    case person, rule, suggested
}

/// An expense to insert.
struct NewExpense: Sendable {
    let id: ExpenseID
    let values: ExpenseValues
    var decision = CategoryDecision.person
    /// The members between whom the expense is split equally; empty when it is not split.
    var people: [PersonID] = []
    /// Nil to derive it from the values.
    var payeeKey: String?

    /// Personal expenses and cash are not split.
    func isSplit(_ members: [PersonID]) -> Bool {
        people.contains(where: members.contains) && !values.isPersonal && values.kind != .withdrawal
    }
}
