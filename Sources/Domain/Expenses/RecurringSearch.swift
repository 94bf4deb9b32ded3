/// Finds recurring expenses among past payments.
package enum RecurringSearch {
    package struct Payment: Hashable, Sendable {
        /// The normalised name of the payee.
        package let key: String
        /// The payee, or else the description.
        package let text: String
        package let day: LocalDate
        /// In minor units of the household's currency, greater than 0.
        package let amount: Int64
        package let category: CategoryID?
        package let isPersonal: Bool

        package init(
            key: String, text: String, day: LocalDate, amount: Int64, category: CategoryID?, isPersonal: Bool = false
        ) {
            self.key = key
            self.text = text
            self.day = day
            self.amount = amount
            self.category = category
            self.isPersonal = isPersonal
        }
    }

    package struct FoundSeries: Hashable, Sendable {
        package let recurrence: Recurrence
        /// Oldest first.
        package let payments: [Payment]

        /// The newest payment.
        package var last: Payment { payments[payments.count - 1] }

        /// The day to store as the first expected day. It is on the recurrence's day of the month. If the next expected
        /// day is not, because its month is too short, it is the day of an earlier payment.
        package var starts: LocalDate {
            let next = recurrence.next
            guard recurrence.interval != .week, next.day != recurrence.monthDay else { return next }
            return payments.last { $0.day.day == recurrence.monthDay }?.day ?? next
        }

        /// The percentage by which a later payment may differ; 0 if there are at most two different amounts.
        package var tolerance: Int64 { Set(payments.map(\.amount)).count <= 2 ? 0 : Recurrence.tolerance }

        /// Whether at least one payment is personal. The recurring expense is then personal, too, because it shows the
        /// name and the amount of that payment.
        package var isPersonal: Bool { payments.contains(where: \.isPersonal) }
    }

    /// The fewest equal payments that count as recurring if the payee also has other payments.
    static let minimumEqual = 4

    /// Returns the recurring expenses, sorted by the amount of their last payment, the largest first. Omits expenses
    /// that have ended: their next payment is overdue by more than the interval's `grace`.
    package static func find(_ payments: [Payment], today: LocalDate) -> [FoundSeries] {
        var found: [FoundSeries] = []
        for (key, group) in Dictionary(grouping: payments, by: \.key) where !key.isEmpty {
            let sorted = group.sorted { ($0.day, $0.amount) < ($1.day, $1.amount) }
            if let recurrence = recurrence(sorted) {
                found.append(FoundSeries(recurrence: recurrence, payments: sorted))
                continue
            }
            // A subscription at a payee with other purchases, such as an online store, has the same amount each time.
            for (_, equal) in Dictionary(grouping: sorted, by: \.amount) where equal.count >= minimumEqual {
                guard let recurrence = recurrence(equal), isStrict(equal, recurrence.interval) else { continue }
                found.append(FoundSeries(recurrence: recurrence, payments: equal))
            }
        }
        return found.filter { !$0.recurrence.isMissing(today: today) }
            .sorted { ($1.last.amount, $0.last.key) < ($0.last.amount, $1.last.key) }
    }

    private static func recurrence(_ payments: [Payment]) -> Recurrence? {
        Recurrence(payments.map { Recurrence.Payment(day: $0.day, amount: $0.amount) })
    }

    /// Whether every gap between two payments fits the interval.
    private static func isStrict(_ payments: [Payment], _ interval: Recurrence.Interval) -> Bool {
        zip(payments, payments.dropFirst()).allSatisfy { interval.days.contains($0.day.days(to: $1.day)) }
    }
}
