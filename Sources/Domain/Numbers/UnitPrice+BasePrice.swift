extension UnitPrice {
    /// The price per base unit. For pieces it is computed from the package size. Without a size, the base unit is the
    /// piece.
    ///
    /// - Throws: `divisionByZero` for a size of zero, `outOfRange` when the result does not fit.
    package func basePrice(package size: Quantity?) throws(NumberError) -> UnitPrice {
        guard unit == .piece, let size else {
            return try scaled(by: unit.perBase, over: 1, per: unit.base)
        }
        return try scaled(by: 1_000 * size.unit.perBase, over: size.thousandths, per: size.unit.base)
    }

    private func scaled(
        by factor: Int64, over divisor: Int64, per unit: MeasureUnit
    ) throws(NumberError) -> UnitPrice {
        let value = try roundedQuotient(Int128(thousandthsOfMinor) * Int128(factor), Int128(divisor))
        return UnitPrice(thousandthsOfMinor: value, currency: currency, per: unit)
    }
}
