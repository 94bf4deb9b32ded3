import Domain

/// Reads counts in front of the names, as bakeries and restaurants print them: `6 Kaisersemmel 2,70`. In its functions,
/// `itemIndices` are the indices of the items of kind `item`.
enum CountColumn {
    /// Reads the counts if every item has one. A count with a multiplication sign, `2x Breze  3,20`, or with a unit
    /// price is read in any case. A unit price that is not printed is computed from total and count.
    ///
    /// The digits may also be tax classes or line numbers (1, 2, 3). They are classes if the tax table then adds up,
    /// and line numbers if one of them does not divide its amount; otherwise the quantities are marked as ambiguous.
    static func readCounts(_ items: inout [DraftItem], taxRows: [ParsedReceipt.TaxRow]) {
        let itemIndices = items.indices.filter { items[$0].kind == .item }
        if dropLineNumbers(&items) || moveToClasses(&items, taxRows) { return }
        takeBeforeNumbers(&items, itemIndices)
        takeWithUnitPrice(&items, itemIndices)
        let isAmbiguous = mayBeClassesOrLineNumbers(items, itemIndices, taxRows)
        markUnusualCounts(&items, itemIndices)
        takeAfterNames(&items, itemIndices)
        let isColumn = isColumn(items, itemIndices)
        for index in items.indices {
            guard let (count, rest, hasSign) = count(items[index]) else { continue }
            let nameWithoutPrice = items[index].value.flatMap { withoutUnitPrice(rest[...], count: count, total: $0) }
            let hasUnitPrice = nameWithoutPrice != nil && count > 1
            // `4 x Coupon 15%  -1,33`: the number of coupons, which does not divide the amount.
            let isReduction = items[index].kind == .discount || items[index].kind == .coupon
            if isReduction, !(items[index].value ?? 1).isMultiple(of: count) { continue }
            guard hasSign || hasUnitPrice || (isColumn && !isReduction) else { continue }
            items[index].name = nameWithoutPrice ?? rest
            if count > 1, items[index].quantity == nil {
                setCount(of: &items[index], count, hasUnitPrice: hasUnitPrice)
                if isAmbiguous, !hasUnitPrice { items[index].quantity?.isAmbiguous = true }
            }
        }
    }

    /// Whether every item sold by the piece begins with a count.
    private static func isColumn(_ items: [DraftItem], _ itemIndices: [Int]) -> Bool {
        let counted = itemIndices.filter { items[$0].quantity?.phrase.unit ?? .piece == .piece }
        return counted.count >= 2 && counted.allSatisfy { count(items[$0]) != nil }
    }

    /// Moves the leading digits of the names to the tax classes if the tax table then adds up.
    private static func moveToClasses(_ items: inout [DraftItem], _ rows: [ParsedReceipt.TaxRow]) -> Bool {
        let counts = items.map(count)
        guard items.count >= 2, items.allSatisfy({ $0.vatClass == nil && $0.quantity == nil }),
            counts.allSatisfy({ $0?.hasSign == false })
        else { return false }
        var classed = items
        for (index, count) in counts.enumerated() {
            classed[index].vatClass = count.map { String($0.count) }
            classed[index].name = count?.name ?? classed[index].name
        }
        guard TaxClasses.fits(classed, rows: rows) == true else { return false }
        items = classed
        return true
    }

    /// Whether the digits in front of the names may be tax classes or line numbers instead of counts.
    private static func mayBeClassesOrLineNumbers(
        _ items: [DraftItem], _ itemIndices: [Int], _ rows: [ParsedReceipt.TaxRow]
    ) -> Bool {
        let counts = itemIndices.map { count(items[$0]) }
        guard itemIndices.count >= 2, counts.allSatisfy({ $0?.hasSign == false }) else { return false }
        if counts.enumerated().allSatisfy({ $1?.count == Int64($0 + 1) }) { return true }
        let names = Set(rows.compactMap(\.vatClass))
        return items.allSatisfy { $0.vatClass == nil }
            && counts.allSatisfy { $0.map { names.contains(String($0.count)) } ?? false }
    }

