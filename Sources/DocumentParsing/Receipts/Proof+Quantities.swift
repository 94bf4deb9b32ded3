import Domain
import Recognition

/// Checks whether a quantity, or the absence of a quantity, is certain.
extension Proof {
    /// Whether quantity × unit price differs from the amount by more than rounding.
    func quantityDiffers(_ item: DraftItem) -> Bool {
        guard let product = item.quantity?.phrase.product, let value = item.value else { return false }
        let isRounded = value.isMultiple(of: 5) && currency.currency == .chf
        let tolerance: UInt64 = item.quantity?.phrase.unit == .piece ? 0 : isRounded ? 2 : 1
        let larger = max(product.magnitude, value.magnitude)
        return larger - min(product.magnitude, value.magnitude) > tolerance
    }

    /// Whether the quantity is uncertain: a weight was read only once and weight × unit price is not the amount, or the
    /// name contains remains of a quantity that was not read.
    func isQuantityUncertain(_ item: DraftItem) -> Bool {
        if isText { return isQuantityUncertainInText(item) }
        if item.hasUnreadQuantity, item.quantity?.phrase.unitPrice == nil { return true }
        if hasUnlikelyPrice(item.quantity) { return true }
        let trace = trace(item)
        // Text from another line was merged into the name.
        if item.quantity != nil || item.kind == .discount || item.kind == .coupon, trace.isForeign { return true }
        if item.quantity == nil, item.kind == .item, trace.containsWeight { return true }
        // The printed number of pieces agrees, so no quantity is missing or wrong. This does not apply to weights,
        // because each counts as one piece. It also does not apply to items without a quantity if there are returned
        // bottles, because tills count bottles in two ways.
        let piecesAgree = articleCount.map { ArticleCount.isOfPieces($0, items) } ?? false
        let isWhole = item.quantity != nil || !items.contains { $0.kind == .depositReturn }
        if piecesAgree, isWhole, item.quantity?.phrase.unit ?? .piece == .piece { return false }
        guard let quantity = item.quantity else {
            return item.kind != .discount && item.kind != .coupon
                && (trace.isPossible || CountColumn.isPossible(item) || mayLackLeadingCount(item)
                    || mayContainCount(item) || HiddenQuantity.isReadAsLetters(item.name))
        }
        if quantity.phrase.unitPrice == nil, trace.isPossible { return true }
        if isCountReadByBoth(item, quantity) { return false }
        if quantity.isDerived || quantity.repair != nil { return !quantity.isConfirmed }
        if quantity.phrase.unit == .piece, quantity.phrase.unitPrice != nil { return false }
        return !quantity.isConfirmed
    }

    /// Whether both engines read the same count before the name, `2x Chips`, and it divides the amount. Without a sign,
    /// `10 Shampoo`, another item must show that the digits before the names are counts.
    private func isCountReadByBoth(_ item: DraftItem, _ quantity: DraftQuantity) -> Bool {
        guard quantity.isDerived, quantity.repair == nil, !isDerivedBesidePrice(item), quantity.phrase.unit == .piece,
            let value = item.value,
            let line = item.lines.first.map({ lines[$0].line }),
            let count = Self.leadingCount(line.words, isColumn: hasCountColumn),
            count * 1_000 == quantity.phrase.quantity, value.isMultiple(of: count)
        else { return false }
        let other = line.otherEngineWords.sorted { $0.box.x < $1.box.x }
        return Self.leadingCount(other, isColumn: hasCountColumn) == count
    }

    /// Whether the number before a name is confirmed as its count by a printed unit price, `6 Thunfisch 1,11  6,66`,
    /// and another name has the count 1. Tills that leave out the 1 print `4 Korn Brot  3,20`.
    private var hasCountColumn: Bool {
        let printsOne = items.contains { item in
            item.kind == .item
                && item.lines.first.flatMap { Self.leadingCount(lines[$0].line.words, isColumn: true) } == 1
        }
        return printsOne
            && items.contains { item in
                guard let quantity = item.quantity, !quantity.isDerived, quantity.repair == nil,
                    quantity.phrase.unit == .piece, let value = item.value, quantity.phrase.makes(value),
                    let line = item.lines.first, let word = lines[line].line.words.first?.text, let count = Int64(word)
                else { return false }
                return count > 1 && count * 1_000 == quantity.phrase.quantity
            }
    }

    /// Whether a finger or a fold may hide the count before the name: other names have counts before them, and this
    /// line begins further to the right than most.
    private func mayLackLeadingCount(_ item: DraftItem) -> Bool {
        func first(_ item: DraftItem) -> PrintedLine? { item.lines.first.map { lines[$0].line } }
        let hasCounts = items.contains { other in
            guard let quantity = other.quantity?.phrase, quantity.unit == .piece, let words = first(other)?.words else {
                return false
            }
            return Self.leadingCount(words, isColumn: true).map { $0 * 1_000 == quantity.quantity } ?? false
        }
        guard hasCounts, let line = first(item), let own = line.words.first?.box,
            let left = items.compactMap(first).filter({ $0.page == line.page }).compactMap(\.words.first?.box.x).median
        else { return false }
        return (own.x - left) * 5 > own.height * 4
    }

