import Domain

/// Finds quantity phrases between the figures of a line.
enum QuantityScanner {
    /// The quantity phrase in the first `PrintedLine.maximumLength` scalars of a text.
    static func phrase(in scalars: some Sequence<Unicode.Scalar>) -> QuantityPhrase? {
        let text = Array(scalars.prefix(PrintedLine.maximumLength))
        return phrase(in: text, figures: FigureScanner.figures(in: text))
    }

    static func phrase(in text: [Unicode.Scalar], figures: [Figure]) -> QuantityPhrase? {
        if let found = litres(text, figures) { return found }
        for (index, first) in figures.enumerated() {
            guard index + 1 < figures.count, let found = pair(text, first, figures[index + 1]) else { continue }
            // `EIER FREILAND 10 St. 2,89`: a size, unless count × unit price is printed after it.
            let following = figures.dropFirst(index + 2).last { $0.amount != nil }?.amount
            let makesAmount = following != nil && found.product.map(abs) == following.map(abs)
            if !makesAmount, found.unit == .piece, isSizeInPieces(text, first, figures[index + 1]) { continue }
            // `Quark 250g A 2,37`: `A` is the tax class before the price, not a multiplication sign.
            if following == nil, isClassBetween(text, first, figures[index + 1]) { continue }
            // `BULGUR 1KG *2,49`: some tills fill the space before each amount with stars.
            if following == nil, found.unit != .piece, isAfterStar(text, first, figures[index + 1]) { continue }
            return found
        }
        if let found = columns(text, figures) ?? weighed(text, figures) ?? reduced(text, figures) { return found }
        return weightAlone(in: text, figures: figures)
    }

