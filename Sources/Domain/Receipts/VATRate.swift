/// A VAT rate in tenths of a percent: 10 % is 100, the Swiss 2,6 % is 26.
package struct VATRate: Hashable, Comparable, Sendable {
    /// 10,7 % is 107. Values outside ``known`` are possible.
    package let tenthsOfPercent: Int

    package init(tenthsOfPercent: Int) { self.tenthsOfPercent = tenthsOfPercent }

    /// Current and recent rates of Germany, Austria and Switzerland.
    package static let known: [VATRate] = [0, 26, 25, 37, 38, 50, 70, 77, 81, 100, 107, 130, 160, 190, 200].map {
        VATRate(tenthsOfPercent: $0)
    }

    package static func < (left: VATRate, right: VATRate) -> Bool { left.tenthsOfPercent < right.tenthsOfPercent }

    /// Reads `19`, `19%`, `19,00 %`, `10.7`.
    package init?(parsing text: some StringProtocol) {
        let figure = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let hundredths = try? DecimalText.parse(figure, decimals: 2, limit: 10_000), hundredths >= 0,
            hundredths.isMultiple(of: 10)
        else { return nil }
        self.init(tenthsOfPercent: Int(hundredths / 10))
    }

    /// `19 %`, `10,7 %`.
    package func formatted(_ language: Language = .german) -> String {
        let figure = DecimalText.format(Int64(tenthsOfPercent), decimals: 1, minimum: 0, in: language)
        return language == .german ? "\(figure)\u{A0}%" : "\(figure)%"
    }

    /// The tax contained in a gross amount, rounded half away from zero.
    ///
    /// - Throws: `divisionByZero` for a rate of −100 %, `outOfRange` when the result does not fit.
    package func tax(inGross gross: Money) throws(NumberError) -> Money {
        let tax = try roundedQuotient(
            Int128(gross.minorUnits) * Int128(tenthsOfPercent), Int128(1_000 + tenthsOfPercent))
        return Money(minorUnits: tax, currency: gross.currency)
    }
}
