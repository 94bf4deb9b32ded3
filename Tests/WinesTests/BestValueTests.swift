import Testing

@testable import Wines

@Suite(.timeLimit(.minutes(5))) struct BestValueTests {
    private static let list = [(2000, 86), (2200, 87), (2400, 91), (2600, 88), (2800, 88), (9000, 95)].map {
        BestValue.Offer(price: $0.0, score: $0.1)
    }

    @Test func `ranks a wine among wines of about the same price`() {
        let value = BestValue(list: Self.list)
        #expect(value.rank(Self.list[2])?.share == 800)
        #expect(value.rank(Self.list[2])?.isBest == true)
        #expect(value.rank(Self.list[0])?.share == 0)
        #expect(value.rank(Self.list[2])?.comparedCount == 5)
    }

    @Test func `does not rank wines of a list with too few scores`() {
        let few = Array(Self.list.prefix(5))
        #expect(BestValue(list: few).rank(few[0]) == nil)
        #expect(BestValue(list: [], catalogue: Self.list).rank(Self.list[0]) == nil)
    }

    @Test func `compares with the catalogue's prices, multiplied by the list's usual factor`() {
        let catalogue = Self.list.map { BestValue.Offer(price: $0.price / 2, score: $0.score + 4) }
        let value = BestValue(list: Self.list, catalogue: catalogue)
        #expect(value.rank(Self.list[2])?.comparedCount == 11)
        #expect((value.rank(Self.list[2])?.share ?? 0) < 700)
    }

    @Test(arguments: [
        (100, ScoreBand.outstanding), (95, .outstanding), (94, .excellent), (89, .veryGood), (80, .good), (79, .below),
    ])
    func `assigns scores to bands`(score: Int, band: ScoreBand) {
        #expect(ScoreBand(score: score) == band)
    }
}
