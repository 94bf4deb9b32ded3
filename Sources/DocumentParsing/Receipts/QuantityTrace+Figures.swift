import Domain

/// Figures that only quantities leave behind.
extension QuantityTrace {
    /// What bottles and cans hold, in thousandths of a litre.
    static let contents: Set<Int64> = [
        100, 200, 250, 330, 350, 375, 500, 700, 750, 1_000, 1_250, 1_500, 2_000,
    ]

    /// `Cola 1,251`, `Bier 0,331`, `Saft 0,71`: the content of a bottle, its sign for litres read as a digit. The name is
    /// that of a drink and holds no other figure, and it is not the price of one of several.
    static func isLitres(_ word: String, in words: [String], total: Int64) -> Bool {
        guard word.hasSuffix("1"), case let scalars = Array(word.unicodeScalars.prefix(12)),
            let figure = FigureScanner.figures(in: scalars).first, figure.range.count == scalars.count,
            figure.decimals == 2 || figure.decimals == 3, words.contains(where: isDrink),
            words.count(where: { $0.contains(where: \.isNumber) }) == 1
        else { return false }
        // A cent beside the product is one that was rounded.
        let rest = Int64(total.magnitude) % max(1, figure.digits)
        if figure.decimals == 2, min(rest, figure.digits - rest) <= 1 { return false }
        return contents.contains(figure.digits / 10 * (figure.decimals == 2 ? 100 : 10))
    }

    /// Ends of words for what is sold in bottles and cans; `Weintrauben` and `Bierschinken` are weighed.
    private static func isDrink(_ word: String) -> Bool {
        let letters = word.lowercased().filter(\.isLetter)
        return drinks.contains(where: letters.hasSuffix)
    }

    private static let drinks = [
        "bier", "saft", "wasser", "wein", "milch", "cola", "kola", "schorle", "limo", "limonade", "nektar", "sekt",
        "sprudel", "radler", "weizen", "fanta", "sprite", "spezi", "pils", "pilsner", "helles", "eistee", "prosecco",
        "wodka", "vodka", "whisky", "sirup", "energy", "aperol",
    ]

