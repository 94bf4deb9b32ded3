extension QuantityTrace {
    /// `Zahncreme 1,95-x,4.` before 7,80: an amount that makes the total several times, with the sign of multiplication
    /// behind it and a count that was not read.
    static func isUnitPriceIn(_ name: String, total: Int64) -> Bool {
        let text = Array(name.unicodeScalars.prefix(PrintedLine.longest))
        return FigureScanner.figures(in: text).contains { figure in
            guard let price = figure.amount?.magnitude, price > 0, price < total.magnitude,
                total.magnitude.isMultiple(of: price), total.magnitude / price <= 99
            else { return false }
            let behind = text[figure.range.upperBound...].prefix(4).drop { " -.,".unicodeScalars.contains($0) }
            return behind.first.map("xX×*".unicodeScalars.contains) ?? false
        }
    }
}
