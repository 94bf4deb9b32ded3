import Domain

extension DashboardQueries.Result {
    /// The sum of the recurring expenses that are still expected this month, in minor units.
    func expected(today: LocalDate) -> Int64 {
        recurring.reduce(0) { sum, recurring in
            let days = recurring.expected(today: today, until: today.month.next.firstDay)
            return sum + recurring.values.amount * Int64(days.count)
        }
    }

    /// The forecast of the current month's spending; nil with too few earlier months.
    ///
    /// - Parameter spent: the spending of this month so far.
    func forecast(spent: Int64, today: LocalDate) -> MonthForecast? {
        // Earlier months without spending are missing in `remainders`, and do not count.
        let earlier = (1..<DashboardQueries.trendMonths).compactMap { remainders[today.month.adding(-$0)] }
        return MonthForecast(spent: spent, expected: expected(today: today), remainders: earlier)
    }
}
