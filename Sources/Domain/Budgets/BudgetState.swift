/// The state of a budget on a day of its period. Amounts are in minor units.
package struct BudgetState: Hashable, Sendable {
    /// The alerts in ascending order of urgency.
    package enum Alert: Int, Sendable, Comparable {
        case none
        /// At the current pace, spending will exceed the limit by the end of the period.
        case paceExceedsLimit
        /// At least 80 % of the limit is spent.
        case nearlySpent
        /// The whole limit is spent.
        case fullySpent

        package static func < (left: Alert, right: Alert) -> Bool { left.rawValue < right.rawValue }
    }

    /// The limit of the period plus the amount carried over.
    package let limit: Int64
    /// The amount that earlier periods left unspent; negative if they overspent.
    package let carriedOver: Int64
    package let spent: Int64
    /// The remaining days of the period including today; 0 after its end.
    package let daysLeft: Int
    /// The number of days of the period.
    package let dayCount: Int

    /// - Parameters:
    ///   - limit: the limit of the period, without the amount carried over.
    ///   - days: the days of the period.
    package init(limit: Int64, carried: Int64 = 0, spent: Int64, days: Range<LocalDate>, today: LocalDate) {
        self.limit = limit + carried
        carriedOver = carried
        self.spent = spent
        dayCount = max(1, days.lowerBound.days(to: days.upperBound))
        daysLeft = min(max(0, today.days(to: days.upperBound)), dayCount)
    }

    /// The amount that is left to spend; negative if the budget is overspent.
    package var left: Int64 { limit - spent }

    /// The amount that can be spent on each remaining day, rounded down; nil if no money or no day remains.
    package var leftPerDay: Int64? { left > 0 && daysLeft > 0 ? left / Int64(daysLeft) : nil }

    /// The spending of the whole period at the current pace, rounded up; nil in the first fifth of the period, when the
    /// estimate is too uncertain.
    package var pace: Int64? {
        let passed = dayCount - daysLeft + 1
        guard daysLeft > 0, passed * 5 >= dayCount, spent > 0 else { return nil }
        let (quotient, rest) = (Int128(spent) * Int128(dayCount)).quotientAndRemainder(dividingBy: Int128(passed))
        return Int64(quotient + (rest > 0 ? 1 : 0))
    }

    package var alert: Alert {
        if spent >= limit, spent > 0 { return .fullySpent }
        if Int128(spent) * 5 >= Int128(limit) * 4, spent > 0 { return .nearlySpent }
        if let pace, pace > limit { return .paceExceedsLimit }
        return .none
    }

    /// The spent part of the limit in percent, 0…100.
    package var percent: Int {
        limit <= 0 ? (spent > 0 ? 100 : 0) : Int(min(100, max(0, Int128(spent) * 100 / Int128(limit))))
    }

    /// The amount that a period carries over to the next one.
    ///
    /// - Parameters:
    ///   - carried: the amount carried over to this period.
    ///   - keepsDebt: whether overspending is carried over too.
    package static func carried(_ carried: Int64, limit: Int64, spent: Int64, keepsDebt: Bool = true) -> Int64 {
        let rest = limit + carried - spent
        return keepsDebt ? rest : max(0, rest)
    }
}