    /// Marks items with an unusual leading number as doubtful if all other items have a normal count:
    /// `150 Kopie A4 sw  7,50`, `0,5 Gulasch  6,00`.
    private static func markUnusualCounts(_ items: inout [DraftItem], _ itemIndices: [Int]) {
        let unusual = itemIndices.filter { index in
            let words = items[index].name.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[1].count(where: \.isLetter) >= 3, let value = items[index].value else {
                return false
            }
            if ["0,5", "0.5", "1/2", "½", "1,5", "1.5"].contains(words[0]) { return true }
            guard words[0].utf8.count == 3, let count = Int64(words[0]), count >= 100 else { return false }
            return value % count == 0
        }
        guard !unusual.isEmpty, unusual.count < itemIndices.count,
            itemIndices.allSatisfy({ unusual.contains($0) || count(items[$0]) != nil })
        else { return }
        for index in unusual { items[index].hasUnreadQuantity = true }
    }

    /// Sets the quantity and, if the count divides the total, the unit price.
    ///
    /// - Parameter hasUnitPrice: whether a printed unit price confirms the count.
    static func setCount(of item: inout DraftItem, _ count: Int64, hasUnitPrice: Bool) {
        let price = item.value.flatMap { $0 % count == 0 ? Int64($0.magnitude) / count * 1_000 : nil }
        // The sum may give the amount later, but not the unit price.
        if item.value == nil { item.hasUnreadQuantity = true }
        item.quantity = DraftQuantity(
            phrase: QuantityPhrase(
                range: 0..<0, quantity: count * 1_000, unit: .piece,
                unitPrice: price, quantityRange: 0..<0,
                isCountImplied: !hasUnitPrice),
            place: item.namePlace, origin: .inline, isDerived: !hasUnitPrice)
    }

    /// Removes line numbers from the names: 1, 2, 3 … in order. At least one must not divide the total of its line.
    private static func dropLineNumbers(_ items: inout [DraftItem]) -> Bool {
        let counts = items.map(count)
        guard items.count >= 2, counts.enumerated().allSatisfy({ $1?.count == Int64($0 + 1) && $1?.hasSign == false }),
            items.enumerated().contains(where: { ($1.value ?? 0) % Int64($0 + 1) != 0 })
        else { return false }
        for index in items.indices { if let name = counts[index]?.name { items[index].name = name } }
        return true
    }

    /// Reads counts after the names, `Joghurt  2 St  1,30`, if every item has one and at least one count is 1.
    private static func takeAfterNames(_ items: inout [DraftItem], _ itemIndices: [Int]) {
        let found = itemIndices.map { index -> (name: String, count: Int64)? in
            let words = items[index].name.split(separator: " ")
            guard items[index].quantity == nil, words.count >= 3, let unit = words.last,
                Lexicon.piecesAfterName.contains(unit.lowercased()),
                let count = Int64(words[words.count - 2]), Lexicon.columnCounts.contains(count)
            else { return nil }
            return (words.dropLast(2).joined(separator: " "), count)
        }
        guard itemIndices.count >= 2, found.allSatisfy({ $0 != nil }), found.contains(where: { $0?.count == 1 }) else {
            return
        }
        for (index, found) in zip(itemIndices, found) {
            guard let found else { continue }
            items[index].name = found.name
            if found.count > 1 { setCount(of: &items[index], found.count, hasUnitPrice: false) }
        }
    }

    /// Removes the unit price of a single piece, which repeats the total, from the end of names: `Servietten 3,49 1`
    /// with the total 3,49. A price without the count, `Zopf 500g  3.40` with the total 3.40, is removed only if at
    /// least half of the items have one.
    static func dropUnitPrices(_ items: inout [DraftItem]) {
        let itemIndices = items.indices.filter { items[$0].kind == .item && items[$0].quantity == nil }
        let found = itemIndices.compactMap { index in
            withoutRepeatedPrice(items[index]).map { (index: index, found: $0) }
        }
        let hasColumn = found.count >= 2 && found.count * 2 >= itemIndices.count
        for (index, found) in found where hasColumn || found.hasCount { items[index].name = found.name }
    }

