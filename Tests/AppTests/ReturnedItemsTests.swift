import Domain
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Items that were returned reduce the quantities of the usual basket and of the inflation.
@Suite(.timeLimit(.minutes(5))) struct ReturnedItemsTests {
    /// Confirms a receipt with one returned package of milk.
    private func returnMilk(_ harness: AppHarness, _ anna: Browser, _ minor: Int64, daysAgo: Int) async throws {
        let day = WallClock.today().adding(days: -daysAgo).iso
        var line = try #require(SyncScene.line("Milch 1L", -minor).object)
        line["quantity_thousandths"] = .integer(-1_000)
        let receipt = SyncScene.receipt(
            [SyncScene.line("SEMMEL", 500), .object(line)], store: "SPAR", stage: "confirmed")
        try await SyncScene(harness, anna).edit(SyncScene.key(.receipt)) {
            $0 = receipt
            $0["day"] = .string(day)
        }
    }

    @Test(.database) func `a returned item reduces the quantity of the usual basket`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try await harness.comparisonGroup(
                [("SPAR", "1,20", 5), ("SPAR", "1,20", 20), ("SPAR", "1,20", 40), ("SPAR", "1,20", 50)], by: anna)
            let caller = try await harness.caller(anna)
            func quantity() async throws -> Int64? {
                try await caller.get("/api/v1/comparison/basket").json["entries"]?.array?
                    .first?["quantity_thousandths"]?.integer
            }
            // Four litres in 90 days are 1.33 litres in a month.
            #expect(try await quantity() == 1_333)
            try await returnMilk(harness, anna, 120, daysAgo: 4)
            #expect(try await quantity() == 1_000)
            for daysAgo in 1...3 { try await returnMilk(harness, anna, 120, daysAgo: daysAgo) }
            #expect(try await quantity() == nil)
        }
    }

    @Test(.database) func `the return of an item that was bought before the period does not change the mean price`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await anna.importTable([
                ("Milch 1L", "1,00", daysAgo(HouseholdInflation.distance + 10)),
                ("Milch 1L", "2,00", daysAgo(HouseholdInflation.windowDays + 10)), ("Milch 1L", "3,00", daysAgo(10)),
                ("Milch 1L", "3,00", daysAgo(8)),
            ])
            try await returnMilk(harness, anna, 200, daysAgo: 5)
            let means = try await harness.database.read(
                anna.household, OverviewQueries.matchedProducts(anna.household, today: WallClock.today())
            ).decode((Int64, Int64, Int64).self).map { [$0.0, $0.1] }
            #expect(means == [[100_000, 300_000]])
        }
    }

    @Test(.database) func `a returned item reduces its weight in the inflation`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let before = HouseholdInflation.distance + 10
            try await anna.importTable([
                ("Milch 1L", "1,00", daysAgo(before)), ("Milch 1L", "2,00", daysAgo(before + 5)),
                ("Milch 1L", "3,00", daysAgo(10)),
            ])
            func matched() async throws -> [[Int64]] {
                try await harness.database.read(
                    anna.household, OverviewQueries.matchedProducts(anna.household, today: WallClock.today())
                ).decode((Int64, Int64, Int64).self).map { [$0.0, $0.1, $0.2] }
            }
            #expect(try await matched() == [[150_000, 300_000, 300]])
            // The package that cost 2,00 € is returned.
            try await returnMilk(harness, anna, 200, daysAgo: before - 1)
            #expect(try await matched() == [[100_000, 300_000, 100]])
            // The other package is returned, too, so the product was not bought in that period.
            try await returnMilk(harness, anna, 100, daysAgo: before - 2)
            #expect(try await matched() == [])
        }
    }
}
