import Domain

/// Detects remains of a quantity in a name. The line may then be several pieces or a weight instead of one piece.
///
/// A number is evidence of a count if it divides the total; an amount is evidence of a unit price if it is not the
/// line's total.
struct QuantityTrace {
    let words: [String]
    /// Minor units, without sign.
    let total: Int64
    let kind: LineKind
    /// Whether the name fills its column, so its last number may be a size that was cut off.
    let isCut: Bool
    /// Whether `0,331` may be `0,33 l`: the second engine read a letter at its end, or a deposit follows.
    let mayBeLitres: Bool
    /// Whether the weight is known, so that `kg` at the end of the name is the unit in which the item is sold.
    let isWeighed: Bool

    /// Whether the line may be more than one piece.
    var isPossible: Bool {
        words.indices.contains { hasSign($0) || hasCount($0) || hasWeight($0) || hasPrice($0) } || endsInColumns
            || endsInDamagedColumns
    }

    /// Whether the name has the quantity of another line: a sign or a word for pieces beside an amount, or a weight.
    var isForeign: Bool {
        let hasSign = words.contains { Self.signs.contains($0) || Self.isPieces($0) }
        let hasAmount = words.indices.contains { index in
            figure(index).map { $0.amount != nil && !$0.isNegative } ?? false && !isRegular(index)
        }
        return (hasSign && hasAmount) || containsWeight || beginsWithPieces
    }

    /// Whether the name contains a weight or a price per kilogram.
    var containsWeight: Bool {
        words.indices.contains { hasWeight($0) || (hasPrice($0) && figure($0)?.unscaledValue ?? 0 > total) }
    }

    private static let signs: Set<String> = ["x", "X", "*", "×", "€"]

    static func isPieces(_ word: String) -> Bool {
        Lexicon.pieces.contains(word.trimmingSuffix { $0 == ")" }.lowercased())
    }

    /// Words for pieces of food and drink, without points and in lower case.
    private static let servings: Set<String> = [
        "gl", "glas", "gläser", "fl", "btl", "port", "portion", "portionen", "pkg", "pck", "bd", "mal",
    ]

    /// Usual volumes of bottles and cans, in thousandths of a litre.
    static let contents: Set<Int64> = [
        100, 200, 250, 330, 350, 375, 500, 700, 750, 1_000, 1_250, 1_500, 2_000,
    ]

    // MARK: Counts

    /// Whether the word has a multiplication sign outside a size: `x`, `2x`, `x2`, `(2x)`, `2xBrot`, `1,95x`, `4x0,66`.
    private func hasSign(_ index: Int) -> Bool {
        let word = words[index]
        if Self.signs.contains(word) {
            let near = words[max(0, index - 2)...min(words.count - 1, index + 2)]
            return [0, words.count - 1].contains(index) || near.contains { $0.contains(where: \.isNumber) }
        }
        let inner = word.trimmingSuffix { $0 == ")" }.drop { $0 == "(" }
        guard let place = inner.firstIndex(where: { $0 == "+" || Lexicon.times.contains($0) }) else { return false }
        let front = inner[..<place]
        let following = inner[inner.index(after: place)...]
        if front.isEmpty { return index > 0 && divides(following) }
        guard let count = Int64(front) else {
            // `zx Menü`: a count of one digit that was read as a letter.
            if index == 0, following.isEmpty, front.unicodeScalars.count == 1,
                let digit = front.unicodeScalars.first.flatMap(HiddenQuantity.digit)
            {
                return divides("\(digit)")
            }
            return following.isEmpty && front.last.map { $0.isNumber || $0 == "€" } ?? false
        }
        if front.count >= 3 { return true }
        guard let figure = FigureScanner.figures(in: following, maximumLength: 20).first else {
            return divides(front) && (following.isEmpty || following.first?.isLetter ?? false)
        }
        guard figure.range == 0..<following.unicodeScalars.count, figure.unscaledValue > 0 else { return false }
        if kind == .deposit || kind == .depositReturn { return true }
        // `6x0,33` is a package size. For other figures, count × unit price need not be the amount exactly, because the
        // count or the unit price may be misread.
        let isSize =
            isLitres(figure)
            || Self.contents.contains(figure.unscaledValue * [1_000, 100, 10, 1][min(figure.decimals, 3)])
        if figure.decimals == 2 { return !isSize }
        let product = count * figure.unscaledValue * (figure.decimals == 1 ? 10 : 1)
        return !isSize && (figure.decimals == 1 || figure.digitCount >= 3) && abs(product - total) * 5 <= total
    }

