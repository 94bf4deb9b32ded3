import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(1))) struct SavingsStateTests {
    private let today = LocalDate(parsing: "2026-11-26") ?? .earliest

    @Test func `a savings goal states the amount needed each month, and whether it is on course`() throws {
        let start = try #require(LocalDate(parsing: "2026-01-01"))
        let end = try #require(LocalDate(parsing: "2026-12-31"))
        let state = SavingsState(target: 120_000, saved: 100_000, from: start, until: end, today: today)
        #expect(state.monthsLeft == 2 && state.perMonth == 10_000 && !state.isOnCourse && state.percent == 83)
        let done = SavingsState(target: 120_000, saved: 120_000, from: start, until: end, today: end.adding(days: 1))
        #expect(done.isReached && done.perMonth == nil && done.monthsLeft == 0)
    }
}
