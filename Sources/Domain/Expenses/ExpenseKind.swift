/// The effect of an expense on the household's money.
package enum ExpenseKind: String, Sendable, CaseIterable, Codable {
    case expense
    /// Reduces spending.
    case refund
    case income
    /// Cash taken from an account: a transfer, not spending.
    case withdrawal

    package var flow: MoneyFlow {
        switch self {
        case .expense, .refund: .spending
        case .income: .income
        case .withdrawal: .withdrawal
        }
    }

    /// The sign with which an expense changes the sum of its flow.
    package var sign: Int64 { self == .refund ? -1 : 1 }
}

/// The flows that have separate sums: spending, income and cash withdrawals.
package enum MoneyFlow: String, Sendable, CaseIterable, Codable {
    case spending, income, withdrawal
}