    /// Whether the word is a count that divides the total: `Brot 2`, `Brot (2)`, `Brot 2 Stk`, `2Brot`, `002 Brot`,
    /// `2) Brot`, `Stk Brot`, `Shirt 2 für 13,00`, `Shirt 2/13,00`.
    private func hasCount(_ index: Int) -> Bool {
        let word = words[index]
        if index == 0 {
            let count = word.trimmingSuffix { ").:".contains($0) }.drop { $0 == "0" }
            if count.count < word.count, words.count > 1, divides(count) { return true }
            let digits = word.prefix { $0.isASCII && $0.isNumber }
            let rest = word[digits.endIndex...].prefix { $0.isLetter }
            return Self.isPieces(word) || (rest.count >= 3 && rest.first?.isUppercase == true && divides(digits))
        }
        let before = words[index - 1]
        if let slash = word.firstIndex(of: "/"), divides(word[..<slash]),
            FigureScanner.figures(in: word[slash...], maximumLength: 20).contains(where: { $0.amount != nil })
        {
            return true
        }
        if Self.isPieces(word) {
            // `EIER 10 STK` is a size.
            let number = before.drop { $0 == "(" }
            guard number.contains(where: \.isNumber) else { return false }
            // `KIWI (3 Stk)` before 3,98: a size in parentheses.
            if number.count < before.count, !divides(number) { return false }
            guard index > 1, let size = Int64(number), size >= 4 else { return true }
            return index < words.count - 1 && divides(number)
        }
        // `WEIN 2 Gl.`: larger numbers are sizes.
        if Self.servings.contains(word.trimmingSuffix { $0 == "." || $0 == ")" }.lowercased()),
            let count = Int64(before), count <= 3
        {
            return divides(before[...])
        }
        if ["für", "fuer", "fur", "zu", "for"].contains(word.lowercased()), let count = Int64(before), count > 1 {
            return words[safe: index + 1].map { next in
                FigureScanner.figures(in: next).first?.amount.map { $0 > 0 && total % $0 == 0 } ?? false
            } ?? (index > 1)
        }
        guard index == words.count - 1 else { return false }
        if ["à", "á", "@"].contains(word) { return true }
        // A unit price without its comma; package sizes end in zero.
        if (3...4).contains(word.utf8.count), let price = Int64(word), price % 10 != 0, price > 0, total % price == 0 {
            return Lexicon.bareCounts.contains(total / price)
        }
        let inner = word.trimmingSuffix { ")*".contains($0) }.drop { "(*".contains($0) }
        return divides(inner) && !(isCut && inner.count == word.count)
    }

    private var beginsWithPieces: Bool {
        words.prefix(2).indices.contains { index in
            Self.isPieces(words[index]) && (index == 0 || words[0].allSatisfy(\.isNumber))
        }
    }

    /// Whether the text is a count that divides the total into plausible unit prices.
    func divides(_ count: Substring) -> Bool {
        guard (1...2).contains(count.utf8.count), let count = Int64(count) else { return false }
        // No piece costs less than ten cents. The 11 of `Milch 11` for 0,99 is a misread `1l`.
        return Lexicon.countsInNames.contains(count) && total % count == 0 && total / count >= 10
    }

    // MARK: Weights and prices

