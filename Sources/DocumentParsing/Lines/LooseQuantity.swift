import Domain

/// Quantity lines whose signs are damaged, known by their arithmetic beside an item.
enum LooseQuantity {
    /// `2BtKex 0,59` beside 1,18: one amount that divides the item's total, and its quotient printed in front.
    static func ownLine(_ line: ReadLine, total: Int64) -> QuantityPhrase? {
        guard line.amounts.count == 1, let figure = line.amounts.first, let unitPrice = figure.amount, unitPrice > 0,
            !figure.isSplit
        else { return nil }
        let magnitude = Int64(total.magnitude)
        guard magnitude.isMultiple(of: unitPrice), (2...99).contains(magnitude / unitPrice) else { return nil }
        let count = magnitude / unitPrice
        let text = line.line.text
        var position = 0
        while position < figure.range.lowerBound {
            guard text[position].isDigit else {
                position += 1
                continue
            }
            let start = position
            while position < figure.range.lowerBound, text[position].isDigit { position += 1 }
            guard Int64(PrintedLine.string(text[start..<position])) == count else { continue }
            return QuantityPhrase(
                range: start..<figure.range.upperBound, quantity: count * 1_000, unit: .piece,
                unitPrice: unitPrice * 1_000,
                quantityRange: start..<position, unitPriceRange: figure.range)
        }
        return nil
    }

    /// `Milka Ganze N 0,9€x 2` before 1,98: a sign of multiplication and a count at the end of the name, and a damaged
    /// unit price that the total replaces. The range is what does not belong to the name.
    static func inline(_ line: ReadLine, name: Range<Int>, total: Int64) -> QuantityPhrase? {
        let text = line.line.text
        var end = name.upperBound
        while end > name.lowerBound, text[end - 1] == " " { end -= 1 }
        var start = end
        while start > name.lowerBound, text[start - 1].isDigit { start -= 1 }
        guard start < end, end - start <= 2, let count = Int64(PrintedLine.string(text[start..<end])), count >= 2 else {
            return nil
        }
        var position = start
        while position > name.lowerBound, text[position - 1] == " " { position -= 1 }
        guard position > name.lowerBound, let sign = text[safe: position - 1], sign == "x" || sign == "X" || sign == "*"
        else {
            return nil
        }
        // Back over `€`, `e`, blanks to something like `0,9`.
        var priceEnd = position - 1
        while priceEnd > name.lowerBound, " €eE".unicodeScalars.contains(text[priceEnd - 1]) { priceEnd -= 1 }
        var priceStart = priceEnd
        while priceStart > name.lowerBound, text[priceStart - 1] != " " { priceStart -= 1 }
        let word = text[priceStart..<priceEnd]
        guard (2...7).contains(word.count), word.contains(where: \.isDigit), total != 0,
            total.magnitude.isMultiple(of: UInt64(count))
        else { return nil }
        return QuantityPhrase(
            range: priceStart..<end, quantity: count * 1_000, unit: .piece,
            unitPrice: Int64(total.magnitude) / count * 1_000,
            quantityRange: start..<end, unitPriceRange: nil)
    }
}
