/// What an expense does to the household's money.
package enum ExpenseKind: String, Sendable, CaseIterable, Codable {
    case expense
    /// Counts against spending.
    case refund
    case income
    /// Cash from an account: moved, not spent.
    case withdrawal

    package var flow: MoneyFlow {
        switch self {
        case .expense, .refund: .spending
        case .income: .income
        case .withdrawal: .withdrawal
        }
    }

    /// The sign with which an amount counts in its flow.
    package var sign: Int64 { self == .refund ? -1 : 1 }
}

/// The sums that are kept apart: what was spent, what came in, what was taken from an account in cash.
package enum MoneyFlow: String, Sendable, CaseIterable, Codable {
    case spending, income, withdrawal
}