    /// Whether the word is a weight or a price per weight: `Bananen 0,612`, `0,338 kg`, `0456 kg`, `1,89/100g`,
    /// `EUR/kg`. Scales print three decimals, packages do not.
    private func hasWeight(_ index: Int) -> Bool {
        let word = words[index].lowercased()
        if word.contains("/kg") { return true }
        let scalars = Array(word.unicodeScalars.prefix(40))
        let figures = FigureScanner.figures(in: scalars)
        if word.hasPrefix("kg"), word.count <= 3, let before = words[safe: index - 1] {
            if isWeighed, word == "kg", index == words.count - 1, !before.contains(where: \.isNumber) { return false }
            let digits = before.prefix(while: \.isNumber)
            let decimals = before.dropFirst(digits.count + 1)
            if decimals.count == 3, decimals.count(where: \.isNumber) >= 2 { return true }
            return before.contains(where: \.isNumber) ? digits.count == before.count && digits.count > 2 : true
        }
        guard figures.count == 1, let figure = figures.first, figure.range.lowerBound == 0 else { return false }
        if figure.amount != nil, scalars[safe: figure.range.upperBound] == "/" { return true }
        guard figure.decimals == 3, figure.digitCount <= 5, !(mayBeLitres && isLitres(figure)) else { return false }
        let unit = PrintedLine.string(scalars[figure.range.upperBound...])
        let next = words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }
        return unit.hasPrefix("kg") || (unit.isEmpty && (next == nil || next == .kilogram || next == .piece))
    }

    /// Whether the word may be the price of one piece or kilogram: not the total, a size or a regular price.
    private func hasPrice(_ index: Int) -> Bool {
        let word = words[index]
        if word.first == ",", word.dropFirst().first?.isNumber == true { return true }
        if word.allSatisfy({ $0.isNumber || $0 == "." || $0 == "," }), word.count(where: { !$0.isNumber }) > 1 {
            return word.last?.isNumber ?? false
        }
        guard let figure = figure(index), figure.decimals == 2, !figure.isNegative, figure.unscaledValue > 0,
            figure.unscaledValue != total, !isRegular(index), !isSize(figure)
        else { return false }
        let next = words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }
        return next == nil || next == .piece
    }

    /// Returns the figure if the word is only a figure, or a figure with `%`, which may be a damaged multiplication
    /// sign.
    private func figure(_ index: Int) -> Figure? {
        let scalars = Array(words[index].unicodeScalars.prefix(40))
        return FigureScanner.figures(in: scalars).first { $0.range.count + ($0.isPercent ? 1 : 0) == scalars.count }
    }

    /// Whether the figure is a size, `Fritz Kola 0,33`, and cannot be a unit price.
    private func isSize(_ figure: Figure) -> Bool {
        let isMultiple =
            total % figure.unscaledValue == 0 && total / figure.unscaledValue <= Lexicon.countsInNames.upperBound
        guard kind == .item, !figure.isPercent, !isMultiple else { return false }
        return (Self.contents.contains(figure.unscaledValue * 10) && total > figure.unscaledValue) || isLitres(figure)
    }

    /// Whether the figure is a size in litres with the `l` read as a one: `Cola 1,251`, `Bier 0,331`, `Saft 0,71`.
    private func isLitres(_ figure: Figure) -> Bool {
        figure.unscaledValue % 10 == 1
            && Self.contents.contains(figure.unscaledValue / 10 * (figure.decimals == 2 ? 100 : 10))
    }

    /// Whether the figure is a regular price or a discount: `statt 9,99`, `UVP 9,99`, `39,95 -8,00`.
    private func isRegular(_ index: Int) -> Bool {
        guard let word = words[safe: index - 1] else { return false }
        let before = word.trimmingSuffix { $0 == ":" || $0 == "." }.lowercased()
        // `KUCHEN je 4,20  8,40`: the price of one of two pieces.
        if before == "je", let price = figure(index)?.unscaledValue, price > 0, price < total, total % price == 0 {
            return false
        }
        let words: Set<String> = [
            "statt", "uvp", "alt", "vorher", "normal", "bisher", "regulär", "orig", "nur", "je", "ab", "bis", "für",
        ]
        return words.contains(before)
            || (word.contains(where: \.isNumber) && (word.contains("%") || word.contains("-")))
    }
}