    private static func withoutRepeatedPrice(_ item: DraftItem) -> (name: String, hasCount: Bool)? {
        guard let value = item.value else { return nil }
        if let name = withoutUnitPrice(item.name[...], count: 1, total: value) { return (name, false) }
        guard item.name.hasSuffix(" 1"),
            let name = withoutUnitPrice(item.name.dropLast(2), count: 1, total: value)
        else { return nil }
        return (name, true)
    }

    /// Returns the name without the unit price at its end: `Spezi 0,5l  3,90` with the total 7,80, `Brezel à 0,85` with
    /// the total 3,40. Nil if unit price × count is not the total.
    static func withoutUnitPrice(_ name: Substring, count: Int64, total: Int64) -> String? {
        var words = name.split(separator: " ")
        if let last = words.last, ["€", "EUR", "CHF", "Fr", "Fr."].contains(last) { words.removeLast() }
        guard words.count >= 2, let last = words.popLast(),
            case let scalars = Array(last.unicodeScalars.prefix(20)),
            let figure = FigureScanner.figures(in: scalars).first, let price = figure.amount,
            scalars.count - figure.range.count <= 1, price * count == total
        else { return nil }
        if let sign = words.last, words.count >= 2, Lexicon.beforeUnitPrice.contains(String(sign)) {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }

    /// Whether the name begins with a number that may be a count, 2 to 12, perhaps before an article number.
    static func isPossible(_ item: DraftItem) -> Bool {
        guard item.quantity == nil, let value = item.value,
            let count = count(item)?.count ?? beforeNumber(item)?.count
        else { return false }
        return Lexicon.bareCounts.contains(count) && value % count == 0
    }

    /// Splits a name into its leading count and the name after it; nil without a count.
    static func count(_ item: DraftItem) -> (count: Int64, name: String, hasSign: Bool)? {
        let digits = item.name.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0 else { return nil }
        var rest = item.name[digits.endIndex...]
        // `1: Spinat`: a speck after the count.
        if rest.first == ":" { rest = rest.dropFirst() }
        var hasSign = false
        // `2,000 STK Name` has a count in any case; for `10 Stk Eier` the other lines decide.
        let decimals = [",000", ",00", ".000", ".00"].first(where: rest.hasPrefix)
        if let decimals { rest = rest.dropFirst(decimals.count) }
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        if words.count == 2, rest.first == " ", Lexicon.piecesBeforeName.contains(words[0].lowercased()) {
            rest = " " + words[1]
            hasSign = decimals != nil
        } else if decimals != nil {
            return nil
        }
        let withoutBlanks = rest.drop { $0 == " " }
        if let first = withoutBlanks.first, Lexicon.times.contains(first), withoutBlanks.dropFirst().first == " " {
            hasSign = true
            rest = withoutBlanks.dropFirst()
        } else if let first = rest.first, Lexicon.times.contains(first), rest.dropFirst().first?.isLetter == true {
            // `2xDöner`: the space after the sign is missing.
            hasSign = true
            rest = " " + rest.dropFirst()
        }
        // `02 Getränke` has a department number.
        guard rest.first == " ", hasSign || digits.first != "0" else { return nil }
        let name = rest.trimmingBlanks
        // In `2 + Schlagobers`, the name is an extra to the line above.
        guard name.count >= 3, name.first?.isLetter == true || name.hasPrefix("+ ") || beginsWithSize(name) else {
            return nil
        }
        return (count, String(name), hasSign)
    }

    /// Whether a size and then letters begin the name: `500g Choco`.
    private static func beginsWithSize(_ name: Substring) -> Bool {
        let words = name.split(separator: " ", maxSplits: 1)
        let unit = words[0].lowercased().drop { $0.isNumber || $0 == "," || $0 == "." }
        return words.count == 2 && words[1].count(where: \.isLetter) >= 3 && Lexicon.contents.contains(String(unit))
    }
}
