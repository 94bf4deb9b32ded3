import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct QuantityTests {
    @Test(
        "reads quantities with and without unit",
        arguments: [
            ("0,543 kg", 543, .kilogram), ("0.543KG", 543, .kilogram), ("2", 2_000, .piece), ("2 Stk", 2_000, .piece),
            ("2 x", 2_000, .piece), ("1,5l", 1_500, .litre), ("500 g", 500_000, .gram), ("-1", -1_000, .piece),
            ("1.234 kg", 1_234, .kilogram), ("0.250", 250, .piece), ("1,5 g", 1_500, .gram),
            ("20 WL", 20_000, .washLoad), ("3 Stück", 3_000, .piece),
        ] as [(String, Int64, MeasureUnit)])
    func reads(text: String, thousandths: Int64, unit: MeasureUnit) throws {
        #expect(try Quantity(parsing: text) == Quantity(thousandths: thousandths, unit: unit))
    }

    @Test(
        "refuses malformed and ambiguous quantities",
        arguments: [
            ("", .empty), ("kg", .empty), ("2 Äpfel", .malformed), ("1,2345", .tooManyDecimals),
            ("1000001", .outOfRange), ("1e3", .malformed), ("1 kg 2", .malformed), ("1.234", .ambiguous),
            ("1.000 g", .ambiguous), ("-12.500 ml", .ambiguous),
        ] as [(String, NumberError)])
    func refuses(text: String, reason: NumberError) {
        #expect(throws: reason) { try Quantity(parsing: text) }
    }

    @Test(
        "writes quantities with the needed decimals",
        arguments: [
            (543, .kilogram, "0,543 kg", "0.543 kg"), (2_000, .piece, "2 Stk.", "2 pcs"),
            (1_500, .litre, "1,5 l", "1.5 l"), (1_500, .kilogram, "1,500 kg", "1.500 kg"),
            (1_000_000, .gram, "1.000 g", "1,000 g"), (-250, .piece, "-0,25 Stk.", "-0.25 pcs"),
        ] as [(Int64, MeasureUnit, String, String)])
    func writes(thousandths: Int64, unit: MeasureUnit, german: String, english: String) {
        let quantity = Quantity(thousandths: thousandths, unit: unit)
        #expect(quantity.formatted(.german) == german)
        #expect(quantity.formatted(.english) == english)
    }

    @Test(
        "reads the figures that it writes for forms",
        arguments: [1, 543, 1_500, 999_999, 1_000_000, -77_777_000])
    func figureIsReadBack(thousandths: Int64) throws {
        for unit in [MeasureUnit.piece, .gram, .kilogram] {
            let quantity = Quantity(thousandths: thousandths, unit: unit)
            for language in [Language.german, .english] {
                #expect(try Quantity(parsing: quantity.figure(language), unit: unit, in: language) == quantity)
            }
        }
    }

    @Test func `the language decides which separator can mean thousands`() throws {
        #expect(throws: NumberError.ambiguous) { try Quantity(parsing: "1,000", unit: .gram, in: .english) }
        #expect(try Quantity(parsing: "1.250", unit: .gram, in: .english).thousandths == 1_250)
        #expect(try Quantity(parsing: "1.000,5", unit: .gram).thousandths == 1_000_500)
    }

    @Test func `converts units of the same kind only`() throws {
        let half = Quantity(thousandths: 500, unit: .kilogram)
        #expect(try half.converted(to: .gram) == Quantity(thousandths: 500_000, unit: .gram))
        #expect(half.isSameAmount(as: Quantity(thousandths: 500_000, unit: .gram)))
        #expect(try Quantity(thousandths: 75_000, unit: .centilitre).converted(to: .litre).thousandths == 750)
        #expect(throws: NumberError.mismatch) { try half.converted(to: .litre) }
        #expect(try Quantity(thousandths: 330_000, unit: .millilitre).times(6).thousandths == 1_980_000)
        #expect(throws: NumberError.outOfRange) { try Quantity(thousandths: .max, unit: .gram).times(2) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct UnitPriceTests {
    @Test(
        "rounds quantity × unit price half away from zero",
        arguments: [
            (1_099_000, 543, 597), (190_000, 1_500, 285), (1_000, 500, 1), (1_000, -500, -1), (1_000, 499, 0),
            (155_900, 42_370, 6_605), (-25_000, 2_000, -50),
        ] as [(Int64, Int64, Int64)])
    func amounts(price: Int64, thousandths: Int64, minor: Int64) throws {
        let unitPrice = UnitPrice(thousandthsOfMinor: price, per: .kilogram)
        let amount = try unitPrice.amount(for: Quantity(thousandths: thousandths, unit: .kilogram))
        #expect(amount.minorUnits == minor)
    }

    @Test(
        "computes the base price per kg, l, piece or wash load",
        arguments: [
            (199, 500_000, .gram, "3,98\u{A0}€/kg"), (119, 1_000, .litre, "1,19\u{A0}€/l"),
            (89, 330_000, .millilitre, "2,70\u{A0}€/l"), (299, 10_000, .piece, "0,299\u{A0}€/Stk."),
            (597, 543, .kilogram, "10,99\u{A0}€/kg"), (799, 20_000, .washLoad, "0,40\u{A0}€/WL"),
        ] as [(Int64, Int64, MeasureUnit, String)])
    func bases(minor: Int64, thousandths: Int64, unit: MeasureUnit, shown: String) throws {
        let base = try UnitPrice.base(
            Money(minorUnits: minor), for: Quantity(thousandths: thousandths, unit: unit))
        #expect(base.formatted() == shown)
    }

    @Test func `fuel prices keep their third decimal`() throws {
        let fuel = try UnitPrice(parsing: "1,559", per: .litre)
        #expect(fuel.thousandthsOfMinor == 155_900)
        #expect(fuel.formatted() == "1,559\u{A0}€/l")
        #expect(fuel.formatted(.english) == "€1.559/l")
    }

    @Test func `uses the singular for one piece in English`() throws {
        #expect(try UnitPrice(parsing: "0,05", per: .piece).formatted(.english) == "€0.05/pc")
        #expect(Quantity(thousandths: 1_000, unit: .piece).formatted(.english) == "1 pc")
        #expect(Quantity(thousandths: 2_000, unit: .piece).formatted(.english) == "2 pcs")
    }

    @Test func `prices without a quantity, out of range or in another unit are errors`() {
        let zero = Quantity(thousandths: 0, unit: .piece)
        #expect(throws: NumberError.divisionByZero) { try UnitPrice(Money(minorUnits: 100), for: zero) }
        #expect(throws: NumberError.divisionByZero) { try UnitPrice.base(Money(minorUnits: 100), for: zero) }
        #expect(throws: NumberError.outOfRange) {
            try UnitPrice(Money(minorUnits: .max), for: Quantity(thousandths: 1, unit: .piece))
        }
        #expect(throws: NumberError.outOfRange) {
            try UnitPrice(thousandthsOfMinor: .max, per: .gram).amount(for: Quantity(thousandths: .max, unit: .gram))
        }
        #expect(throws: NumberError.mismatch) {
            try UnitPrice(thousandthsOfMinor: 1, per: .litre).amount(for: Quantity(thousandths: 1, unit: .gram))
        }
        #expect(UnitPrice(thousandthsOfMinor: .min + 1, per: .gram).formatted().hasPrefix("−"))
    }
}
