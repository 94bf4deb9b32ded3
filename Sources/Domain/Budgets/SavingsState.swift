/// The state of a savings goal on a day. Amounts are in minor units.
package struct SavingsState: Hashable, Sendable {
    package let target: Int64
    /// Deposits minus withdrawals.
    package let saved: Int64
    /// The number of months until the target day, including the current month and the month of that day; 0 if the day
    /// has passed.
    package let monthsLeft: Int
    /// The amount that would be saved by today at an even rate.
    package let planned: Int64

    package init(target: Int64, saved: Int64, from start: LocalDate, until end: LocalDate, today: LocalDate) {
        self.target = target
        self.saved = saved
        let months = (end.year - today.year) * 12 + end.monthNumber - today.monthNumber + 1
        monthsLeft = today > end ? 0 : max(1, months)
        let (all, passed) = (
            max(1, start.days(to: end)), min(max(0, start.days(to: today)), max(1, start.days(to: end)))
        )
        planned = Int64(Int128(target) * Int128(passed) / Int128(all))
    }

    /// The amount that is not yet saved.
    package var left: Int64 { max(0, target - saved) }
    package var isReached: Bool { saved >= target }
    /// The amount by which withdrawals exceed deposits; 0 if they do not.
    package var overdrawn: Int64 { max(0, -saved) }
    /// Whether at least the planned amount is saved.
    package var isOnCourse: Bool { saved >= planned }

    /// The monthly deposit that reaches the target in time, rounded up; nil if the goal is reached or its day has
    /// passed.
    package var perMonth: Int64? {
        guard left > 0, monthsLeft > 0 else { return nil }
        return (left + Int64(monthsLeft) - 1) / Int64(monthsLeft)
    }

    /// The saved part of the target in percent, 0…100.
    package var percent: Int { Int(min(100, max(0, Int128(saved) * 100 / Int128(max(1, target))))) }
}
