import Domain

/// The text between the figures of a quantity: units, multiplication signs, currencies.
extension QuantityScanner {
    /// The unit price in thousandths of a minor unit; nil without two or three decimals.
    static func price(_ figure: Figure) -> Int64? {
        guard figure.decimals == 2 || figure.decimals == 3, figure.unscaledValue <= 100_000_000 else { return nil }
        let value = figure.decimals == 2 ? figure.unscaledValue * 1_000 : figure.unscaledValue * 100
        return figure.isNegative ? -value : value
    }

    /// The text in lower case without blanks, hyphens, points and colons; empty if it has more than 24 characters.
    static func compact(_ text: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        text.count > 24
            ? [] : PrintedLine.string(text).lowercased().utf8.filter { ![32, 45, 46, 58].contains($0) }
    }

    /// Removes the currency signs after the unit price.
    static func withoutLeadingCurrency(_ between: [UInt8]) -> [UInt8] {
        var rest = between
        // `0,25 €E x 12`: the currency sign may be read twice.
        for sign in CurrencyWords.besideFigures + ["e"] where rest.starts(with: Array(sign.utf8)) {
            rest = Array(rest.dropFirst(sign.utf8.count))
        }
        return rest
    }

    /// Removes the currency before the unit price: `x EUR`.
    static func withoutTrailingCurrency(_ sign: some Sequence<UInt8>) -> [UInt8] {
        let sign = Array(sign)
        for currency in CurrencyWords.besideFigures.map({ Array($0.utf8) })
        where sign.count > currency.count && sign.suffix(currency.count).elementsEqual(currency) {
            return sign.dropLast(currency.count)
        }
        return sign
    }

    /// Whether the text is a multiplication sign, after a word for pieces if `withUnit` allows it.
    static func isTimes(_ between: [UInt8], withUnit: Bool) -> Bool {
        var text = String(decoding: withUnit ? withoutTrailingCurrency(between) : between, as: UTF8.self)
        if withUnit {
            for word in Lexicon.piecesBetweenFigures where text.hasPrefix(word) {
                text = String(text.dropFirst(word.count))
                return text.isEmpty || Lexicon.betweenFigures.contains(text) || ["k", "ex", "kx", "e"].contains(text)
            }
        }
        return Lexicon.betweenFigures.contains(text)
    }

    /// Whether the text is a multiplication sign, a rate or both: `x`, `/kg` or `/kgx`, as in `2,99 €/kg x 0,456`.
    static func isTimesOrRate(_ between: [UInt8]) -> Bool {
        let text = String(decoding: between, as: UTF8.self)
        let rest = text.hasPrefix("/kg") ? String(text.dropFirst(3)) : text
        return Lexicon.betweenFigures.contains(rest) || (rest.isEmpty && !text.isEmpty)
    }

    static func endsInTimes(_ between: [UInt8]) -> Bool {
        String(decoding: between, as: UTF8.self).last.map { Lexicon.letterTimes.contains($0) } ?? false
    }

    /// Whether the text is a multiplication sign and a rate, before the price per kilogram: `x EUR/kg`.
    static func isTimesWithRate(_ between: [UInt8]) -> Bool {
        let text = String(decoding: between, as: UTF8.self)
        guard let sign = text.first, Lexicon.betweenFigures.contains(String(sign)), text.hasSuffix("/kg") else {
            return false
        }
        let currency = text.dropFirst().dropLast(3)
        return currency.isEmpty || CurrencyWords.besideFigures.contains(String(currency))
    }

    /// The unit of weight, volume or length between the figures, if a multiplication sign follows it. `needsSign` is
    /// false if the sign may be missing; `isRate` means that a price per unit follows.
    static func weightUnit(_ between: [UInt8], needsSign: Bool, isRate: Bool) -> MeasureUnit? {
        let text = String(decoding: between, as: UTF8.self)
        for (spelling, unit) in Lexicon.units where text.hasPrefix(spelling) {
            var rest = text.dropFirst(spelling.count)
            // `28,59 Liter  EUR/Liter 1,819`: the rate precedes the price.
            let hasRate = rest.hasSuffix("/" + spelling)
            if hasRate { rest = rest.dropLast(spelling.count + 1) }
            if hasRate, rest.isEmpty || CurrencyWords.besideFigures.contains(String(rest)) { return unit }
            let sign = String(decoding: withoutTrailingCurrency(rest.utf8), as: UTF8.self)
            if Lexicon.betweenFigures.contains(sign)
                || (sign.isEmpty && (isRate || (!needsSign && !["l", "m", "g"].contains(spelling))))
            {
                return unit
            }
        }
        return nil
    }

    static func isWordEnd(_ text: [Unicode.Scalar], _ position: Int) -> Bool {
        text[safe: position].map { !$0.isDigit && !$0.isLatinLetter && $0 != "," && $0 != "." } ?? true
    }
}
