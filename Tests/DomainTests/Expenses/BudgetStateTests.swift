import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct BudgetStateTests {
    private func day(_ text: String) -> LocalDate { LocalDate(parsing: text) ?? .earliest }

    @Test func `computes the days of weeks, of years and of months that begin on any day`() {
        let period = BudgetPeriod.month(startDay: 25)
        #expect(period.days(containing: day("2026-11-24")) == day("2026-10-25")..<day("2026-11-25"))
        #expect(period.days(containing: day("2026-11-25")) == day("2026-11-25")..<day("2026-12-25"))
        #expect(BudgetPeriod.week.days(containing: day("2026-11-25")) == day("2026-11-23")..<day("2026-11-30"))
        #expect(BudgetPeriod.year.days(containing: day("2026-11-25")) == day("2026-01-01")..<day("2027-01-01"))
    }

    @Test(arguments: [BudgetPeriod.week, .month(startDay: 1), .month(startDay: 25), .month(startDay: 28), .year])
    func `every day is in exactly one period`(period: BudgetPeriod) {
        var days = period.days(containing: day("2023-12-15"))
        for offset in 0..<1_500 {
            let today = day("2023-12-15").adding(days: offset)
            if today >= days.upperBound {
                let next = period.days(containing: today)
                #expect(next.lowerBound == days.upperBound && period.days(before: next) == days)
                days = next
            }
            #expect(days.contains(today) && period.days(containing: today) == days)
        }
    }

    @Test func `alerts at 80 and 100 percent of the limit, and for spending that is too fast`() {
        let days = day("2026-11-01")..<day("2026-12-01")
        func state(_ spent: Int64, _ today: String) -> BudgetState {
            BudgetState(limit: 30_000, spent: spent, days: days, today: day(today))
        }
        #expect(state(10_000, "2026-11-15").alert == .none)
        #expect(state(16_000, "2026-11-10").alert == .paceExceedsLimit)
        #expect(state(24_000, "2026-11-29").alert == .nearlySpent)
        #expect(state(30_000, "2026-11-29").alert == .fullySpent)
        #expect(state(0, "2026-11-29").alert == .none)
        #expect(state(10_000, "2026-11-21").leftPerDay == 2_000)
        #expect(state(31_000, "2026-11-21").leftPerDay == nil)
        // Too early for an estimate.
        #expect(state(5_000, "2026-11-02").pace == nil)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `the carried amount equals all limits minus all spending`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var carried: Int64 = 0
        var expected: Int64 = 0
        for _ in 0..<50 {
            let (limit, spent) = (
                Int64.random(in: 1...50_000, using: &random), Int64.random(in: -100...90_000, using: &random)
            )
            carried = BudgetState.carried(carried, limit: limit, spent: spent)
            expected += limit - spent
            #expect(carried == expected)
        }
    }
}
