import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct PriceTests {
    let store = StoreID(high: 1, low: 1)
    let chain = ChainID(high: 2, low: 1)
    let milk = ProductID(high: 3, low: 1)
    let ham = ProductID(high: 3, low: 2)

    func line(
        _ number: UInt64, _ kind: LineKind = .item, product: ProductID? = nil, _ quantity: Quantity = .one,
        price: Int64? = nil, total: Int64, of item: UInt64? = nil, size: Quantity? = nil
    ) -> ConfirmedLine {
        ConfirmedLine(
            id: ReceiptLineID(high: 0, low: number), kind: kind, product: product, quantity: quantity,
            unitPrice: price.map { UnitPrice(thousandthsOfMinor: $0 * 1_000, per: quantity.unit) },
            total: Money(minorUnits: total), belongsTo: item.map { ReceiptLineID(high: 0, low: $0) }, size: size)
    }

    func day(_ text: String) -> LocalDate { LocalDate(parsing: text) ?? .earliest }

    func observe(_ lines: [ConfirmedLine], on text: String = "1.6.2026") -> [PriceObservation] {
        let sizes = [
            milk: [
                PackageSizePeriod(from: day("1.1.2026"), size: Quantity(thousandths: 1_000, unit: .litre)),
                PackageSizePeriod(from: day("1.7.2026"), size: Quantity(thousandths: 900_000, unit: .millilitre)),
            ]
        ]
        return PriceObservation.observations(in: lines, store: store, chain: chain, day: day(text), sizes: sizes)
    }

    @Test func `an item with a discount is an offer; deposits, coupons and other discounts do not count`() throws {
        let prices = observe([
            line(1, product: milk, .pieces(2), price: 129, total: 258), line(2, .discount, total: -58, of: 1),
            line(3, .deposit, total: 50, of: 1), line(4, .coupon, total: -100), line(5, .discount, total: -30),
        ])
        let price = try #require(prices.first)
        #expect(prices.count == 1)
        #expect(price.regular.formatted() == "1,29\u{A0}€/Stk.")
        #expect(price.paid.formatted() == "1,00\u{A0}€/Stk.")
        #expect(price.isOffer)
        #expect(price.regularBase?.formatted() == "1,29\u{A0}€/l")
        #expect(price.paidBase?.formatted() == "1,00\u{A0}€/l")
    }

    @Test(arguments: [[2, 3], [1, 2], [1, 3]] as [[UInt64]])
    func `a discount below one of several equal lines reduces the price of all of them`(reduced: [UInt64]) throws {
        // Three packages of milk for the price of one, and the same milk at another price.
        let lines = [
            line(1, product: milk, total: 120), line(2, product: milk, total: 120), line(3, product: milk, total: 120),
            line(4, product: milk, total: 150), line(5, product: ham, total: 120),
            line(6, .discount, total: -120, of: reduced[0]), line(7, .discount, total: -120, of: reduced[1]),
        ]
        let prices = observe(lines)
        #expect(prices.map(\.regular.thousandthsOfMinor) == [120_000, 120_000, 120_000, 150_000, 120_000])
        #expect(prices.map(\.paid.thousandthsOfMinor) == [40_000, 40_000, 40_000, 150_000, 120_000])
        #expect(prices.map(\.isOffer) == [true, true, true, false, false])
        #expect(prices.first?.paidBase?.formatted() == "0,40\u{A0}€/l")
    }

    @Test func `a discount does not reduce the price of another package size`() {
        let small = Quantity(thousandths: 500, unit: .litre)
        let prices = observe([
            line(1, product: milk, total: 120), line(2, product: milk, total: 120, size: small),
            line(3, .discount, total: -60, of: 2),
        ])
        #expect(prices.map(\.paid.thousandthsOfMinor) == [120_000, 60_000])
        #expect(prices.compactMap(\.regularBase?.thousandthsOfMinor) == [120_000, 240_000])
    }

    @Test func `equal lines share a discount by quantity`() throws {
        let ham1 = Quantity(thousandths: 500, unit: .kilogram)
        let ham2 = Quantity(thousandths: 1_500, unit: .kilogram)
        let prices = observe([
            line(1, product: ham, ham1, price: 1_000, total: 500),
            line(2, product: ham, ham2, price: 1_000, total: 1_500),
            line(3, .discount, total: -400, of: 2),
        ])
        #expect(prices.map(\.paid.thousandthsOfMinor) == [800_000, 800_000])
    }

    @Test func `uses the package size that is valid on the day of the purchase`() {
        #expect(observe([line(1, product: milk, total: 90)]).first?.regularBase?.formatted() == "0,90\u{A0}€/l")
        #expect(
            observe([line(1, product: milk, total: 90)], on: "1.7.2026").first?.regularBase?.formatted()
                == "1,00\u{A0}€/l")
        #expect(
            observe([line(1, product: milk, total: 90)], on: "1.1.2020").first?.regularBase?.formatted()
                == "0,90\u{A0}€/l")
    }

    @Test func `items sold by weight keep the printed price per kilogram if the total confirms it`() throws {
        let weight = Quantity(thousandths: 543, unit: .kilogram)
        let printedPrice = try #require(observe([line(1, product: ham, weight, price: 1_099, total: 597)]).first)
        #expect(printedPrice.regular.thousandthsOfMinor == 1_099_000)
        let contradicted = try #require(observe([line(1, product: ham, weight, price: 999, total: 597)]).first)
        #expect(contradicted.regular.formatted() == "10,99\u{A0}€/kg")
        #expect(printedPrice.regularBase?.unit == .kilogram)
    }

    @Test func `skips deposits and lines without a product or a positive price`() {
        let lines = [
            line(1, product: nil, total: 100), line(2, product: milk, total: -100), line(3, product: milk, total: 0),
            line(4, product: milk, .pieces(0), total: 100), line(5, .deposit, product: milk, total: 25),
        ]
        #expect(observe(lines).isEmpty)
    }

    @Test func `ignores a discount larger than its item`() throws {
        let price = try #require(
            observe([line(6, product: ham, total: 100), line(7, .discount, total: -150, of: 6)]).first)
        #expect(price.paid == price.regular && price.paid.formatted() == "1,00\u{A0}€/Stk.")
        let free = try #require(
            observe([line(6, product: ham, total: 100), line(7, .discount, total: -100, of: 6)]).first)
        #expect(free.paid.thousandthsOfMinor == 0)
    }

    @Test func `compares regular prices over ninety days`() throws {
        let history =
            observe([line(1, product: milk, total: 100)], on: "1.3.2026")
            + observe([line(2, product: milk, total: 100), line(3, .discount, total: -40, of: 2)], on: "1.5.2026")
            + observe([line(4, product: milk, total: 110)], on: "20.6.2026")
            + observe([line(5, product: ham, total: 300)], on: "20.6.2026")
        let changes = PriceChange.changes(in: history, asOf: day("1.7.2026"))
        let change = try #require(changes.first)
        #expect(changes.count == 1)
        #expect(change.permille == 100)
        #expect(change.shownPermille == 100)
        #expect(change.earlier.day == day("1.3.2026"))
        #expect(PriceChange.formatted(permille: 100) == "+10,0\u{A0}%")
        #expect(PriceChange.formatted(permille: -35, .english) == "-3.5%")
        #expect(PriceChange.changes(in: history, asOf: day("1.12.2026")).isEmpty, "no new price")
    }

    @Test func `does not compare prices in different currencies`() throws {
        func observation(_ price: Int64, _ currency: Currency, _ date: String) -> PriceObservation {
            let regular = UnitPrice(thousandthsOfMinor: price, currency: currency, per: .piece)
            return PriceObservation(
                product: milk, store: store, chain: chain, day: day(date), regular: regular, paid: regular,
                quantity: .one, regularBase: nil, paidBase: nil, source: .receipt)
        }
        let franc = Currency.chf
        let history = [
            observation(100_000, .eur, "1.2.2026"), observation(500_000, franc, "1.3.2026"),
            observation(110_000, .eur, "20.6.2026"),
        ]
        let change = try #require(PriceChange.changes(in: history, asOf: day("1.7.2026")).first)
        #expect(change.earlier.day == day("1.2.2026") && change.permille == 100)
    }

    @Test(arguments: [("20.6.2025", 100), ("19.6.2025", nil)] as [(String, Int?)])
    func `does not compare with a price that is more than a year older`(seen: String, permille: Int?) {
        let history =
            observe([line(1, product: milk, total: 100)], on: seen)
            + observe([line(2, product: milk, total: 110)], on: "20.6.2026")
        #expect(PriceChange.changes(in: history, asOf: day("1.7.2026")).first?.permille == permille)
    }

    @Test(arguments: [(1_000, 1_145, 145), (3, 4, 333), (8, 7, -125), (2_000, 1_999, -1), (2_000, 2_000, 0)])
    func `rounds tenths of percent half away from zero`(from: Int64, to: Int64, permille: Int) {
        #expect(PriceChange.permille(from: from, to: to) == permille)
        #expect(PriceChange.permille(from: 0, to: to) == nil)
    }

    @Test(arguments: [[699, 349], [349, 699]])
    func `different prices of one day are not a change`(paid: [Int64]) throws {
        let one = observe(
            paid.enumerated().map { line(UInt64($0.offset + 1), product: milk, total: $0.element) }, on: "20.6.2026")
        #expect(PriceChange.changes(in: one, asOf: day("1.7.2026")).isEmpty)
        // The lower price of a day can be a manual markdown, so the higher price is compared.
        let observationsBefore = observe([line(8, product: milk, total: 600)], on: "1.6.2026")
        let observationsAfter = observe([line(9, product: milk, total: 750)], on: "25.6.2026")
        for (history, from, to) in [(observationsBefore + one, 600, 699), (one + observationsAfter, 699, 750)]
            as [(_, Int64, Int64)]
        {
            let change = try #require(PriceChange.changes(in: history, asOf: day("1.7.2026")).first)
            #expect(change.earlier.regular.thousandthsOfMinor == from * 1_000)
            #expect(change.later.regular.thousandthsOfMinor == to * 1_000)
        }
    }

    @Test func `a smaller package at the same price is a price increase`() throws {
        let history =
            observe([line(1, product: milk, total: 100)], on: "20.6.2026")
            + observe([line(2, product: milk, total: 100)], on: "2.7.2026")
        let change = try #require(PriceChange.changes(in: history, asOf: day("3.7.2026")).first)
        #expect(change.permille == 0)
        #expect(change.basePermille == 111)
        #expect(change.shownPermille == 111)
    }

    @Test(
        arguments: [
            (39_000, 3_900, 41_000, 4_100, false), (39_000, 3_900, 39_000, 4_333, true),
            (498_000, 251_515, 448_000, 339_394, true),
            (1_000, 1, 1_200, 1, false), (100_000_000_000, 50_505_050_505, 99_999_999_999, 50_505_050_505, false),
        ] as [(Int64, Int64, Int64, Int64, Bool)])
    func `finds different package sizes from prices and base prices`(
        price: Int64, base: Int64, other: Int64, otherBase: Int64, areDifferent: Bool
    ) {
        func pair(_ price: Int64, _ base: Int64, _ unit: MeasureUnit) -> (price: UnitPrice, base: UnitPrice?) {
            (UnitPrice(thousandthsOfMinor: price, per: .piece), UnitPrice(thousandthsOfMinor: base, per: unit))
        }
        let (one, two) = (pair(price, base, .kilogram), pair(other, otherBase, .kilogram))
        #expect(UnitPrice.haveDifferentPackageSizes(one, two) == areDifferent)
        #expect(UnitPrice.haveDifferentPackageSizes(two, one) == areDifferent)
        #expect(!UnitPrice.haveDifferentPackageSizes(one, pair(other, otherBase, .litre)))
    }

    @Test func `a larger package at a higher price can be a price decrease`() throws {
        func observation(_ price: Int64, _ base: Int64, _ date: String) -> PriceObservation {
            let regular = UnitPrice(thousandthsOfMinor: price, per: .piece)
            let regularBase = UnitPrice(thousandthsOfMinor: base, per: .kilogram)
            return PriceObservation(
                product: milk, store: StoreID(high: 0, low: 1), chain: ChainID(high: 0, low: 1), day: day(date),
                regular: regular, paid: regular, quantity: .one, regularBase: regularBase, paidBase: regularBase,
                source: .receipt)
        }
        let change = try #require(
            PriceChange(
                from: observation(200_000, 1_000_000, "1.6.2026"), to: observation(220_000, 733_333, "1.7.2026")))
        #expect(change.permille == 100 && change.shownPermille == -267)
    }

    @Test func `shows the newest price of each store and marks the lowest`() throws {
        func observation(_ store: UInt64, _ text: String, _ regular: Int64, paid: Int64? = nil) -> PriceObservation {
            let price = UnitPrice(thousandthsOfMinor: regular * 1_000, per: .litre)
            let offer = UnitPrice(thousandthsOfMinor: (paid ?? regular) * 1_000, per: .litre)
            return PriceObservation(
                product: milk, store: StoreID(high: 1, low: store), chain: chain, day: day(text), regular: price,
                paid: offer, quantity: .one, regularBase: price, paidBase: offer, source: .receipt)
        }
        let row = PriceComparison(
            observations: [
                observation(1, "1.6.2026", 80), observation(1, "10.6.2026", 120),
                observation(2, "9.6.2026", 130, paid: 99),
                observation(3, "1.5.2026", 150, paid: 50), observation(4, "20.6.2026", 1),
            ], baseUnit: .litre, asOf: day("12.6.2026"))
        #expect(row.cells.map(\.price.thousandthsOfMinor) == [99_000, 120_000, 150_000])
        #expect(row.cells.map(\.isCheapest) == [true, false, false])
        #expect(row.cells.map(\.isFreshOffer) == [true, false, false])
        #expect(row.cells.map(\.ageInDays) == [3, 2, 42])
        // An old price is listed but not marked.
        let aged = PriceComparison(
            observations: [
                observation(1, "1.1.2026", 80), observation(2, "9.6.2026", 130), observation(3, "14.3.2026", 110),
                observation(4, "13.3.2026", 100),
            ], baseUnit: .litre, asOf: day("12.6.2026"))
        #expect(aged.cells.map(\.price.thousandthsOfMinor) == [110_000, 130_000, 80_000, 100_000])
        #expect(aged.cells.map(\.isOld) == [false, false, true, true])
        #expect(aged.cells.map(\.isCheapest) == [true, false, false, false])
        // If a store has two products, the recent price is listed, even if it is higher.
        let another = ProductID(high: 1, low: 99)
        let old = observation(1, "1.1.2026", 80)
        let comparison = PriceComparison(
            observations: [
                PriceObservation(
                    product: another, store: old.store, chain: chain, day: old.day, regular: old.regular,
                    paid: old.paid, quantity: .one, regularBase: old.regularBase, paidBase: old.paidBase,
                    source: .receipt),
                observation(1, "9.6.2026", 130), observation(2, "9.6.2026", 140),
            ], baseUnit: .litre, asOf: day("12.6.2026"))
        #expect(comparison.cells.map(\.price.thousandthsOfMinor) == [130_000, 140_000])
        #expect(comparison.cells.map(\.isCheapest) == [true, false])
        let twice = PriceComparison(
            observations: [
                observation(1, "9.6.2026", 130), observation(1, "9.6.2026", 65), observation(2, "9.6.2026", 70),
                observation(2, "9.6.2026", 140),
            ], baseUnit: .litre, asOf: day("12.6.2026"))
        #expect(twice.cells.map(\.price.thousandthsOfMinor) == [130_000, 140_000], "one price per day and store")
        let alone = PriceComparison(
            observations: [observation(1, "1.1.2026", 80), observation(2, "9.6.2026", 130)], baseUnit: .litre,
            asOf: day("12.6.2026"))
        #expect(alone.cells.allSatisfy { !$0.isCheapest }, "a single recent price is not marked")
    }

    @Test func `marks the lowest price and every price that is displayed with the same figure`() {
        func observation(_ store: UInt64, _ thousandths: Int64) -> PriceObservation {
            let price = UnitPrice(thousandthsOfMinor: thousandths, per: .litre)
            return PriceObservation(
                product: milk, store: StoreID(high: 1, low: store), chain: chain, day: day("9.6.2026"), regular: price,
                paid: price, quantity: .one, regularBase: price, paidBase: price, source: .receipt)
        }
        let row = PriceComparison(
            observations: [observation(1, 159_000), observation(2, 158_800), observation(3, 160_000)], baseUnit: .litre,
            asOf: day("12.6.2026"))
        #expect(row.cells.map(\.isCheapest) == [true, true, false])
    }

    @Test(arguments: [(350, "0,0035"), (7, "0,00007"), (499, "0,00499"), (500, "0,005"), (0, "0,00"), (1_234, "0,01")])
    func `a price below half a cent is not rounded to cents`(thousandths: Int64, figure: String) {
        #expect(UnitPrice(thousandthsOfMinor: thousandths, per: .piece).figure() == figure)
    }
}
