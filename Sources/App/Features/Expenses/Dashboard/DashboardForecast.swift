import Domain

extension DashboardQueries.Result {
    /// Recurring expenses that are still to come this month.
    func expected(today: LocalDate) -> Int64 {
        recurring.reduce(0) { sum, recurring in
            let days = recurring.expected(today: today, until: today.month.next.firstDay)
            return sum + recurring.values.amount * Int64(days.count)
        }
    }

    /// What the running month will cost.
    ///
    /// - Parameter spent: in this month so far.
    func forecast(spent: Int64, today: LocalDate) -> MonthForecast? {
        let rests = (1..<DashboardQueries.trendMonths).compactMap { distance -> Int64? in
            let month = today.month.adding(-distance)
            return trend[month] == nil ? nil : self.rests[month] ?? 0
        }
        return MonthForecast(spent: spent, expected: expected(today: today), rests: rests)
    }
}
