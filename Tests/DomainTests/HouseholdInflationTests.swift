import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct HouseholdInflationTests {
    private func basket(_ count: Int, _ products: [HouseholdInflation.MatchedProduct] = []) -> [HouseholdInflation
        .MatchedProduct]
    {
        products + Array(repeating: .init(before: 100_000, now: 100_000, costBefore: 1_000), count: count)
    }

    @Test func `computes today's cost of the earlier quantities`() throws {
        // Milk for 30.00 costs 10 % more, bread for 10.00 costs 20 % less, and items for 80.00 are unchanged.
        let inflation = try #require(
            HouseholdInflation(
                basket(
                    8,
                    [
                        .init(before: 100_000, now: 110_000, costBefore: 3_000),
                        .init(before: 500_000, now: 400_000, costBefore: 1_000),
                    ])))
        #expect(inflation.costBefore == 12_000)
        #expect(inflation.costNow == 12_100)
        #expect(inflation.permille == 8)
        #expect(inflation.productCount == 10)
    }

    @Test func `the rate is zero again when the prices return to their earlier level`() throws {
        let up = try #require(HouseholdInflation(basket(9, [.init(before: 3, now: 4, costBefore: 1_000)])))
        let back = try #require(HouseholdInflation(basket(9, [.init(before: 3, now: 3, costBefore: 1_000)])))
        #expect(up.permille == 33 && back.permille == 0)
    }

    @Test func `inflation is nil for fewer than ten products with prices`() {
        #expect(HouseholdInflation(basket(9)) == nil)
        #expect(HouseholdInflation(basket(9, [.init(before: 0, now: 1, costBefore: 1)])) == nil)
        #expect(HouseholdInflation(basket(9, [.init(before: 1, now: 1, costBefore: 0)])) == nil)
        #expect(HouseholdInflation(basket(10)) != nil)
    }

    @Test(arguments: [(250, 1_000, true), (249, 1_000, false), (4_000, 1_000, true), (4_001, 1_000, false)])
    func `leaves out a product whose price changed by more than a factor of four`(
        now: Int64, before: Int64, counts: Bool
    ) throws {
        let products = basket(10, [.init(before: before, now: now, costBefore: 1_000)])
        let inflation = try #require(HouseholdInflation(products))
        #expect(inflation.productCount == (counts ? 11 : 10))
        #expect((inflation.permille == 0) == !counts)
        #expect(HouseholdInflation.count(products) == inflation.productCount)
    }

    @Test func `does not lose cents by rounding and does not overflow`() throws {
        let cents = Array(
            repeating: HouseholdInflation.MatchedProduct(before: 1_000, now: 1_400, costBefore: 1), count: 100)
        #expect(try #require(HouseholdInflation(cents)).costNow == 140)
        let largest = HouseholdInflation.MatchedProduct(before: 1, now: .max, costBefore: .max)
        #expect(HouseholdInflation(Array(repeating: largest, count: 10)) == nil)
    }
}
