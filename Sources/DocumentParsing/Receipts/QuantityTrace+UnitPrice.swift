extension QuantityTrace {
    /// `Zahncreme 1,95-x,4.` before 7,80: an amount that makes the total several times, with the sign of multiplication
    /// behind it and a count that was not read.
    static func isUnitPriceIn(_ name: String, total: Int64) -> Bool {
        let text = Array(name.unicodeScalars.prefix(PrintedLine.longest))
        if text.split(separator: " ").contains(where: { isGlued($0, total: total) || endsInPrice($0, total: total) }) {
            return true
        }
        return FigureScanner.figures(in: text).contains { figure in
            guard let price = figure.amount?.magnitude, price > 0, price < total.magnitude,
                total.magnitude.isMultiple(of: price), total.magnitude / price <= 99
            else { return false }
            let behind = text[figure.range.upperBound...].prefix(4).drop { " -.,".unicodeScalars.contains($0) }
            return behind.first.map("xX×*".unicodeScalars.contains) ?? false
        }
    }

    /// `1,5L70,85` before 1,70: behind a letter an amount, dirt in front of it, that makes the total several times.
    private static func endsInPrice(_ word: ArraySlice<Unicode.Scalar>, total: Int64) -> Bool {
        guard word.count >= 5, word.suffix(2).allSatisfy(\.isDigit), let separator = word.dropLast(2).last,
            separator == "," || separator == "."
        else { return false }
        let whole = Array(word.dropLast(3).suffix(3).reversed().prefix(while: \.isDigit).reversed())
        guard let before = word.dropLast(3 + whole.count).last, before.isLatinLetter else { return false }
        return whole.indices.contains { start in
            let digits = whole[start...] + word.suffix(2)
            guard let price = UInt64(PrintedLine.string(digits)), price > 0 else { return false }
            return (2...24).contains(total.magnitude / price) && total.magnitude.isMultiple(of: price)
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
