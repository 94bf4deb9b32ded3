import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct ExpensePeriodTests {
    private func day(_ text: String) -> LocalDate { LocalDate(parsing: text) ?? .earliest }
    private func range(_ first: String, _ last: String) -> Range<LocalDate> { day(first)..<day(last).adding(days: 1) }

    @Test func `a current period ends today and is compared with the same days of the previous one`() {
        let today = day("2026-11-25")
        let month = ExpensePeriod.month.days(today: today)
        #expect(month == range("2026-11-01", "2026-11-25"))
        #expect(ExpensePeriod.month.before(month) == range("2026-10-01", "2026-10-25"))
        #expect(ExpensePeriod.month.yearBefore(month) == range("2025-11-01", "2025-11-25"))
        let week = ExpensePeriod.week.days(today: today)
        #expect(week == range("2026-11-23", "2026-11-25"))
        #expect(ExpensePeriod.week.before(week) == range("2026-11-16", "2026-11-18"))
        #expect(ExpensePeriod.year.days(today: today) == range("2026-01-01", "2026-11-25"))
        let days = ExpensePeriod.days30.days(today: today)
        #expect(days == range("2026-10-27", "2026-11-25"))
        #expect(ExpensePeriod.days30.before(days) == range("2026-09-27", "2026-10-26"))
    }

    @Test func `a whole month is compared with whole months`() {
        let month = ExpensePeriod.month.days(today: day("2026-11-25"), month: Month(year: 2026, number: 2))
        #expect(month == range("2026-02-01", "2026-02-28"))
        #expect(ExpensePeriod.month.before(month) == range("2026-01-01", "2026-01-31"))
        #expect(ExpensePeriod.month.yearBefore(month) == range("2025-02-01", "2025-02-28"))
    }

    @Test func `a day that the compared month does not have becomes its last day`() {
        let month = ExpensePeriod.month.days(today: day("2026-03-30"))
        #expect(ExpensePeriod.month.before(month) == range("2026-02-01", "2026-02-28"))
        #expect(day("2024-02-29").moved(months: 12) == day("2025-02-28"))
    }

    @Test func `a forecast needs three months and has a range`() {
        #expect(MonthForecast(spent: 100, remainders: [1, 2]) == nil)
        let forecast = MonthForecast(spent: 1_000, expected: 500, remainders: [300, 100, 200])
        #expect(forecast?.middle == 1_700)
        #expect(forecast?.low == 1_620)
        #expect(forecast?.high == 1_780)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a forecast is between the cheapest and the most expensive month`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let remainders = (0..<Int.random(in: 3...12, using: &random)).map { _ in
                Int64.random(in: 0...500_000, using: &random)
            }
            let forecast = try #require(MonthForecast(spent: 7, remainders: remainders))
            #expect(forecast.low <= forecast.middle && forecast.middle <= forecast.high)
            #expect(forecast.low >= 7 + (remainders.min() ?? 0) && forecast.high <= 7 + (remainders.max() ?? 0))
        }
    }
}
