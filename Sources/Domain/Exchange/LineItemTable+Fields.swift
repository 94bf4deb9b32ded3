/// Reads single fields.
extension LineItemTable {
    /// Reads a quantity. An empty field is one piece. Unknown units, such as bottles and bunches, count as pieces.
    /// Refuses a figure that has decimals in one language and grouped thousands in the other.
    ///
    /// - Parameter hasKinds: whether the table states the kind of each line, like an export. Then zero means unknown, a
    ///   negative number means returned items, and thousands are never grouped.
    static func quantity(_ figure: String, _ unit: String, hasKinds: Bool) throws(Problem) -> Quantity {
        guard !figure.isEmpty else { return .one }
        let (unit, times) = MeasureUnit.multiple(parsing: unit) ?? (.piece, 1)
        if hasKinds, let thousandths = try? DecimalText.parse(figure, decimals: 3, limit: 100_000_000 / times) {
            return Quantity(thousandths: thousandths * times, unit: unit)
        }
        var found: Quantity?
        for language in Language.allCases {
            do { found = try Quantity(parsing: figure, unit: unit, in: language) } catch { throw .badQuantity }
        }
        guard let found, (1...(100_000_000 / times)).contains(found.thousandths) else { throw .badQuantity }
        return Quantity(thousandths: found.thousandths * times, unit: unit)
    }

    static func unitPrice(
        _ figure: String, _ currency: Currency, _ unit: MeasureUnit
    ) throws(Problem) -> UnitPrice? {
        guard !figure.isEmpty else { return nil }
        do { return try UnitPrice(parsing: figure, currency: currency, per: unit) } catch { throw .badUnitPrice }
    }

    /// The field without surrounding blanks, control characters, and the apostrophe that `CSVWriter.harmless` adds.
    static func trimmed(_ field: String) -> String {
        var scalars = Substring(field).unicodeScalars
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        if scalars.first == "'", let second = scalars.dropFirst().first,
            "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(second)
        {
            scalars.removeFirst()
        }
        return String(String.UnicodeScalarView(scalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
