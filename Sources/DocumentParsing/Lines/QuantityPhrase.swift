import Domain

/// `2 Stk x 0,99`, `0,543 KG x 10,99`, `0,89 x 2`: how much and at what price, wherever on a line it stands.
struct QuantityPhrase: Sendable, Equatable {
    var range: Range<Int>
    /// Thousandths of `unit`.
    var quantity: Int64
    var unit: MeasureUnit
    /// Thousandths of a minor unit; nil where only the weight is printed.
    var unitPrice: Int64?
    var quantityRange: Range<Int>
    var unitPriceRange: Range<Int>?
    /// The line's total where it touches the count: `0,55 x 21,10` is 2 and 1,10, as their product shows.
    var gluedTotal: Figure?
    /// The count was not read: the total over the unit price gives it.
    var isCountImplied = false

    /// `3 × 0,25`, for the reason of a repair.
    var text: String {
        let count = Quantity(thousandths: quantity, unit: unit).figure()
        return unitPrice.map { "\(count) × \(AmountText.german($0 / 1_000))" } ?? count
    }

    /// What the phrase says the line costs, rounded half away from zero; nil without a price.
    var product: Int64? {
        guard let unitPrice else { return nil }
        return QuantityPhrase.product(quantity: quantity, unitPrice: unitPrice)
    }

    /// Thousandths of a unit × thousandths of a minor unit, in minor units, rounded half away from zero.
    static func product(quantity: Int64, unitPrice: Int64) -> Int64? {
        let (product, overflow) = quantity.multipliedReportingOverflow(by: unitPrice)
        guard !overflow else { return nil }
        let magnitude = (product.magnitude + 500_000) / 1_000_000
        return product < 0 ? -Int64(magnitude) : Int64(magnitude)
    }
}

/// Finds quantity phrases between the figures of a line.
enum QuantityScanner {
    static func phrase(in text: [Unicode.Scalar], figures: [Figure]) -> QuantityPhrase? {
        for (index, first) in figures.enumerated() {
            guard index + 1 < figures.count, let found = pair(text, first, figures[index + 1]) else { continue }
            // `EIER FREILAND 10 St. 2,89`: a size, when the line has no other amount.
            let isLast = figures.dropFirst(index + 2).allSatisfy { $0.amount == nil }
            if isLast, found.unit == .piece, isSizeInPieces(text, first, figures[index + 1]) { continue }
            return found
        }
        if let found = columns(text, figures) { return found }
        if let found = damagedSign(text, figures) ?? row(text, figures) { return found }
        for figure in figures {
            if let found = weightAlone(text, figure, figures) { return found }
        }
        return nil
    }

