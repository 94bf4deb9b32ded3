import Domain
import Testing

@testable import Demo

@Suite(.timeLimit(.minutes(5))) struct DemoHouseholdTests {
    static let day = LocalDate(parsing: "21.11.2026") ?? .latest
    static let household = DemoHousehold(endingOn: day)

    @Test func `generates two years of receipts`() throws {
        let household = Self.household
        #expect((270...330).contains(household.receipts.count), "\(household.receipts.count)")
        #expect(household.stores.count == 8)
        #expect(household.chains.count == 5)
        #expect((150...210).contains(household.products.count), "\(household.products.count)")
        let days = household.receipts.map(\.day)
        #expect(days == days.sorted())
        #expect(try #require(days.first) > Self.day.month.adding(-24).firstDay)
        #expect(try #require(days.last) <= Self.day)
        let bought = Set(household.receipts.flatMap { $0.lines.compactMap(\.product) })
        #expect(bought.count >= 150)
        #expect(
            Set(household.receipts.flatMap { $0.lines.map(\.id) }).count == household.receipts.flatMap(\.lines).count)
    }

    @Test func `equal seeds generate equal households`() {
        let secondHousehold = DemoHousehold(endingOn: Self.day)
        #expect(secondHousehold.receipts.map(\.id) == Self.household.receipts.map(\.id))
        #expect(secondHousehold.receipts.map(\.total) == Self.household.receipts.map(\.total))
        #expect(DemoHousehold(seed: 2, endingOn: Self.day).receipts.map(\.id) != secondHousehold.receipts.map(\.id))
    }

    @Test func `the lines of every receipt add up to its total`() throws {
        for receipt in Self.household.receipts {
            #expect(try Money.sum(of: receipt.lines.map(\.total)) == receipt.total)
            for line in receipt.lines {
                #expect(try line.unitPrice.amount(for: line.quantity) == line.total)
                #expect((line.product != nil) == (line.kind == .item))
                if let item = line.belongsTo { #expect(receipt.lines[item].kind == .item) }
            }
        }
    }

    @Test func `the history has weights, a smaller package, a renamed product and all kinds of lines except rounding`()
    {
        let lines = Self.household.receipts.flatMap(\.lines)
        for kind in [LineKind.item, .deposit, .depositReturn, .discount, .coupon] {
            #expect(lines.contains { $0.kind == kind }, "\(kind)")
        }
        #expect(lines.contains { $0.quantity.unit == .kilogram })
        #expect(Self.household.products.contains { $0.sizes.count > 1 }, "no smaller package")
        #expect(Self.household.products.contains { $0.printedNames.count > 1 }, "no renamed product")
    }

    @Test func `reads every line of the assortment`() {
        let rows = demoAssortment.split(separator: "\n")
        let groups = DemoAssortmentGroup.read(demoAssortment)
        #expect(groups.count == rows.count(where: { $0.hasPrefix("*") }))
        #expect(groups.flatMap(\.rows).count == rows.count(where: { !$0.hasPrefix("*") }))
        #expect(groups.allSatisfy { CategoryTemplate.template($0.category) != nil })
        #expect(Self.household.products.count == groups.flatMap(\.rows).count)
    }
}
