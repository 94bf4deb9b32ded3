import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct RecurrenceTests {
    private func payments(_ entries: [(String, Int64)]) -> [Recurrence.Payment] {
        entries.map { Recurrence.Payment(day: LocalDate(parsing: $0.0) ?? .earliest, amount: $0.1) }
    }

    @Test func `finds a monthly rent and the change of its amount`() throws {
        let rent = try #require(
            Recurrence(
                payments([
                    ("2026-08-01", 80_000), ("2026-09-01", 80_000), ("2026-10-02", 80_000), ("2026-11-01", 84_000),
                ])))
        #expect(rent.interval == .month && rent.monthDay == 1)
        #expect(rent.amountBefore == 80_000 && rent.last.amount == 84_000)
        #expect(rent.next.iso == "2026-12-01")
        #expect(!rent.isMissing(today: LocalDate(parsing: "2026-12-08") ?? .earliest))
        #expect(rent.isMissing(today: LocalDate(parsing: "2026-12-09") ?? .earliest))
    }

    @Test func `a payment at the end of a month is expected at the end of the next one`() throws {
        let salary = try #require(
            Recurrence(payments([("2025-12-31", 1), ("2026-01-31", 1), ("2026-02-28", 1), ("2026-03-31", 1)])))
        #expect(salary.next.iso == "2026-04-30")
    }

    @Test(
        arguments: [
            (["2026-02-28", "2026-03-31", "2026-04-30"], 31, "2026-05-31"),
            (["2026-01-30", "2026-02-28", "2026-03-30"], 30, "2026-04-30"),
            (["2026-02-28", "2026-03-28", "2026-04-28"], 28, "2026-05-28"),
            (["2025-06-30", "2025-09-30", "2025-12-31", "2026-03-31"], 31, "2026-06-30"),
            (["2024-02-29", "2025-02-28", "2026-02-28"], 29, "2027-02-28"),
        ] as [([String], Int, String)])
    func `payments on the last day of a short month can belong to a later day of the month`(
        days: [String], monthDay: Int, next: String
    ) throws {
        let recurrence = try #require(Recurrence(payments(days.map { ($0, 100) })))
        #expect(recurrence.monthDay == monthDay && recurrence.next.iso == next)
    }

    @Test(
        arguments: [
            (.month, 1, "2026-10-30", "2026-12-01"), (.month, 1, "2026-11-03", "2026-12-01"),
            (.month, 31, "2026-11-02", "2026-11-30"), (.month, 12, "2026-10-28", "2026-11-12"),
            (.quarter, 1, "2026-12-31", "2027-04-01"), (.year, 30, "2026-07-01", "2027-06-30"),
        ] as [(Recurrence.Interval, Int, String, String)])
    func `a payment that a weekend moved to another month does not move the next payment`(
        interval: Recurrence.Interval, monthDay: Int, paid: String, next: String
    ) throws {
        let last = Recurrence.Payment(day: try #require(LocalDate(parsing: paid)), amount: 100)
        #expect(Recurrence(interval: interval, monthDay: monthDay, last: last).next.iso == next)
    }

    @Test(
        arguments: [
            [("2026-01-01", 100), ("2026-02-01", 100)],
            [("2026-01-01", 100), ("2026-01-20", 100), ("2026-03-15", 100), ("2026-03-18", 100)],
            [("2026-01-01", 100), ("2026-02-01", 300), ("2026-03-01", 900), ("2026-04-01", 50)],
        ] as [[(String, Int64)]])
    func `two payments and irregular payments are not recurring`(entries: [(String, Int64)]) {
        #expect(Recurrence(payments(entries)) == nil)
    }

    @Test func `a yearly fee is expected once a year`() throws {
        let fee = try #require(Recurrence(payments([("2024-03-10", 500), ("2025-03-11", 500), ("2026-03-10", 520)])))
        #expect(fee.interval == .year)
        let today = LocalDate(parsing: "2026-11-25") ?? .earliest
        #expect(fee.expected(after: today, until: today.adding(days: 365)).map(\.iso) == ["2027-03-10"])
    }
}