    /// A word for pieces without a sign of multiplication, behind a name.
    private static func isSizeInPieces(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> Bool {
        guard first.range.upperBound <= second.range.lowerBound,
            text[..<first.range.lowerBound].count(where: \.isLatinLetter) >= 3
        else { return false }
        let between = String(decoding: compact(text[first.range.upperBound..<second.range.lowerBound]), as: UTF8.self)
        return pieceWords.contains(between)
    }

    private static func pair(_ text: [Unicode.Scalar], _ first: Figure, _ second: Figure) -> QuantityPhrase? {
        guard !first.isPercent, !second.isPercent, !first.isNegative else { return nil }
        let between = compact(text[first.range.upperBound..<max(first.range.upperBound, second.range.lowerBound)])
        // `3 kg 5,99` and `1,5 l 0,99` are sizes with a price behind them: only a weight needs no sign of multiplication.
        if let unit = weightUnit(between, needsSign: first.decimals != 3),
            first.decimals == 3 || first.decimals == 0 || first.decimals == 2,
            let quantity = first.thousandths, quantity > 0, let price = price(second)
        {
            // Nobody weighs thousandths of a gram: the k was lost.
            let unit = first.decimals == 3 && unit == .gram ? MeasureUnit.kilogram : unit
            return build(text, first, second, quantity: quantity, unit: unit, price: price, priceIsSecond: true)
        }
        if first.decimals == 3, second.decimals == 2, !second.isNegative, (1...4).contains(between.count),
            between.first == 107 || between.last == 120, between.allSatisfy({ $0 >= 58 }),
            let quantity = first.thousandths, quantity > 0, let price = price(second)
        {
            return build(text, first, second, quantity: quantity, unit: .kilogram, price: price, priceIsSecond: true)
        }
        if let count = first.whole, (1...999).contains(count), isTimes(between, withUnit: true),
            let price = price(second),
            text[safe: first.range.lowerBound - 1].map({ $0 == " " || $0 == "(" }) ?? true
        {
            return build(text, first, second, quantity: count * 1_000, unit: .piece, price: price, priceIsSecond: true)
        }
        if let price = price(first), let count = second.whole, (1...999).contains(count), second.digitCount <= 3,
            isTimes(currencyCut(between), withUnit: false), isWordEnd(text, second.range.upperBound)
        {
            return build(text, second, first, quantity: count * 1_000, unit: .piece, price: price, priceIsSecond: false)
        }
        if let price = price(first), first.decimals == 2, isTimes(currencyCut(between), withUnit: false),
            let found = glued(text, first, second, price: price)
        {
            return found
        }
        if let price = price(first), second.decimals == 3, isTimes(currencyCut(between), withUnit: false),
            let quantity = second.thousandths, quantity > 0
        {
            return build(text, second, first, quantity: quantity, unit: .kilogram, price: price, priceIsSecond: false)
        }
        return nil
    }

    /// `0,55 € x 21,10`: the blank between the count and the total was lost.
    private static func glued(
        _ text: [Unicode.Scalar], _ first: Figure, _ second: Figure, price: Int64
    ) -> QuantityPhrase? {
        guard second.decimals == 2, !second.isNegative, second.digitCount >= 4 else { return nil }
        let start = second.range.lowerBound
        for length in 1...2 where second.digitCount - length >= 3 {
            guard let count = Int64(PrintedLine.string(text[start..<(start + length)])), count >= 2 else { continue }
            var rest = second
            rest.range = (start + length)..<second.range.upperBound
            rest.digitCount -= length
            rest.digits = second.digits - count * (0..<rest.digitCount).reduce(1) { scale, _ in scale * 10 }
            guard count * first.digits == rest.digits else { continue }
            return QuantityPhrase(
                range: first.range.lowerBound..<(start + length), quantity: count * 1_000, unit: .piece,
                unitPrice: price, quantityRange: start..<(start + length), unitPriceRange: first.range,
                gluedTotal: rest)
        }
        return nil
    }

    /// `0,158 1,19 0,19` and `2 1.40 2.80`: columns without signs, known by their arithmetic alone.
    private static func columns(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        for index in figures.indices.dropLast(2) {
            let (first, second, third) = (figures[index], figures[index + 1], figures[index + 2])
            let isBlank =
                (text[first.range.upperBound..<second.range.lowerBound]
                + text[second.range.upperBound..<third.range.lowerBound])
                .allSatisfy { $0 == " " || $0 == "." }
            guard isBlank, first.decimals == 3 || (first.decimals == 0 && (1...99).contains(first.digits)),
                second.decimals == 2, !first.isNegative, !first.isPercent,
                let quantity = first.thousandths, let price = price(second), let total = third.amount,
                let product = QuantityPhrase.product(quantity: quantity, unitPrice: price), abs(product - total) <= 1,
                first.decimals == 3 || product == total
            else { continue }
            return QuantityPhrase(
                range: first.range.lowerBound..<second.range.upperBound, quantity: quantity,
                unit: first.decimals == 3 ? .kilogram : .piece, unitPrice: price, quantityRange: first.range,
                unitPriceRange: second.range)
        }
        return nil
    }

    /// `1,516  3,29  4,97 C`: a row of the table of weights of which one figure was misread.
    private static func row(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        guard (3...4).contains(figures.count), let first = figures.first, let last = figures.last,
            first.decimals == 3, !first.isNegative, figures.dropFirst().allSatisfy({ $0.decimals == 2 }),
            !text[..<last.range.lowerBound].contains(where: \.isLatinLetter),
            let quantity = first.thousandths, quantity > 0, let total = last.amount
        else { return nil }
        let fitting = figures.dropFirst().dropLast().first { figure in
            price(figure).flatMap { QuantityPhrase.product(quantity: quantity, unitPrice: $0) }
                .map { abs($0 - total) <= 1 } ?? false
        }
        guard let chosen = fitting ?? (figures.count == 3 ? figures[1] : nil), let price = price(chosen) else {
            return nil
        }
        return QuantityPhrase(
            range: first.range.lowerBound..<chosen.range.upperBound, quantity: quantity, unit: .kilogram,
            unitPrice: price, quantityRange: first.range, unitPriceRange: chosen.range)
    }

    /// `3,29% 2  6,58`: the sign of multiplication was misread, the product tells it.
    private static func damagedSign(_ text: [Unicode.Scalar], _ figures: [Figure]) -> QuantityPhrase? {
        for index in figures.indices.dropLast(2) {
            let (first, second, third) = (figures[index], figures[index + 1], figures[index + 2])
            // `3 + 1,55  4,65`, nothing but figures in front.
            if let count = first.whole, (2...99).contains(count), second.decimals == 2, let total = third.amount,
                second.digits > 0, second.digits * count == abs(total),
                !text[..<third.range.lowerBound].contains(where: \.isLatinLetter)
            {
                return QuantityPhrase(
                    range: first.range.lowerBound..<second.range.upperBound, quantity: count * 1_000, unit: .piece,
                    unitPrice: second.digits * 1_000, quantityRange: first.range, unitPriceRange: second.range)
            }
            guard first.decimals == 2, first.digits > 0, let count = second.whole, (2...99).contains(count),
                let total = third.amount, first.digits * count == abs(total),
                second.range.lowerBound - first.range.upperBound <= 4, isWordEnd(text, second.range.upperBound)
            else { continue }
            return QuantityPhrase(
                range: first.range.lowerBound..<second.range.upperBound, quantity: count * 1_000, unit: .piece,
                unitPrice: first.digits * 1_000, quantityRange: second.range, unitPriceRange: first.range)
        }
        return nil
    }

    /// `0,245 kg` without a price.
    private static func weightAlone(_ text: [Unicode.Scalar], _ figure: Figure, _ all: [Figure]) -> QuantityPhrase? {
        guard figure.decimals == 3, let quantity = figure.thousandths, quantity > 0, !figure.isNegative else {
            return nil
        }
        var end = figure.range.upperBound
        if text[safe: end] == " " { end += 1 }
        guard let k = text[safe: end], k == "k" || k == "K", let g = text[safe: end + 1],
            "gGq9".unicodeScalars.contains(g),
            isWordEnd(text, end + 2)
        else { return nil }
        return QuantityPhrase(
            range: figure.range.lowerBound..<(end + 2), quantity: quantity, unit: .kilogram, unitPrice: nil,
            quantityRange: figure.range, unitPriceRange: nil)
    }

    private static func build(
        _ text: [Unicode.Scalar], _ count: Figure, _ price: Figure, quantity: Int64, unit: MeasureUnit,
        price value: Int64,
        priceIsSecond: Bool
    ) -> QuantityPhrase {
        let lower = min(count.range.lowerBound, price.range.lowerBound)
        var upper = max(count.range.upperBound, price.range.upperBound)
        upper = skipUnitPriceUnit(text, upper)
        return QuantityPhrase(
            range: lower..<upper, quantity: quantity, unit: unit, unitPrice: value, quantityRange: count.range,
            unitPriceRange: price.range)
    }

    /// Past ` EUR/kg`, ` €/kg`, `/Stk`, ` EUR`, ` €`.
    private static func skipUnitPriceUnit(_ text: [Unicode.Scalar], _ start: Int) -> Int {
        var position = start
        var end = start
        if text[safe: position] == " " { position += 1 }
        let wordStart = position
        while position < text.count, text[position] != " " { position += 1 }
        let word = PrintedLine.string(text[min(wordStart, text.count)..<position]).uppercased()
        if word.hasPrefix("EUR") || word.hasPrefix("€") || word.contains("/") || word.hasPrefix("CHF") {
            end = position
        }
        return end
    }

    private static func price(_ figure: Figure) -> Int64? {
        guard figure.decimals == 2 || figure.decimals == 3, figure.digits <= 100_000_000 else { return nil }
        let value = figure.decimals == 2 ? figure.digits * 1_000 : figure.digits * 100
        return figure.isNegative ? -value : value
    }

    private static func compact(_ text: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        text.count > 24
            ? [] : PrintedLine.string(text).lowercased().utf8.filter { ![32, 45, 46, 58].contains($0) }
    }

    private static func currencyCut(_ between: [UInt8]) -> [UInt8] {
        var rest = between
        // `0,25 €E x 12`: the sign of the currency may be read twice.
        for sign in ["€", "eur", "chf", "e"] where rest.starts(with: Array(sign.utf8)) {
            rest = Array(rest.dropFirst(sign.utf8.count))
        }
        return rest
    }

    private static let timesSigns: Set<String> = ["x", "*", "×", "#", "à", "a", "@", "%", "&", "xx", "x*", "ä"]
    private static let pieceWords: [String] = [
        "stk", "stck", "stück", "stuck", "stueck", "st", "btk", "sik", "5tk", "stx", "pcs", "pkg", "pck", "fl",
    ]

    /// A sign of multiplication, with a word for pieces before it when allowed.
    private static func isTimes(_ between: [UInt8], withUnit: Bool) -> Bool {
        var text = String(decoding: between, as: UTF8.self)
        if withUnit {
            for word in pieceWords where text.hasPrefix(word) {
                text = String(text.dropFirst(word.count))
                return text.isEmpty || timesSigns.contains(text) || ["k", "ex", "kx", "e"].contains(text)
            }
        }
        return timesSigns.contains(text)
    }

    private static func weightUnit(_ between: [UInt8], needsSign: Bool) -> MeasureUnit? {
        let text = String(decoding: between, as: UTF8.self)
        for (spelling, unit) in [
            ("kg", MeasureUnit.kilogram), ("kq", .kilogram), ("k9", .kilogram), ("ltr", .litre), ("l", .litre),
            ("m", .metre), ("g", .gram),
        ]
        where text.hasPrefix(spelling) {
            let rest = String(text.dropFirst(spelling.count))
            if timesSigns.contains(rest)
                || (!needsSign && rest.isEmpty && spelling != "l" && spelling != "m" && spelling != "g")
            {
                return unit
            }
        }
        return nil
    }

    private static func isWordEnd(_ text: [Unicode.Scalar], _ position: Int) -> Bool {
        guard let next = text[safe: position] else { return true }
        return !next.isDigit && !next.isLatinLetter && next != "," && next != "."
    }
}