    /// Whether a word for pieces without a multiplication sign follows a name.
    private static func isSizeInPieces(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> Bool {
        guard first.range.upperBound <= second.range.lowerBound,
            text[..<first.range.lowerBound].hasName
        else { return false }
        let between = String(decoding: compact(text[first.range.upperBound..<second.range.lowerBound]), as: UTF8.self)
        return Lexicon.piecesBetweenFigures.contains(between)
    }

    /// The count in `2`, or in `2,00` or `2,000 St` of tills that print counts with decimals.
    private static func wholeCount(_ figure: Figure, _ between: [UInt8]) -> Int64? {
        let scale: Int64
        switch figure.decimals {
        case 0: scale = 1
        case 2: scale = 100
        case 3:
            let unit = String(decoding: between, as: UTF8.self)
            guard Lexicon.piecesBetweenFigures.contains(where: unit.hasPrefix) else { return nil }
            scale = 1_000
        default: return nil
        }
        let count = figure.unscaledValue / scale
        return figure.unscaledValue.isMultiple(of: scale) && Lexicon.markedCounts.contains(count) ? count : nil
    }

    /// Whether a single `A` before the second figure follows a name.
    private static func isClassBetween(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> Bool {
        guard first.range.upperBound < second.range.lowerBound,
            text[..<first.range.lowerBound].hasName
        else { return false }
        let last = text[first.range.upperBound..<second.range.lowerBound].split(separator: " ").last
        return last.map { PrintedLine.string($0) == "A" } ?? false
    }

    /// Whether the first figure is a size after a name, and a star is between it and the second figure, which is an
    /// amount.
    private static func isAfterStar(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> Bool {
        guard text[..<first.range.lowerBound].hasName else { return false }
        if isStarBetween(text, first, second) { return true }
        let star = second.range.lowerBound - 1
        return first.range.upperBound < star && text[safe: star] == "*" && text[safe: star - 1] == " "
            && first.decimals == 0
    }

    /// Whether only a star is between a weight and the price: `1,532 * 3,50`, `0,256*34,90`.
    private static func isStarBetween(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> Bool {
        guard first.decimals == 3, first.range.upperBound <= second.range.lowerBound else { return false }
        return text[first.range.upperBound..<second.range.lowerBound].filter { $0 != " " } == ["*"]
    }

    /// The quantity phrase that consists of two figures and the text between them; nil if they form none.
    private static func pair(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> QuantityPhrase? {
        guard !first.isPercent, !second.isPercent else { return nil }
        let between = compact(text[first.range.upperBound..<max(first.range.upperBound, second.range.lowerBound)])
        // `-3 x 3,10 -9,30`: returned items have a negative count.
        if first.isNegative {
            guard first.decimals == 0, !second.isNegative, let count = wholeCount(first, between),
                isTimes(between, withUnit: true), let price = price(second)
            else { return nil }
            return build(text, first, second, quantity: count * 1_000, unit: .piece, price: -price)
        }
        if let weight = weight(text, first, second, between) { return weight }
        if first.decimals == 3, wholeCount(first, between) == nil, second.decimals == 2, !second.isNegative,
            isTimesWithRate(between) || isStarBetween(text, first, second)
                || ((1...4).contains(between.count)
                    && (between.first == UInt8(ascii: "k") || endsInTimes(between))
                    && between.allSatisfy { $0 > UInt8(ascii: "9") }),
            let quantity = first.thousandths, quantity > 0, let price = price(second)
        {
            return build(text, first, second, quantity: quantity, unit: .kilogram, price: price)
        }
        if let count = wholeCount(first, between), isTimes(between, withUnit: true), let price = price(second),
            text[safe: first.range.lowerBound - 1].map({ $0 == " " || $0 == "(" }) ?? true
        {
            return build(text, first, second, quantity: count * 1_000, unit: .piece, price: price)
        }
        if let price = price(first), let count = second.whole, Lexicon.markedCounts.contains(count),
            second.digitCount <= 3, isTimes(withoutLeadingCurrency(between), withUnit: false),
            isWordEnd(text, second.range.upperBound)
        {
            return build(text, second, first, quantity: count * 1_000, unit: .piece, price: price)
        }
        if let price = price(first), second.decimals == 3, isTimesOrRate(withoutLeadingCurrency(between)),
            let quantity = second.thousandths, quantity > 0
        {
            // `49,79 x 1,649 EUR/l`: litres without their unit. Without the rate, either figure may be the price: 1,649
            // is a price of fuel, but 49,79 may also be a price of meat per kilogram.
            let mayBeFuel = first.unscaledValue >= 1_000 && (1_000...2_999).contains(second.unscaledValue)
            if mayBeFuel, let litres = first.thousandths, let rate = self.price(second), hasRate(text, second) {
                return build(text, first, second, quantity: litres, unit: .litre, price: rate)
            }
            if mayBeFuel, !between.contains(UInt8(ascii: "/")) { return nil }
            return build(text, second, first, quantity: quantity, unit: .kilogram, price: price)
        }
        return nil
    }

    /// A quantity with a unit of weight, volume or length between its figures.
    private static func weight(
        _ text: [Unicode.Scalar], _ first: Figure, _ second: Figure, _ between: [UInt8]
    ) -> QuantityPhrase? {
        // `3 kg 5,99` is a size before a price. Only weights with three decimals need no multiplication sign.
        let isRate = isPerUnit(text, between, second)
        guard let unit = weightUnit(between, needsSign: first.decimals != 3, isRate: isRate),
            first.decimals == 3 || first.decimals == 0 || first.decimals == 2,
            let quantity = first.thousandths, quantity > 0, let price = price(second)
        else { return nil }
        // Grams with a price per kilogram or per 100 g: `456 g x 2,99 €/kg`, `256 g x 1,49/100g`.
        let following = textAfterCurrency(text, second)
        let isPerHundred = following.hasPrefix("/100g") && second.decimals == 2 && unit != .metre && unit != .litre
        if unit == .gram, first.decimals == 0, following.hasPrefix("/kg") || isPerHundred {
            return build(
                text, first, second, quantity: first.unscaledValue, unit: .kilogram,
                price: isPerHundred ? price * 10 : price)
        }
        // Scales do not show thousandths of a gram: the `k` was lost.
        let sold = first.decimals == 3 && unit == .gram ? .kilogram : unit
        return build(
            text, first, second, quantity: quantity, unit: sold,
            price: isPerHundred && sold == .kilogram ? price * 10 : price)
    }

    /// Whether a currency or a slash follows the figure, so that it is a price: `1,649 €/l`, `1,649 E/1`.
    private static func hasRate(_ text: [Unicode.Scalar], _ figure: Figure) -> Bool {
        let following = PrintedLine.string(text[figure.range.upperBound...].prefix(8)).lowercased().filter { $0 != " " }
        return ["€", "e/", "eur", "/"].contains(where: following.hasPrefix)
    }

    /// Whether the second figure is marked as a price per unit of the first: `42,15 l 1,729 EUR/l`.
    private static func isPerUnit(_ text: [Unicode.Scalar], _ between: [UInt8], _ second: Figure) -> Bool {
        let unit = String(decoding: between, as: UTF8.self)
        guard Lexicon.rated.contains(unit) else { return false }
        return textAfterCurrency(text, second).hasPrefix("/\(unit.prefix(1))")
    }

    /// The text after a figure and its currency, in lower case without blanks: `/kg`.
    static func textAfterCurrency(_ text: [Unicode.Scalar], _ figure: Figure) -> String {
        let following = text[figure.range.upperBound...].prefix(10).filter { $0 != " " }
        let word = PrintedLine.string(following[...]).lowercased()
        for currency in CurrencyWords.besideFigures where word.hasPrefix(currency) {
            return String(word.dropFirst(currency.count))
        }
        return word
    }

    /// Creates a phrase. Its range includes a label before the count and the unit after the unit price.
    static func build(
        _ text: [Unicode.Scalar], _ count: Figure, _ price: Figure, quantity: Int64, unit: MeasureUnit,
        price value: Int64
    ) -> QuantityPhrase {
        let lower = labelStart(text, min(count.range.lowerBound, price.range.lowerBound))
        var upper = max(count.range.upperBound, price.range.upperBound)
        upper = skipUnitPriceUnit(text, upper)
        return QuantityPhrase(
            range: lower..<upper, quantity: quantity, unit: unit, unitPrice: value, quantityRange: count.range,
            unitPriceRange: price.range)
    }

    /// The start of a phrase, including a label before its count: `Menge 3 EP 5,89`.
    private static func labelStart(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        guard start > 1, text[start - 1] == " " else { return start }
        let from = text[..<(start - 1)].lastIndex(of: " ").map { $0 + 1 } ?? 0
        let word = PrintedLine.string(text[from..<(start - 1)]).lowercased()
        return Lexicon.labels.contains(word) ? from : start
    }

    /// The position after the unit of a unit price: ` EUR/kg`, ` €/kg`, `/Stk`, ` EUR`, ` lei`.
    private static func skipUnitPriceUnit(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        var position = start
        if text[safe: position] == " " { position += 1 }
        let wordStart = position
        while position < text.count, text[position] != " " { position += 1 }
        let word = PrintedLine.string(text[min(wordStart, text.count)..<position]).uppercased()
        // `3 x 0,89 €2,67`: the amount after the phrase is not part of it.
        if word.contains(where: \.isNumber) { return start }
        // `2 x 1,29 LEIBNIZ`: a name may begin with the letters of a short currency.
        let isCurrency =
            ["EUR", "€", "CHF"].contains(where: word.hasPrefix)
            || ["LEI", "RON", "ZŁ", "ZL", "PLN"].contains(word.trimmingSuffix { !$0.isLetter })
        return isCurrency || word.contains("/") ? position : start
    }
}
