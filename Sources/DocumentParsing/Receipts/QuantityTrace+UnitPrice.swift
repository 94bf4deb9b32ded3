extension QuantityTrace {
    /// `Zahncreme 1,95-x,4.` before 7,80: an amount that makes the total several times, with the sign of multiplication
    /// behind it and a count that was not read.
    static func isUnitPriceIn(_ name: String, total: Int64) -> Bool {
        let text = Array(name.unicodeScalars.prefix(PrintedLine.longest))
        if text.split(separator: " ").contains(where: { isGlued($0, total: total) }) { return true }
        return FigureScanner.figures(in: text).contains { figure in
            guard let price = figure.amount?.magnitude, price > 0, price < total.magnitude,
                total.magnitude.isMultiple(of: price), total.magnitude / price <= 99
            else { return false }
            let behind = text[figure.range.upperBound...].prefix(4).drop { " -.,".unicodeScalars.contains($0) }
            return behind.first.map("xX×*".unicodeScalars.contains) ?? false
        }
    }

    /// `2726x4-` before 9,04: three digits or more before the sign, their comma lost, and a count that divides the total.
    private static func isGlued(_ word: ArraySlice<Unicode.Scalar>, total: Int64) -> Bool {
        let price = word.prefix(while: \.isDigit)
        guard (3...5).contains(price.count), let sign = word.dropFirst(price.count).first,
            "xX×".unicodeScalars.contains(sign)
        else { return false }
        let count = word.dropFirst(price.count + 1).prefix(while: \.isDigit)
        guard (1...2).contains(count.count), let pieces = UInt64(PrintedLine.string(count)), pieces >= 2 else {
            return false
        }
        return total.magnitude.isMultiple(of: pieces)
    }
}
