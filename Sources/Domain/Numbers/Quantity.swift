/// A quantity in thousandths of its unit: 0,543 kg is 543.
package struct Quantity: Hashable, Sendable {
    /// The largest magnitude that is accepted as input: one million units.
    package static let limit: Int64 = 1_000_000_000

    /// Thousandths of `unit`; negative for returned items.
    package let thousandths: Int64
    /// The printed unit: 500 g is not converted to kilograms.
    package let unit: MeasureUnit

    package init(thousandths: Int64, unit: MeasureUnit) {
        self.thousandths = thousandths
        self.unit = unit
    }

    /// - Parameter count: within ±10^15.
    package static func pieces(_ count: Int64) -> Quantity { Quantity(thousandths: count * 1_000, unit: .piece) }

    /// The quantity of a line without a printed quantity.
    package static let one = Quantity.pieces(1)

    /// The same quantity in `unit`, rounded half away from zero to thousandths.
    ///
    /// - Throws: `mismatch` when the units cannot be converted.
    package func converted(to unit: MeasureUnit) throws(NumberError) -> Quantity {
        guard unit.base == self.unit.base else { throw .mismatch }
        let scaled = try roundedQuotient(Int128(thousandths) * Int128(unit.perBase), Int128(self.unit.perBase))
        return Quantity(thousandths: scaled, unit: unit)
    }

    /// - Throws: `outOfRange` on overflow.
    package func times(_ count: Int64) throws(NumberError) -> Quantity {
        let (product, overflow) = thousandths.multipliedReportingOverflow(by: count)
        guard !overflow else { throw .outOfRange }
        return Quantity(thousandths: product, unit: unit)
    }

    /// The content of `quantity` packages of this size: 500 g × 2 Stk is 1.000 g.
    ///
    /// - Throws: `outOfRange` when the result does not fit.
    package func times(_ quantity: Quantity) throws(NumberError) -> Quantity {
        Quantity(
            thousandths: try roundedQuotient(Int128(thousandths) * Int128(quantity.thousandths), 1_000), unit: unit)
    }

    /// Whether both quantities are equal after conversion, such as 0,5 kg and 500 g.
    package func isSameAmount(as other: Quantity) -> Bool {
        unit.base == other.unit.base
            && Int128(thousandths) * Int128(other.unit.perBase) == Int128(other.thousandths) * Int128(unit.perBase)
    }
}

extension Quantity {
    /// Parses a figure with a unit (`0,543 kg`), or without one (`0,543`, `2`), which then is in `unit`.
    ///
    /// - Parameter language: the language of the form. A thousand grams is `1.000 g` in German, `1,000 g` in English.
    /// - Throws: `NumberError`; `outOfRange` beyond ±10^9 thousandths, `malformed` for an unknown unit, `ambiguous`
    ///   when a separator can mean thousands (`1.234 g`). Kilograms, litres and metres have three decimals, so those
    ///   are not ambiguous.
    package init(
        parsing text: some StringProtocol, unit: MeasureUnit = .piece, in language: Language = .german
    ) throws(NumberError) {
        guard text.utf8.count <= DecimalText.maximumBytes else { throw .malformed }
        let figure = Substring(text).prefix { !$0.isLetter }
        let word = text.dropFirst(figure.count)
        var written = unit
        if !word.isEmpty {
            guard let known = MeasureUnit(parsing: word) else { throw .malformed }
            written = known
        }
        let takesThreeDecimals = written == .kilogram || written == .litre || written == .metre
        guard takesThreeDecimals || !DecimalText.mayBeThousands(figure, in: language) else { throw .ambiguous }
        self.init(
            thousandths: try DecimalText.parse(figure, decimals: 3, limit: Quantity.limit), unit: written)
    }

    /// `0,543 kg`, `2 Stk.`; in English `0.543 kg`, `2 pcs`. Fractions of kilograms have three decimals.
    package func formatted(_ language: Language = .german) -> String {
        "\(figure(language, isGrouped: true)) \(self == .one ? unit.symbolOfOne(language) : unit.symbol(language))"
    }

    /// The figure without its unit and without grouping, for form fields and table cells: `1500`, because `1.500` would
    /// be read as one and a half.
    package func figure(_ language: Language = .german) -> String { figure(language, isGrouped: false) }

    private func figure(_ language: Language, isGrouped: Bool) -> String {
        let minimum = unit == .kilogram && !thousandths.isMultiple(of: 1_000) ? 3 : 0
        return DecimalText.format(
            thousandths, decimals: 3, minimum: minimum, in: language, isGrouped: isGrouped)
    }

    /// `0.543`, for JSON; always three decimals.
    package var plain: String { DecimalText.plain(thousandths, decimals: 3) }
}
