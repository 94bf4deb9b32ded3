import Domain

/// Recognises quantities whose unit was misread.
extension QuantityScanner {
    /// Reads `38,42 1 x 1,859 EUR/l`, where the `l` for litres was read as a digit. Only fuel has prices with tenths of
    /// a cent.
    static func litres(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        guard figures.count >= 3 else { return nil }
        for (index, sign) in figures.enumerated().dropFirst().dropLast() {
            let (first, second) = (figures[index - 1], figures[index + 1])
            guard sign.whole == 1, sign.digitCount == 1, first.decimals == 2 || first.decimals == 3, !first.isNegative,
                text[first.range.upperBound..<sign.range.lowerBound].allSatisfy({ $0 == " " }),
                second.decimals == 3, !second.isNegative, !textAfterUnit(text, second).hasPrefix("/kg"),
                isTimes(compact(text[sign.range.upperBound..<second.range.lowerBound]), withUnit: false),
                let quantity = first.thousandths, quantity > 0, let price = price(second)
            else { continue }
            return build(text, first, second, quantity: quantity, unit: .litre, price: price)
        }
        return nil
    }
}
