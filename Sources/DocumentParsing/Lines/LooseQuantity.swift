import Domain

/// Finds quantities with damaged characters: quantity × unit price must be the total of the item.
enum LooseQuantity {
    /// Finds the quantity in `2BtKex 0,59` with the total 1,18, and in `2x069` with the total 1,38. The unit price,
    /// perhaps without its comma, divides the total, and the quotient is printed before the unit price.
    static func ownLine(_ line: ReadLine, total: Int64) -> QuantityPhrase? {
        let text = line.line.text
        let magnitude = Int64(total.magnitude)
        for figure in line.figures.suffix(2) where !figure.isPercent && figure.unscaledValue > 0 {
            guard figure.decimals == 2 || (figure.decimals == 0 && (3...4).contains(figure.digitCount)),
                line.amounts.count <= 1, magnitude.isMultiple(of: figure.unscaledValue)
            else { continue }
            let count = magnitude / figure.unscaledValue
            // `5,0% vol 0,50 l` and `4er Pack 0,99/Stk` state contents and base prices, not quantities.
            guard Lexicon.impliedCounts.contains(count), !isContents(text, after: figure.range.upperBound),
                let range = number(count, in: text, before: figure.range.lowerBound),
                !isContents(text, after: range.upperBound)
            else { continue }
            return QuantityPhrase(
                range: range.lowerBound..<figure.range.upperBound, quantity: count * 1_000, unit: .piece,
                unitPrice: figure.unscaledValue * 1_000, quantityRange: range, unitPriceRange: figure.range,
                isCountImplied: !hasSign(text[range.upperBound..<figure.range.lowerBound]))
        }
        return nil
    }

    /// Whether a percent sign, a unit of contents, `er` or `/Stk` follows a figure.
    private static func isContents(_ text: [Unicode.Scalar], after end: Int) -> Bool {
        let rest = text[min(end, text.count)...].drop { $0 == " " }
        let word = PrintedLine.string(rest.prefix { $0 != " " }.prefix(12)).lowercased()
        if word.hasPrefix("%") || word.hasPrefix("/") || word.hasPrefix("er") { return true }
        return Lexicon.contents.contains(String(word.trimmingSuffix { !$0.isLetter }))
    }

    /// Whether the text contains a multiplication sign or a word for pieces, perhaps damaged.
    private static func hasSign(_ between: ArraySlice<Unicode.Scalar>) -> Bool {
        let word = PrintedLine.string(between).lowercased()
        return word.contains { "x*×".contains($0) } || word.contains("st") || word.contains("tk")
    }

    /// The range of `count` as a separate number before `end`.
    private static func number(_ count: Int64, in text: [Unicode.Scalar], before end: Int) -> Range<Int>? {
        var position = 0
        while position < end {
            guard text[position].isDigit else {
                position += 1
                continue
            }
            let start = position
            while position < end, text[position].isDigit { position += 1 }
            // The digits of `5,0` are not separate numbers.
            let isPart =
                isSeparator(text[safe: position]) && text[safe: position + 1]?.isDigit ?? false
                || isSeparator(text[safe: start - 1]) && text[safe: start - 2]?.isDigit ?? false
            if !isPart, Int64(PrintedLine.string(text[start..<position])) == count { return start..<position }
        }
        return nil
    }

    private static func isSeparator(_ scalar: Unicode.Scalar?) -> Bool { scalar == "," || scalar == "." }

    /// Finds the quantity in `Vollmilch 0,55 ex` before 1,10: the lost count follows from the total.
    private static func inlineWithoutCount(_ line: ReadLine, name: Range<Int>, total: Int64) -> QuantityPhrase? {
        guard let figure = line.figures.last(where: { name.contains($0.range.lowerBound) }), figure.decimals == 2,
            !figure.isPercent, !figure.isNegative, figure.unscaledValue > 0,
            total.magnitude.isMultiple(of: UInt64(figure.unscaledValue)),
            Lexicon.bareCounts.contains(Int64(clamping: total.magnitude) / figure.unscaledValue)
        else { return nil }
        let following = line.line.text[figure.range.upperBound..<max(figure.range.upperBound, name.upperBound)]
            .filter { $0 != " " && $0 != "€" && $0 != "e" && $0 != "E" }
        guard following.count == 1, following[0] == "x" || following[0] == "X" else { return nil }
        let count = Int64(total.magnitude) / figure.unscaledValue
        return QuantityPhrase(
            range: figure.range.lowerBound..<name.upperBound, quantity: count * 1_000, unit: .piece,
            unitPrice: figure.unscaledValue * 1_000, quantityRange: figure.range, unitPriceRange: figure.range,
            isCountImplied: true)
    }

    /// Finds a count at the end of the name: `Joghurt (2x)` and `Joghurt x2` before 2,58. `KISTE 6X` is not a count,
    /// because it may be a size that was cut off.
    private static func countAtEnd(_ line: ReadLine, name: Range<Int>, total: Int64) -> QuantityPhrase? {
        let scalars = line.line.text[name].trimmingSuffix { $0 == " " }.suffix { $0 != " " }
        let range = scalars.startIndex..<scalars.endIndex
        let word = PrintedLine.string(scalars).lowercased()
        let isBracketed = word.hasPrefix("(") && word.hasSuffix(")")
        let inner = isBracketed ? word.dropFirst().dropLast() : word[...]
        guard range.lowerBound > name.lowerBound, inner.hasPrefix("x") || (isBracketed && inner.hasSuffix("x")),
            let count = Int64(inner.hasPrefix("x") ? inner.dropFirst() : inner.dropLast()),
            Lexicon.countsInNames.contains(count), total != 0, total % count == 0
        else { return nil }
        return QuantityPhrase(
            range: range, quantity: count * 1_000, unit: .piece, unitPrice: Int64(total.magnitude) / count * 1_000,
            quantityRange: range)
    }

