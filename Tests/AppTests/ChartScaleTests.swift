import Domain
import Testing

@testable import App

@Suite(.timeLimit(.minutes(2))) struct ChartScaleTests {
    private func scale(_ lowest: Int64, _ highest: Int64, _ first: String = "2026-01-01", _ last: String = "2026-11-20")
        -> ChartScale
    {
        ChartScale(
            lowest: lowest * 1_000, highest: highest * 1_000, by: .price,
            from: LocalDate(parsing: first) ?? .firstPurchaseDay, to: LocalDate(parsing: last) ?? .firstPurchaseDay)
    }

    @Test(
        arguments: [
            // The line of a price that changed by a cent is nearly horizontal.
            (349, 350, [450, 400, 350, 300, 250]), (100, 120, [130, 120, 110, 100, 90]),
            // The axis starts at zero if the lowest price is near it.
            (40, 150, [150, 100, 50, 0]), (1, 3, [3, 2, 1, 0]),
        ] as [(Int64, Int64, [Int64])])
    func `the axis has round steps and covers at least a third of the price`(
        lowest: Int64, highest: Int64, steps: [Int64]
    ) {
        let scale = scale(lowest, highest)
        #expect(scale.steps.map { $0 / 1_000 } == steps)
    }

    @Test(arguments: [1, 7, 33, 99, 180, 1_234, 99_999] as [Int64])
    func `every price is inside the plot, which has two to seven grid lines`(highest: Int64) throws {
        for lowest in [0, highest / 10, highest / 2, highest] {
            let scale = scale(lowest, highest)
            #expect((2...7).contains(scale.steps.count))
            for price in [lowest, highest] {
                let y = try #require(Double(scale.y(price * 1_000)))
                #expect((10...86).contains(y))
            }
        }
    }

    @Test(
        arguments: [
            ("2026-01-10", "2026-11-20", ["2026-04-01", "2026-07-01", "2026-10-01"]),
            ("2024-02-01", "2026-11-20", ["2025-01-01", "2026-01-01"]),
            ("2026-09-05", "2026-11-20", ["2026-10-01", "2026-11-01"]),
            ("2026-11-01", "2026-11-20", ["2026-11-01", "2026-11-20"]),
        ])
    func `labels the first days of months or years, far enough apart for a phone`(
        first: String, last: String, expected: [String]
    ) {
        let scale = scale(100, 200, first, last)
        let main = scale.dates.filter { !$0.isExtra }
        #expect(main.map(\.day.iso) == expected)
        for (one, two) in zip(main, main.dropFirst()) {
            #expect(scale.position(two.day) - scale.position(one.day) >= 240)
        }
        // The year is shown once, at its first tick.
        let named = main.filter { $0.form == .monthAndYear }.map(\.day.year)
        #expect(Set(named).count == named.count)
    }

    @Test func `labels do not overlap in any period`() throws {
        let start = try #require(LocalDate(parsing: "2020-03-17"))
        for days in stride(from: 1, to: 4_000, by: 37) {
            let scale = ChartScale(
                lowest: 100_000, highest: 200_000, by: .price, from: start, to: start.adding(days: days))
            let dates = scale.dates
            #expect(dates.count { !$0.isExtra } >= 2)
            for (one, two) in zip(dates, dates.dropFirst()) where one.form != .day {
                #expect(scale.position(two.day) - scale.position(one.day) >= 100)
            }
        }
    }
}
