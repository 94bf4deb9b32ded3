import Domain
import Testing

/// In the app, a place is a store or a chain. Here, it is a letter.
@Suite(.timeLimit(.minutes(2))) struct BasketComparisonTests {
    private typealias Basket = BasketComparison<String>

    /// - Parameter offers: the price in minor units and its age in days, by place.
    private func item(_ quantity: Int64, _ offers: [String: (Int64, Int)]) -> Basket.Item {
        Basket.Item(
            quantity: quantity,
            offers: offers.mapValues { Basket.Offer(price: $0.0 * 1_000, ageInDays: $0.1) })
    }

    @Test func `computes the cost of the whole basket at each place, cheapest first`() {
        let basket = Basket([
            item(2_000, ["a": (100, 1), "b": (150, 1)]), item(500, ["a": (400, 1), "b": (200, 1)]),
        ])
        #expect(basket.totals.map(\.places) == [["a"], ["b"]])
        #expect(basket.totals.map(\.cost) == [400, 400])
        // At two places, each item is bought where it is cheaper.
        #expect(basket.pair?.places == ["a", "b"] && basket.pair?.cost == 300)
        #expect(basket.itemCount == 2)
    }

    @Test func `an item without a price at a place has its lowest price elsewhere in the total, and is listed`() {
        let basket = Basket([
            item(1_000, ["a": (100, 1), "b": (90, 1)]), item(1_000, ["a": (100, 1), "b": (90, 1)]),
            item(1_000, ["a": (300, 1)]), item(1_000, [:]),
        ])
        #expect(basket.itemCount == 3)
        #expect(basket.totals.map(\.cost) == [480, 500])
        #expect(basket.totals.map(\.missing) == [[2], []])
        #expect(basket.pair?.cost == nil, "one place already has all the lowest prices")
    }

    @Test func `places with prices for at most half of the items are not compared`() {
        let basket = Basket([
            item(1_000, ["a": (100, 1), "b": (100, 1)]), item(1_000, ["a": (100, 1)]),
        ])
        #expect(basket.totals.map(\.places) == [["a"]])
        #expect(basket.sparse == ["b"])
    }

    @Test func `counts prices that are older than ninety days`() {
        let basket = Basket([
            item(1_000, ["a": (100, 91), "b": (100, 90)]), item(1_000, ["a": (100, 400), "b": (50, 3)]),
        ])
        #expect(basket.totals.map(\.oldCount) == [0, 2])
    }

    @Test func `a missing price is replaced by a recent price elsewhere rather than by a lower old one`() {
        let everywhere = ["a": (100, 1), "b": (110, 1)] as [String: (Int64, Int)]
        let recent = Basket([
            item(1_000, everywhere), item(1_000, everywhere), item(1_000, ["c": (30, 91), "d": (80, 2)]),
        ])
        #expect(recent.totals.map(\.cost) == [280, 300])
        #expect(recent.totals.map(\.oldCount) == [0, 0])
        let old = Basket([item(1_000, everywhere), item(1_000, everywhere), item(1_000, ["c": (30, 91)])])
        #expect(old.totals.map(\.cost) == [230, 250])
        #expect(old.totals.map(\.oldCount) == [1, 1])
    }

    @Test func `an empty basket has no totals`() {
        let basket = Basket([])
        #expect(basket.totals.isEmpty && basket.pair == nil && basket.itemCount == 0)
    }
}