    /// Finds a quantity within the name: `Milka Ganze N 0,9€x 2` before 1,98. The unit price may be damaged; it is
    /// computed from the total. The range of the phrase covers the part that does not belong to the name.
    static func inline(_ line: ReadLine, name: Range<Int>, total: Int64) -> QuantityPhrase? {
        if let found = inlineWithoutCount(line, name: name, total: total) ?? countAtEnd(line, name: name, total: total)
        {
            return found
        }
        let front = line.line.text[name].trimmingSuffix { $0 == " " }
        let digits = front.suffix(while: \.isDigit)
        let before = front[..<digits.startIndex].trimmingSuffix { $0 == " " }
        guard (1...2).contains(digits.count), let count = Int64(PrintedLine.string(digits)), count >= 2,
            let sign = before.last, sign == "x" || sign == "X" || sign == "*"
        else { return nil }
        // Skip `€`, `e` and blanks backwards, to a word such as `0,9`.
        let price = before.dropLast().trimmingSuffix { " €eE".unicodeScalars.contains($0) }.suffix { $0 != " " }
        guard (2...7).contains(price.count), price.contains(where: \.isDigit), total != 0,
            total.magnitude.isMultiple(of: UInt64(count))
        else { return nil }
        return QuantityPhrase(
            range: price.startIndex..<digits.endIndex, quantity: count * 1_000, unit: .piece,
            unitPrice: Int64(total.magnitude) / count * 1_000, quantityRange: digits.startIndex..<digits.endIndex)
    }
}

/// Corrects a misread quantity or unit price if exactly one plausible replacement gives the amount.
enum QuantityRepair {
    /// The phrase with one figure replaced; nil if no or several replacements fit.
    static func repaired(_ phrase: QuantityPhrase, total: Int64, isDeposit: Bool) -> QuantityPhrase? {
        let target = Int64(total.magnitude)
        guard target > 0, let unitPrice = phrase.unitPrice.map(abs), phrase.product.map(abs) != target else {
            return nil
        }
        let found =
            phrase.unit == .piece
            ? pieces(phrase.quantity / 1_000, unitPrice / 1_000, target, isDeposit)
            : weights(phrase.quantity, unitPrice, target)
        guard let only = found.first, found.allSatisfy({ $0 == only }) else { return nil }
        var other = phrase
        other.quantity = only.quantity
        other.unitPrice = only.price
        return other
    }

    private struct Pair: Equatable {
        /// The quantity and the unit price, both in thousandths.
        var quantity: Int64
        var price: Int64
    }

    /// Assumes that the count or the price is right. The other figure differs in one digit, or the count has extra
    /// leading digits.
    private static func pieces(_ count: Int64, _ price: Int64, _ total: Int64, _ isDeposit: Bool) -> [Pair] {
        var found: [Pair] = []
        if price > 0, total.isMultiple(of: price), Lexicon.impliedCounts.contains(total / price) {
            let other = total / price
            if String(count).hasSuffix(String(other)) || differingDigits(count, other) == 1 {
                found.append(Pair(quantity: other * 1_000, price: price * 1_000))
            }
        }
        if count > 0, total.isMultiple(of: count) {
            let other = total / count
            let isLikely =
                Confusions.lookAlikes(of: price).contains(other)
                || (isDeposit && DepositLexicon.unitPrices.contains(other))
            if differingDigits(price, other) == 1, isLikely || found.isEmpty {
                found.append(Pair(quantity: count * 1_000, price: other * 1_000))
            }
        }
        return found
    }

    /// The pairs that give the total if one digit was misread or a comma was lost.
    private static func weights(_ quantity: Int64, _ price: Int64, _ total: Int64) -> [Pair] {
        let candidates =
            Confusions.lookAlikes(of: quantity).map { Pair(quantity: $0, price: price) }
            + Confusions.lookAlikes(of: price / 1_000).map { Pair(quantity: quantity, price: $0 * 1_000) }
            // `0 456 kg`: the comma was lost.
            + (quantity.isMultiple(of: 1_000) ? [Pair(quantity: quantity / 1_000, price: price)] : [])
        return candidates.filter { pair in
            guard pair.quantity > 0, pair.price > 0 else { return false }
            return QuantityPhrase.product(quantity: pair.quantity, unitPrice: pair.price).map {
                abs($0 - total) <= 1
            } ?? false
        }
    }

    /// Pads two-digit numbers, because printed amounts have at least three digits.
    private static func padded(_ number: Int64) -> String {
        let text = String(number)
        return text.utf8.count == 2 ? "0" + text : text
    }

    /// The number of digits that differ; 99 if the lengths differ.
    private static func differingDigits(_ left: Int64, _ right: Int64) -> Int {
        let left = Array(padded(left).utf8)
        let right = Array(padded(right).utf8)
        return left.count == right.count ? zip(left, right).count { $0 != $1 } : 99
    }
}