    /// The remains of a weight: `Bananen 0,612`, `Äpfel 2,49` before 1,24, `Brot 0456 kg`, `Salat 1,89/100g`. Scales print
    /// three decimals, and the price of a kilogram is no price of the line.
    static func isWeightIn(_ name: String, total: Int64) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() {
            let scalars = Array(word.unicodeScalars.prefix(40))
            let figures = FigureScanner.figures(in: scalars)
            let next = words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }
            if isScaled(word, scalars, figures), next == nil || next == .kilogram || next == .piece,
                !isLitres(word, in: words, total: total)
            {
                return true
            }
            if isKilogram(word), index > 0 || words.count == 1, !endsAsSize(words[safe: index - 1]) { return true }
            // `6,50/Stk`, `1,89/100g`: the price of something else than the line.
            if let figure = figures.first, figure.amount != nil, scalars[safe: figure.range.upperBound] == "/" {
                return true
            }
        }
        return endsInAmount(words, total: total)
    }

    /// What poor print leaves of quantities: `Rind 100G 6 4,14` before 4,14, the price of one lost and the total read
    /// twice, and `2726x-4-`, a sign of multiplication that no size has.
    /// Text layers are read rightly: there `16 2,95  2,95` is a size with the price of one.
    static func isBroken(_ name: String, total: Int64) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        if words.count > 2, let last = words.last, let count = Int64(words[words.count - 2]), (2...99).contains(count),
            FigureScanner.figures(in: Array(last.unicodeScalars.prefix(40))).first?.amount?.magnitude
                == total.magnitude
        {
            return true
        }
        return words.contains { word in
            zip(word, word.dropFirst()).enumerated().contains { place, pair in
                pair.0.isNumber && "xX×".contains(pair.1)
                    && word.dropFirst(place + 2).first.map { !$0.isNumber && !$0.isLetter } ?? false
            }
        }
    }

    /// Traces that say so also where a line has a quantity of its own, or takes something off: those of another line that
    /// was drawn into it. A sign of multiplication or a word for pieces beside an amount, or a weight.
    static func isForeign(_ name: String) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        let figures = words.map { FigureScanner.figures(in: Array($0.unicodeScalars.prefix(40))) }
        let hasSign = words.contains { ["x", "X", "*", "×", "€"].contains($0) || isPieces($0) }
        let hasAmount = words.indices.contains { index in
            figures[index].contains { $0.amount != nil && $0.decimals == 2 && !$0.isNegative }
                && !isRegular(words[safe: index - 1])
        }
        let hasWeight = words.indices.contains { index in
            isScaled(words[index], Array(words[index].unicodeScalars.prefix(40)), figures[index])
                && words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }.map { $0 == .kilogram } ?? true
        }
        return (hasSign && hasAmount) || hasWeight
    }

    /// `0,612`: three decimals and nothing else, or `kg` behind them.
    private static func isScaled(_ word: String, _ scalars: [Unicode.Scalar], _ figures: [Figure]) -> Bool {
        guard figures.count == 1, let figure = figures.first, figure.decimals == 3, figure.digitCount <= 5,
            figure.range.lowerBound == 0
        else { return false }
        let rest = PrintedLine.string(scalars[figure.range.upperBound...]).lowercased()
        return rest.isEmpty || rest.hasPrefix("kg")
    }

    private static func isKilogram(_ word: String) -> Bool { ["kg", "kg.", "kgx"].contains(word.lowercased()) }

    /// `5 kg`, `2,5 kg`: no more than two digits whole, and no scale's three decimals. `0456 kg` lost its comma.
    private static func endsAsSize(_ word: String?) -> Bool {
        guard let word, word.contains(where: \.isNumber) else { return false }
        let digits = word.prefix { $0.isNumber }
        return digits.count < word.count || digits.count <= 2
    }

    /// An amount that ends a name and is not the line's own: a column of prices of one, its count or weight not read.
    private static func endsInAmount(_ words: [String], total: Int64) -> Bool {
        var words = words
        while let last = words.last, ["€", "EUR", "CHF", "EUR/kg", "€/kg"].contains(last) { words.removeLast() }
        guard words.count >= 2, let last = words.last, !isRegular(words[words.count - 2]) else { return false }
        let scalars = Array(last.unicodeScalars.prefix(40))
        guard let figure = FigureScanner.figures(in: scalars).first, let amount = figure.amount, !figure.isNegative,
            figure.range.count == scalars.count, amount.magnitude != total.magnitude
        else { return false }
        return !isContent(last, total: total, kind: .item) && !isLitres(last, in: words, total: total)
    }

    /// The word in front of a regular price, or of an amount that was taken off: `statt 9,99`, `39,95 -8,00`.
    private static func isRegular(_ word: String?) -> Bool {
        guard let word else { return false }
        let signs = word.trimmingSuffix { $0 == ":" || $0 == "." }.lowercased()
        return [
            "statt", "uvp", "alt", "vorher", "normal", "bisher", "regulär", "orig", "nur", "je", "ab", "bis", "für",
        ]
        .contains(signs)
            || (word.contains(where: \.isNumber) && (word.contains("%") || word.hasPrefix("-") || word.hasSuffix("-")))
    }

    /// `Fritz Kola 0,33`: what is in it, unless it may be the price of one.
    static func isContent(_ word: String, total: Int64, kind: LineKind) -> Bool {
        let scalars = Array(word.unicodeScalars.prefix(40))
        guard kind == .item, let figure = FigureScanner.figures(in: scalars).first, !figure.isPercent,
            figure.decimals == 2, figure.digits < 100, contents.contains(figure.digits * 10)
        else { return false }
        let isMultiple =
            total.magnitude.isMultiple(of: UInt64(figure.digits)) && total.magnitude <= UInt64(figure.digits) * 24
        return !isMultiple && total.magnitude > UInt64(figure.digits)
    }

    /// `4x0,66` before 2,60: count and price of one without blanks, one of them misread. `6x0,33` is what is in it.
    static func isGlued(_ word: String, total: Int64, kind: LineKind) -> Bool {
        guard let (count, figure, rest) = glued(word), rest.isEmpty, figure.digits > 0, total != 0 else { return false }
        let product = count * figure.digits * (figure.decimals == 1 ? 10 : 1)
        let magnitude = Int64(total.magnitude)
        if kind == .deposit || kind == .depositReturn {
            // The crate around the bottles: 20 x 0,08 and 1,50.
            return product + 150 != magnitude
        }
        let isNear = abs(product - magnitude) * 5 <= magnitude
        switch figure.decimals {
        case 2, 1:
            let isUsual = contents.contains(figure.digits * (figure.decimals == 2 ? 10 : 100))
            if isUsual { return differsInDigitAtMost(product, magnitude) }
            // `6x1,51`: the sign for litres read as a digit.
            if figure.decimals == 2, figure.digits % 10 == 1, contents.contains(figure.digits / 10 * 100) {
                return isNear
            }
            return figure.decimals == 2 || isNear
        // `15x10  1,79` is a size: two digits are a price only without its leading zero.
        case 0:
            return figure.digitCount >= 3 ? isNear : figure.digitCount == 2 && differsInDigitAtMost(product, magnitude)
        default: return false
        }
    }

    /// Count, figure and what stands behind it in `4x0,66`; `2+1,99` has a damaged sign.
    private static func glued(_ word: String) -> (Int64, Figure, String)? {
        let scalars = Array(word.unicodeScalars.prefix(20))
        let digits = scalars.prefix(while: \.isDigit)
        guard (1...3).contains(digits.count), let count = Int64(PrintedLine.string(digits)), count > 0,
            let sign = scalars[safe: digits.count], "xX×*+".unicodeScalars.contains(sign)
        else { return nil }
        let behind = Array(scalars[(digits.count + 1)...])
        guard let figure = FigureScanner.figures(in: behind).first, figure.range.lowerBound == 0 else { return nil }
        return (count, figure, PrintedLine.string(behind[figure.range.upperBound...]))
    }

    private static func differsInDigitAtMost(_ left: Int64, _ right: Int64) -> Bool {
        let left = Array(String(left).utf8)
        let right = Array(String(right).utf8)
        return left.count == right.count && zip(left, right).count { $0 != $1 } <= 1
    }

    /// Two figures of a name whose product is the total: `Leberkäse 0,220 warm 14,90` before 3,28.
    static func saysProduct(_ words: [String], total: Int64) -> Bool {
        let figures = words.compactMap { word -> Figure? in
            let scalars = Array(word.unicodeScalars.prefix(40))
            return FigureScanner.figures(in: scalars).first { $0.range.count == scalars.count && !$0.isPercent }
        }
        guard figures.count >= 2, figures.count <= 8, total != 0 else { return false }
        return figures.indices.contains { index in
            guard let quantity = figures[index].thousandths, quantity != 1_000, quantity > 0 else { return false }
            return figures.indices.contains { other in
                guard other != index, figures[other].decimals == 2,
                    let product = QuantityPhrase.product(quantity: quantity, unitPrice: figures[other].digits * 1_000)
                else { return false }
                return abs(product - Int64(total.magnitude)) <= (quantity.isMultiple(of: 1_000) ? 0 : 1)
            }
        }
    }

    /// A count whose sign or price was lost: `2xBrot`, `2Brot` and `Brot 199` before 3,98, `x Brot`, `Brot €x`, `Brot *2`,
    /// `Brot 2 à`, `Brot (2)`.
    static func leavesCount(_ words: [String], total: Int64) -> Bool {
        guard let first = words.first, let last = words.last else { return false }
        func divides(_ count: Int64?, upTo most: Int64 = 12) -> Bool {
            count.map { (2...most).contains($0) && total != 0 && total % $0 == 0 } ?? false
        }
        if ["x", "X", "*", "×"].contains(first), words.count > 1 { return true }
        let digits = first.prefix { $0.isASCII && $0.isNumber }
        if (1...2).contains(digits.count), let count = Int64(digits), count > 1 {
            var rest = first[digits.endIndex...]
            if let sign = rest.first, "xX×*".contains(sign), rest.dropFirst().first?.isLetter == true { return true }
            for unit in ["Stk", "Stck", "St."] where rest.hasPrefix(unit) { return true }
            rest = rest.prefix { $0.isLetter }
            if rest.count >= 3, rest.first?.isUppercase == true, divides(count) { return true }
        }
        guard words.count > 1 else { return false }
        if ["à", "á", "@"].contains(last) { return true }
        if last.count <= 3, last.contains("€"), last.contains(where: { "xX".contains($0) }) { return true }
        let inner = last.trimmingSuffix { ")*".contains($0) }.drop { "(*".contains($0) }
        if inner.count < last.count, divides(Int64(inner), upTo: 24) { return true }
        // Prices end in other digits than sizes do.
        guard (3...4).contains(last.utf8.count), last.utf8.allSatisfy({ (48...57).contains($0) }),
            let price = Int64(last), price > 0, price % 10 != 0
        else { return false }
        return total.magnitude.isMultiple(of: UInt64(price)) && (2...12).contains(total.magnitude / UInt64(price))
    }

    static func isPieces(_ word: String) -> Bool {
        ["stk", "stk.", "stck", "stück", "st", "st."].contains(word.lowercased())
    }
}
