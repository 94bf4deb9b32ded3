import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(1))) struct RecurringSearchTests {
    private let today = LocalDate(parsing: "2026-11-26") ?? .earliest

    private func payments(_ key: String, _ entries: [(String, Int64)]) -> [RecurringSearch.Payment] {
        entries.map {
            RecurringSearch.Payment(
                key: key, text: key, day: LocalDate(parsing: $0.0) ?? .earliest, amount: $0.1, category: nil)
        }
    }

    @Test func `finds a subscription beside other purchases of the same payee`() throws {
        let prime = payments(
            "store", [("2026-08-12", 899), ("2026-09-12", 899), ("2026-10-12", 899), ("2026-11-12", 899)])
        let others = payments("store", [("2026-08-20", 2_500), ("2026-09-01", 410), ("2026-11-02", 7_777)])
        let foundSeries = RecurringSearch.find(prime + others, today: today)
        #expect(foundSeries.count == 1 && foundSeries.first?.last.amount == 899 && foundSeries.first?.tolerance == 0)
        #expect(RecurringSearch.find(others, today: today).isEmpty)
    }

    @Test func `does not find ended payments, and finds varying amounts with a tolerance`() throws {
        let ended = payments("old", [("2026-01-05", 500), ("2026-02-05", 500), ("2026-03-05", 500)])
        #expect(RecurringSearch.find(ended, today: today).isEmpty)
        let energy = payments(
            "energy", [("2026-08-05", 9_800), ("2026-09-05", 10_200), ("2026-10-05", 9_900), ("2026-11-05", 10_000)])
        #expect(RecurringSearch.find(energy, today: today).first?.tolerance == 20)
    }

    @Test func `a series starts on its day of the month, even if the month of the next payment is too short`() throws {
        let rent = payments("rent", [("2026-08-31", 900), ("2026-09-30", 900), ("2026-10-31", 900)])
        let end = try #require(RecurringSearch.find(rent, today: today).first)
        #expect(end.recurrence.next.iso == "2026-11-30" && end.starts.iso == "2026-10-31")
        let club = payments("club", [("2026-09-12", 900), ("2026-10-12", 900), ("2026-11-12", 900)])
        #expect(RecurringSearch.find(club, today: today).first?.starts.iso == "2026-12-12")
    }

    @Test func `random purchases are not recurring`() {
        var random = SplitMix64(seed: 5)
        var found = 0
        for _ in 0..<200 {
            let entries = (0..<Int.random(in: 5...60, using: &random)).map { _ in
                (
                    today.adding(days: -Int.random(in: 0...700, using: &random)).iso,
                    Int64.random(in: 100...9_000, using: &random)
                )
            }
            found += RecurringSearch.find(payments("shop", entries), today: today).count
        }
        #expect(found == 0)
    }
}
