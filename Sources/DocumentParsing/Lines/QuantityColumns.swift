import Domain

/// Recognises quantities in columns, or with damaged characters: quantity × unit price must be the total.
extension QuantityScanner {
    /// Reads columns without multiplication signs if quantity × unit price is the total: `0,158 1,19 0,19` and
    /// `2 1.40 2.80`.
    static func columns(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        for index in figures.indices.dropLast(2) {
            let (first, second, third) = (figures[index], figures[index + 1], figures[index + 2])
            let between = text[first.range.upperBound..<second.range.lowerBound]
            let isBlank =
                (isPackage(between, after: first) ? text[..<0] : between)
                .allSatisfy { $0 == " " || $0 == "." }
                && text[second.range.upperBound..<third.range.lowerBound].allSatisfy { $0 == " " || $0 == "." }
            guard isBlank, first.decimals == 3 || count(first) != nil,
                second.decimals == 2, !first.isNegative, !first.isPercent,
                let quantity = first.thousandths, let price = price(second), let total = third.amount,
                case let phrase = QuantityPhrase(
                    range: first.range.lowerBound..<second.range.upperBound, quantity: quantity,
                    unit: first.decimals == 3 ? .kilogram : .piece, unitPrice: price, quantityRange: first.range,
                    unitPriceRange: second.range),
                let product = phrase.product, (product < 0) == (total < 0), phrase.makes(total)
            else { continue }
            return phrase
        }
        return nil
    }

    /// Whether the text is the unit of a count that no list names: `2 SA 5,99 11,98`, a count of sacks. Longer words,
    /// `2 Bier 4,50 9,00`, and words such as `EI` are names.
    private static func isPackage(_ text: ArraySlice<Unicode.Scalar>, after count: Figure) -> Bool {
        let word = PrintedLine.string(text.filter { $0 != " " }[...]).trimmingSuffix { $0 == "." }
        return count.decimals == 0 && text.first == " " && word.count == 2
            && word.allSatisfy(\.isUppercase) && !Lexicon.contents.contains(word.lowercased())
            && !["EI", "TV", "CD", "BH"].contains(word)
    }

    /// The count in `2`, or in `2.0` of a column that also contains weights.
    private static func count(_ figure: Figure) -> Int64? {
        guard !figure.isPercent, !figure.isNegative, figure.decimals <= 1 else { return nil }
        let scale: Int64 = figure.decimals == 1 ? 10 : 1
        let count = figure.unscaledValue / scale
        return figure.unscaledValue.isMultiple(of: scale) && Lexicon.columnCounts.contains(count) ? count : nil
    }

    /// Reads a weight of two decimals without a multiplication sign if weight × unit price is the total:
    /// `0,25 kg 12,00 3,00`.
    static func weighed(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        for index in figures.indices.dropLast(2) {
            let (first, second, third) = (figures[index], figures[index + 1], figures[index + 2])
            let unit = weightUnit(
                compact(text[first.range.upperBound..<max(first.range.upperBound, second.range.lowerBound)]),
                needsSign: false, isRate: true)
            // Only fuel is sold by the litre; its price has three decimals.
            guard first.decimals > 0, !first.isNegative, !first.isPercent,
                (unit == .kilogram && second.decimals == 2) || (unit == .litre && second.decimals == 3), let unit,
                let quantity = first.thousandths, let price = price(second), let total = third.amount,
                let product = QuantityPhrase.product(quantity: quantity, unitPrice: price), product > 0,
                abs(product - total) <= 1
            else { continue }
            return build(text, first, second, quantity: quantity, unit: unit, price: price)
        }
        return nil
    }

    /// Reads columns with a reduced price, or a saving, between the regular price and the total: `3 1.25 1.00 3.00` and
    /// `2 3.50 1.00 6.00`. The unit price is the final price of one piece.
    static func reduced(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        guard figures.count >= 4 else { return nil }
        for index in figures.indices.dropLast(3) {
            let row = figures[index...(index + 3)]
            guard let count = count(figures[index]),
                row.dropFirst().allSatisfy({ $0.decimals == 2 && !$0.isPercent && !$0.isNegative }),
                case (let regular, let reduced, let total) = (
                    figures[index + 1], figures[index + 2], figures[index + 3]
                ),
                zip(row, row.dropFirst()).allSatisfy({ left, right in
                    text[left.range.upperBound..<right.range.lowerBound].allSatisfy { $0 == " " }
                }),
                reduced.unscaledValue > 0, total.unscaledValue > 0
            else { continue }
            let isReduced =
                reduced.unscaledValue < regular.unscaledValue && count * reduced.unscaledValue == total.unscaledValue
            let isSaved = count * regular.unscaledValue - reduced.unscaledValue == total.unscaledValue
            guard isReduced || isSaved else { continue }
            let isWhole = total.unscaledValue.isMultiple(of: count)
            return QuantityPhrase(
                range: figures[index].range.lowerBound..<reduced.range.upperBound, quantity: count * 1_000,
                unit: .piece, unitPrice: isWhole ? total.unscaledValue / count * 1_000 : nil,
                quantityRange: figures[index].range, unitPriceRange: isReduced ? reduced.range : nil)
        }
        return nil
    }

    /// The first weight of a line, without a price.
    static func weightAlone(in text: [Unicode.Scalar], figures: [Figure]) -> QuantityPhrase? {
        figures.lazy.compactMap { weightAlone(text, $0) }.first
    }

    /// Whether the text is only `kg`, without a multiplication sign.
    static func isUnitAlone(_ between: ArraySlice<Unicode.Scalar>) -> Bool {
        String(decoding: compact(between), as: UTF8.self) == "kg"
    }

    /// Reads the figure as a weight without a price; nil if it is not a weight: `0,245 kg`.
    private static func weightAlone(_ text: [Unicode.Scalar], _ figure: Figure) -> QuantityPhrase? {
        guard figure.decimals == 3, let quantity = figure.thousandths, quantity > 0, !figure.isNegative else {
            return nil
        }
        var end = figure.range.upperBound
        if text[safe: end] == " " { end += 1 }
        guard let k = text[safe: end], k == "k" || k == "K", let g = text[safe: end + 1],
            "gGq9".unicodeScalars.contains(g), isWordEnd(text, end + 2)
        else { return nil }
        return QuantityPhrase(
            range: figure.range.lowerBound..<(end + 2), quantity: quantity, unit: .kilogram, unitPrice: nil,
            quantityRange: figure.range, unitPriceRange: nil)
    }

    /// Reads `38,42 1 x 1,859 EUR/l` with `l` read as a digit. Only fuel has prices with tenths of a cent.
    static func litres(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        guard figures.count >= 3 else { return nil }
        for (index, sign) in figures.enumerated().dropFirst().dropLast() {
            let (first, second) = (figures[index - 1], figures[index + 1])
            guard sign.whole == 1, sign.digitCount == 1, first.decimals == 2 || first.decimals == 3, !first.isNegative,
                text[first.range.upperBound..<sign.range.lowerBound].allSatisfy({ $0 == " " }),
                second.decimals == 3, !second.isNegative, !textAfterCurrency(text, second).hasPrefix("/kg"),
                isTimes(compact(text[sign.range.upperBound..<second.range.lowerBound]), withUnit: false),
                let quantity = first.thousandths, quantity > 0, let price = price(second)
            else { continue }
            return build(text, first, second, quantity: quantity, unit: .litre, price: price)
        }
        return nil
    }
}
