import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct MergeDoubtTests {
    private func properties(
        _ category: UInt64?, _ price: Int64?, per unit: MeasureUnit = .kilogram, sold: MeasureUnit? = .piece
    ) -> MergeDoubt.Properties {
        MergeDoubt.Properties(
            category: category.map { CategoryID(high: 0, low: $0) },
            base: price.map { UnitPrice(thousandthsOfMinor: $0, per: unit) }, sold: sold)
    }

    @Test func `reports doubts about the category, the price and the unit`() {
        #expect(MergeDoubt.doubts(properties(1, 100), properties(1, 199)) == [])
        #expect(MergeDoubt.doubts(properties(1, 100), properties(2, 199)) == [.category])
        #expect(MergeDoubt.doubts(properties(1, 200), properties(1, 100)) == [.price])
        #expect(MergeDoubt.doubts(properties(1, 100), properties(2, 300)) == [.category, .price])
        #expect(MergeDoubt.doubts(properties(1, 100), properties(1, 100, per: .litre)) == [.unit])
        #expect(MergeDoubt.doubts(properties(1, 100), properties(1, 100, sold: .kilogram)) == [.unit])
        #expect(MergeDoubt.doubts(properties(1, 100), properties(1, 300, sold: .kilogram)) == [.unit, .price])
    }

    @Test func `different package sizes raise a doubt, in any unit`() {
        func propertiesWithSize(_ thousandths: Int64, _ unit: MeasureUnit) -> MergeDoubt.Properties {
            MergeDoubt.Properties(
                category: nil, base: UnitPrice(thousandthsOfMinor: 100, per: .kilogram), sold: .piece,
                size: Quantity(thousandths: thousandths, unit: unit))
        }
        #expect(MergeDoubt.doubts(propertiesWithSize(90_000, .gram), propertiesWithSize(200_000, .gram)) == [.size])
        #expect(MergeDoubt.doubts(propertiesWithSize(250_000, .gram), propertiesWithSize(250, .kilogram)) == [])
        #expect(MergeDoubt.doubts(propertiesWithSize(30_002, .metre), propertiesWithSize(29_999, .metre)) == [])
        #expect(MergeDoubt.doubts(propertiesWithSize(175_000, .gram), propertiesWithSize(180_000, .gram)) == [.size])
        #expect(MergeDoubt.doubts(propertiesWithSize(90_000, .gram), properties(nil, 100)) == [])
    }

    @Test func `unknown values raise no doubt`() {
        #expect(MergeDoubt.doubts(properties(nil, 100), properties(2, 100)) == [])
        #expect(MergeDoubt.doubts(properties(1, nil, sold: nil), properties(1, 100)) == [])
        #expect(MergeDoubt.doubts(nil, properties(1, 100)) == [])
    }
}
