import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct MergeDoubtTests {
    private func goods(
        _ category: UInt64?, _ price: Int64?, per unit: MeasureUnit = .kilogram, sold: MeasureUnit? = .piece
    ) -> MergeDoubt.Goods {
        MergeDoubt.Goods(
            category: category.map { CategoryID(high: 0, low: $0) },
            base: price.map { UnitPrice(thousandthsOfMinor: $0, per: unit) }, sold: sold)
    }

    @Test func `reports doubts about the category, the price and the unit`() {
        #expect(MergeDoubt.doubts(goods(1, 100), goods(1, 199)) == [])
        #expect(MergeDoubt.doubts(goods(1, 100), goods(2, 199)) == [.category])
        #expect(MergeDoubt.doubts(goods(1, 200), goods(1, 100)) == [.price])
        #expect(MergeDoubt.doubts(goods(1, 100), goods(2, 300)) == [.category, .price])
        #expect(MergeDoubt.doubts(goods(1, 100), goods(1, 100, per: .litre)) == [.unit])
        #expect(MergeDoubt.doubts(goods(1, 100), goods(1, 100, sold: .kilogram)) == [.unit])
        #expect(MergeDoubt.doubts(goods(1, 100), goods(1, 300, sold: .kilogram)) == [.unit, .price])
    }

    @Test func `different package sizes raise a doubt, in any unit`() {
        func sized(_ thousandths: Int64, _ unit: MeasureUnit) -> MergeDoubt.Goods {
            MergeDoubt.Goods(
                category: nil, base: UnitPrice(thousandthsOfMinor: 100, per: .kilogram), sold: .piece,
                size: Quantity(thousandths: thousandths, unit: unit))
        }
        #expect(MergeDoubt.doubts(sized(90_000, .gram), sized(200_000, .gram)) == [.size])
        #expect(MergeDoubt.doubts(sized(250_000, .gram), sized(250, .kilogram)) == [])
        #expect(MergeDoubt.doubts(sized(30_002, .metre), sized(29_999, .metre)) == [])
        #expect(MergeDoubt.doubts(sized(175_000, .gram), sized(180_000, .gram)) == [.size])
        #expect(MergeDoubt.doubts(sized(90_000, .gram), goods(nil, 100)) == [])
    }

    @Test func `unknown values raise no doubt`() {
        #expect(MergeDoubt.doubts(goods(nil, 100), goods(2, 100)) == [])
        #expect(MergeDoubt.doubts(goods(1, nil, sold: nil), goods(1, 100)) == [])
        #expect(MergeDoubt.doubts(nil, goods(1, 100)) == [])
    }
}
