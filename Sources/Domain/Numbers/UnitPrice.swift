/// The price of one unit in thousandths of a minor unit: fuel at 1,559 €/l is 155,900.
///
/// A *base price* is a unit price per kg, l, m or piece.
package struct UnitPrice: Hashable, Sendable {
    /// The largest magnitude that is accepted as input: one million euros or francs per unit.
    package static let limit = Money.limit * 1_000

    /// The price of one `unit`, in thousandths of a cent or Rappen.
    package let thousandthsOfMinor: Int64
    package let currency: Currency
    /// The unit; a base unit for a base price.
    package let unit: MeasureUnit

    package init(thousandthsOfMinor: Int64, currency: Currency = .eur, per unit: MeasureUnit) {
        self.thousandthsOfMinor = thousandthsOfMinor
        self.currency = currency
        self.unit = unit
    }

    /// `amount` / `quantity`, in the quantity's own unit, rounded half away from zero.
    ///
    /// - Throws: `divisionByZero` for a quantity of zero, `outOfRange` when the result does not fit.
    package init(_ amount: Money, for quantity: Quantity) throws(NumberError) {
        let thousandths = try roundedQuotient(Int128(amount.minorUnits) * 1_000_000, Int128(quantity.thousandths))
        self.init(thousandthsOfMinor: thousandths, currency: amount.currency, per: quantity.unit)
    }

    /// The base price of `amount` paid for `quantity`: 1,99 € for 500 g is 3,98 €/kg.
    ///
    /// - Throws: `divisionByZero` for a quantity of zero, `outOfRange` when the result does not fit.
    package static func base(_ amount: Money, for quantity: Quantity) throws(NumberError) -> UnitPrice {
        let thousandths = try roundedQuotient(
            Int128(amount.minorUnits) * 1_000_000 * Int128(quantity.unit.perBase), Int128(quantity.thousandths))
        return UnitPrice(thousandthsOfMinor: thousandths, currency: amount.currency, per: quantity.unit.base)
    }

    /// The price of `quantity`, rounded half away from zero to whole minor units.
    ///
    /// - Throws: `mismatch` when the units cannot be converted, `outOfRange` when the result does not fit.
    package func amount(for quantity: Quantity) throws(NumberError) -> Money {
        guard quantity.unit.base == unit.base else { throw .mismatch }
        // The product of two 64-bit factors fits; the third factor may overflow.
        let (product, overflow) = (Int128(thousandthsOfMinor) * Int128(quantity.thousandths))
            .multipliedReportingOverflow(by: Int128(unit.perBase))
        guard !overflow else { throw .outOfRange }
        return Money(
            minorUnits: try roundedQuotient(product, 1_000_000 * Int128(quantity.unit.perBase)), currency: currency)
    }

    /// The price rounded half away from zero to whole minor units.
    package func rounded() throws(NumberError) -> Money {
        Money(minorUnits: try roundedQuotient(Int128(thousandthsOfMinor), 1_000), currency: currency)
    }
}

extension UnitPrice {
    /// Whether two prices are for packages of different sizes, computed from the prices and their base prices. False
    /// when they cannot be compared.
    ///
    /// A base price is price / size, rounded by at most half a thousandth. A larger difference means another size.
    package static func haveDifferentPackageSizes(
        _ one: (price: UnitPrice, base: UnitPrice?), _ other: (price: UnitPrice, base: UnitPrice?)
    ) -> Bool {
        guard let base = one.base, let otherBase = other.base, one.price.isComparable(to: other.price),
            base.isComparable(to: otherBase)
        else { return false }
        let (price, otherPrice) = (Int128(one.price.thousandthsOfMinor), Int128(other.price.thousandthsOfMinor))
        let difference = price * Int128(otherBase.thousandthsOfMinor) - otherPrice * Int128(base.thousandthsOfMinor)
        return 2 * abs(difference) > price + otherPrice
    }

    /// Same unit and same currency.
    package func isComparable(to other: UnitPrice) -> Bool { unit == other.unit && currency == other.currency }
}

extension UnitPrice {
    /// Reads `1,559`, `10.99`, `€ 3,20`, with up to five decimals. A single separator is the decimal separator.
    ///
    /// - Throws: `NumberError`; `mismatch` for another currency's sign.
    package init(
        parsing text: some StringProtocol, currency: Currency = .eur, per unit: MeasureUnit
    ) throws(NumberError) {
        let (figure, printed) = CurrencyText.strip(text)
        if let printed, printed != currency { throw .mismatch }
        self.init(
            thousandthsOfMinor: try DecimalText.parse(figure, decimals: 5, limit: UnitPrice.limit), currency: currency,
            per: unit)
    }

    /// `1,99 €/kg`, `€1.99/kg`. A third decimal is shown if it is not zero (`1,559 €/l`); further ones are rounded.
    package func formatted(_ language: Language = .german) -> String {
        "\(CurrencyText.attach(currency, to: figure(language), in: language))/\(unit.symbolOfOne(language))"
    }

    /// The figure without currency and unit.
    package func figure(_ language: Language = .german) -> String {
        // Rounding to the minor unit would give zero.
        if thousandthsOfMinor.magnitude < 500 {
            return DecimalText.format(thousandthsOfMinor, decimals: 5, minimum: 2, in: language)
        }
        // A multiple of a tenth of a minor unit was printed with three decimals. Other prices were computed, and are
        // rounded to the minor unit, as stores print them.
        let isTenths = thousandthsOfMinor.isMultiple(of: 100)
        let shown = isTenths ? thousandthsOfMinor / 100 : (thousandthsOfMinor.magnitudeRounded(to: 1_000)) / 100
        return DecimalText.format(shown, decimals: 3, minimum: 2, in: language)
    }

    /// The base price as shown on pages, in thousandths of a minor unit: rounded to whole minor units if it is at least
    /// 100 minor units.
    package var asShown: Int64 {
        thousandthsOfMinor >= 100_000 ? thousandthsOfMinor.magnitudeRounded(to: 1_000) : thousandthsOfMinor
    }

    /// `1.55900`, for machines; always five decimals.
    package var plain: String { DecimalText.plain(thousandthsOfMinor, decimals: 5) }
}

extension Int64 {
    /// Rounded half away from zero to a multiple of `step`. Rounds towards zero where that would overflow.
    fileprivate func magnitudeRounded(to step: Int64) -> Int64 {
        let rest = self % step
        let down = self - rest
        guard rest.magnitude * 2 >= step.magnitude else { return down }
        let (away, overflow) = down.addingReportingOverflow(self < 0 ? -step : step)
        return overflow ? down : away
    }
}
