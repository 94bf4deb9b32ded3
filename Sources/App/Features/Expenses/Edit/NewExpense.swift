import Domain

/// The origin of an expense's category. Later suggestions use only categories that a person chose.
enum CategoryDecision: String, Sendable {
    case person, rule, suggested
}

/// An expense to insert.
struct NewExpense: Sendable {
    let id: ExpenseID
    let values: ExpenseValues
    var decision = CategoryDecision.person
    /// The members between whom the expense is split equally; empty for no split.
    var people: [PersonID] = []
    /// Nil to derive it from the values.
    var payeeKey: String?

    /// Whether the expense is split. Personal expenses and cash withdrawals are not.
    func isSplit(_ members: [PersonID]) -> Bool {
        people.contains(where: members.contains) && !values.isPersonal && values.kind != .withdrawal
    }
}
