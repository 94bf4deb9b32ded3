/// A recurring expense, found among past payments or entered.
package struct Recurrence: Hashable, Sendable {
    package enum Interval: String, Sendable, CaseIterable {
        case week, month, quarter, year

        /// The range of days between two payments of this interval.
        var days: ClosedRange<Int> {
            switch self {
            case .week: 6...8
            case .month: 26...35
            case .quarter: 84...98
            case .year: 355...375
            }
        }

        /// The number of days after which a late payment counts as missing.
        package var grace: Int {
            switch self {
            case .week: 2
            case .month: 7
            case .quarter: 14
            case .year: 30
            }
        }
    }

    package struct Payment: Hashable, Sendable {
        package let day: LocalDate
        /// In minor units.
        package let amount: Int64

        package init(day: LocalDate, amount: Int64) {
            self.day = day
            self.amount = amount
        }
    }

    package let interval: Interval
    /// For months, quarters and years: the most frequent day of the month. In a shorter month, a payment is expected on
    /// the last day.
    package let monthDay: Int
    /// The latest payment.
    package let last: Payment
    /// The amount of the payment before the last one; nil if it is the same.
    package let amountBefore: Int64?

    /// The minimum number of payments from which an interval is derived.
    package static let minimumPayments = 3
    /// The percentage by which amounts of one expense may differ. Bills for energy and telephone vary.
    package static let tolerance: Int64 = 20
    /// The maximum number of days between a due date and the payment if they are in different months.
    private static let maximumShifted = 7

    package init(interval: Interval, monthDay: Int, last: Payment, amountBefore: Int64? = nil) {
        self.interval = interval
        self.monthDay = monthDay
        self.last = last
        self.amountBefore = amountBefore
    }

    /// Derives the interval from the newest payments. Nil if they are too few, too irregular or too different.
    package init?(_ payments: [Payment]) {
        let sorted = payments.sorted { ($0.day, $0.amount) < ($1.day, $1.amount) }
        guard sorted.count >= Self.minimumPayments, let last = sorted.last else { return nil }
        let newest = sorted.suffix(6)
        let gaps = zip(newest, newest.dropFirst()).map { $0.day.days(to: $1.day) }
        guard
            let interval = Interval.allCases.first(where: { interval in
                gaps.suffix(2).allSatisfy(interval.days.contains)
            }),
            gaps.count(where: interval.days.contains) * 5 >= gaps.count * 4
        else { return nil }
        let before = newest.dropLast().map(\.amount)
        // One change is a new price. After more changes, the payments are not one expense.
        let changes = zip(newest, newest.dropFirst()).count { !Self.isAlike($0.amount, $1.amount) }
        guard changes <= 1 else { return nil }
        self.interval = interval
        monthDay = Self.monthDay(newest.map(\.day))
        self.last = last
        amountBefore = before.last.flatMap { $0 == last.amount ? nil : $0 }
    }

    /// Returns the day of the month on which most of the days are, the smallest of several. The last day of a month that
    /// does not have this day counts as this day: 28 February and 31 March are on the 31st.
    private static func monthDay(_ days: [LocalDate]) -> Int {
        func count(_ monthDay: Int) -> Int { days.count { min(monthDay, $0.month.dayCount) == $0.day } }
        let counts = Set(days.map(\.day)).map { (day: $0, count: count($0)) }
        return counts.max { ($0.count, $1.day) < ($1.count, $0.day) }?.day ?? 1
    }

    /// Whether two amounts differ by at most `tolerance` percent.
    private static func isAlike(_ one: Int64, _ other: Int64) -> Bool {
        abs(one - other) * 100 <= max(one, other) * tolerance
    }

    /// The day on which the next payment is expected.
    package var next: LocalDate { expected(after: last.day) }

    /// The day on which the next payment is expected after a payment on `day`.
    package func expected(after day: LocalDate) -> LocalDate {
        switch interval {
        case .week: day.adding(days: 7)
        case .month: onMonthDay(dueMonth(day).adding(1))
        case .quarter: onMonthDay(dueMonth(day).adding(3))
        case .year: onMonthDay(dueMonth(day).adding(12))
        }
    }

    /// The month in which a payment on `day` was due. Weekends and holidays can move a payment to the month before or
    /// after.
    private func dueMonth(_ day: LocalDate) -> Month {
        func distance(_ month: Month) -> Int { abs(onMonthDay(month).days(to: day)) }
        let month = day.month
        return [month.adding(-1), month.adding(1)]
            .first { distance($0) <= Self.maximumShifted && distance($0) < distance(month) } ?? month
    }

    /// The day of the month on which a payment is expected in `month`.
    private func onMonthDay(_ month: Month) -> LocalDate {
        month.firstDay.adding(days: min(max(monthDay, 1), month.dayCount) - 1)
    }

    /// Whether the next payment is overdue by more than the interval's `grace`.
    package func isMissing(today: LocalDate) -> Bool { next.adding(days: interval.grace) < today }

    /// The days after `today` and before `end` on which payments are expected; empty if a payment is missing.
    package func expected(after today: LocalDate, until end: LocalDate) -> [LocalDate] {
        var days: [LocalDate] = []
        var day = next
        while day < end, days.count < 60 {
            if day > today { days.append(day) }
            day = expected(after: day)
        }
        return isMissing(today: today) ? [] : days
    }
}
