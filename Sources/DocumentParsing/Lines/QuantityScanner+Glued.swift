import Domain

/// Quantities whose unit or blanks were lost in reading.
extension QuantityScanner {
    /// `38,42 1 x 1,859 EUR/l`: the sign for litres was read as a digit. Only fuel costs tenths of a cent.
    static func litres(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        guard figures.count >= 3 else { return nil }
        for (index, sign) in figures.enumerated().dropFirst().dropLast() {
            let (first, second) = (figures[index - 1], figures[index + 1])
            guard sign.whole == 1, sign.digitCount == 1, first.decimals == 2 || first.decimals == 3, !first.isNegative,
                text[first.range.upperBound..<sign.range.lowerBound].allSatisfy({ $0 == " " }),
                second.decimals == 3, !second.isNegative, !behindUnit(text, second).hasPrefix("/kg"),
                isTimes(compact(text[sign.range.upperBound..<second.range.lowerBound]), withUnit: false),
                let quantity = first.thousandths, quantity > 0, let price = price(second)
            else { continue }
            return build(text, first, second, quantity: quantity, unit: .litre, price: price, priceIsSecond: true)
        }
        return nil
    }

    /// `4X0,291,161`, `4 x 0,291,16`: the blanks between the price of one, the total and its class were lost. What the
    /// count makes of the first amount must be the second.
    static func gluedRow(_ text: [Unicode.Scalar]) -> QuantityPhrase? {
        let start = text.firstIndex { $0 != " " } ?? 0
        let digits = text[start...].prefix(while: \.isDigit)
        guard (1...2).contains(digits.count), let count = Int64(PrintedLine.string(digits)), count >= 2 else {
            return nil
        }
        let sign = text[digits.endIndex...].drop { $0 == " " }
        guard let first = sign.first, "xX*×".unicodeScalars.contains(first) else { return nil }
        let run = sign.dropFirst().drop { $0 == " " }.prefix { $0.isDigit || $0 == "," || $0 == "." }
        let commas = run.indices.filter { !run[$0].isDigit }
        guard commas.count == 2, run.endIndex - commas[1] > 2, commas[1] - commas[0] > 3,
            run.endIndex == text.count || text[run.endIndex] == " "
        else { return nil }
        let unitEnd = commas[0] + 3
        let totalEnd = commas[1] + 3
        guard unitEnd < commas[1], run.endIndex - totalEnd <= 1,
            let unitPrice = minor(text[run.startIndex..<unitEnd]), let total = minor(text[unitEnd..<totalEnd]),
            unitPrice > 0, unitPrice <= 1_000_000, count * unitPrice == total
        else { return nil }
        let figure = Figure(
            range: unitEnd..<totalEnd, digits: total, digitCount: totalEnd - unitEnd - 1, decimals: 2,
            isNegative: false, isPercent: false)
        return QuantityPhrase(
            range: start..<unitEnd, quantity: count * 1_000, unit: .piece, unitPrice: unitPrice * 1_000,
            quantityRange: start..<digits.endIndex, unitPriceRange: run.startIndex..<unitEnd, gluedTotal: figure)
    }

    private static func minor(_ text: ArraySlice<Unicode.Scalar>) -> Int64? {
        Int64(PrintedLine.string(text.filter(\.isDigit)[...]))
    }
}