    /// Whether the first digits of the article number may be the count: most lines with article numbers have counts
    /// before them, and the number of this line begins further to the left than those.
    private func mayContainCount(_ item: DraftItem) -> Bool {
        guard let line = item.lines.first.map({ lines[$0].line }), let own = line.words.first,
            own.text.isNumber(5...Int.max)
        else { return false }
        let others = items.compactMap { $0.lines.first.map { lines[$0].line } }.filter { $0.page == line.page }
        let numbers = others.compactMap { other -> Int? in
            guard Self.leadingCount(other.words, isColumn: false) != nil, let number = other.words.dropFirst().first,
                number.text.isNumber(5...Int.max)
            else { return nil }
            return number.box.x
        }
        let uncounted = others.count { $0.words.first?.text.isNumber(5...Int.max) ?? false }
        guard let left = numbers.median, numbers.count > uncounted else { return false }
        return (left - own.box.x) * 5 > own.box.height * 4
    }

    /// The count of one or two digits before a multiplication sign or an article number; nil for other words.
    private static func leadingCount(_ words: [RecognizedWord], isColumn: Bool) -> Int64? {
        guard let first = words.first?.text else { return nil }
        let digits = first.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0 else { return nil }
        let rest = first.dropFirst(digits.count)
        if let sign = rest.first { return Lexicon.letterTimes.contains(sign) ? count : nil }
        guard let second = words.dropFirst().first?.text else { return nil }
        if isColumn, second.prefix(2).count(where: \.isLetter) == 2 { return count }
        return second.isNumber(5...Int.max) || ["x", "X", "×"].contains(second) ? count : nil
    }

    /// Like `isQuantityUncertain`, for digital text: it is read correctly, but its layout may be misunderstood.
    private func isQuantityUncertainInText(_ item: DraftItem) -> Bool {
        let trace = trace(item)
        if item.quantity != nil || item.kind == .discount || item.kind == .coupon {
            // `7 Cola  1,80` with the amount 3,60: the printed unit price does not match the count.
            let lacksUnitPrice = item.quantity.map { $0.phrase.unitPrice == nil } ?? false
            return trace.isForeign || isDerivedBesidePrice(item) || (lacksUnitPrice && trace.isPossible)
        }
        // A line `12345678 2  7,98` below the name may hold a count.
        return item.hasUnreadQuantity || trace.isPossible || CountColumn.isPossible(item)
    }

    private func trace(_ item: DraftItem) -> QuantityTrace {
        QuantityTrace(
            words: item.name.split(separator: " ").map(String.init),
            total: Int64(clamping: (item.value ?? 0).magnitude), kind: item.kind, isCut: fillsColumn(item),
            mayBeLitres: mayBeDrink(item),
            isWeighed: item.quantity?.phrase.unit == .kilogram && item.isQuantityReadByBoth(lines))
    }

    /// Whether `0,331` in the name may be 0,33 litres: the other engine read a letter at its end, or a deposit follows.
    /// Otherwise it may also be a weight without its unit.
    private func mayBeDrink(_ item: DraftItem) -> Bool {
        guard let last = item.lines.max() else { return false }
        if items.first(where: { $0.lines.min() ?? 0 > last })?.kind == .deposit { return true }
        return item.lines.contains { index in
            lines[index].line.otherEngineWords.contains { word in
                word.text.contains { ".,".contains($0) } && word.text.last?.isLetter ?? false
                    && word.text.first?.isNumber ?? false
            }
        }
    }

    /// Whether the name may be cut off at the end of its column: no name is longer, and other names end there as well.
    private func fillsColumn(_ item: DraftItem) -> Bool {
        let names = Set(items.map(\.name))
        let longest = names.map(\.count).max() ?? 0
        // A trailing space is not visible.
        return longest >= 10 && item.name.count >= longest - 1 && names.count { $0.count >= longest - 1 } >= 3
    }

    /// Whether the count was taken from the beginning of the name, and the name ends in a unit price that does not
    /// match the count: `4 Cola  0,85` with the amount 3,60.
    private func isDerivedBesidePrice(_ item: DraftItem) -> Bool {
        guard item.quantity?.isDerived ?? false, let word = item.name.split(separator: " ").last else { return false }
        let scalars = Array(word.unicodeScalars.prefix(12))
        return FigureScanner.figures(in: scalars).contains { $0.amount != nil && $0.range.count == scalars.count }
    }

    /// Whether the price of a piece or a kilogram has tenths of a cent: only fuel has them, so the last decimal may be
    /// a speck.
    private func hasUnlikelyPrice(_ quantity: DraftQuantity?) -> Bool {
        guard let quantity, let price = quantity.phrase.unitPrice, !price.isMultiple(of: 1_000), !quantity.isDerived
        else { return false }
        switch quantity.phrase.unit {
        // Also if a second reading confirms the price, because it shows the same speck.
        case .piece, .kilogram: return true
        default: return false
        }
    }
}
