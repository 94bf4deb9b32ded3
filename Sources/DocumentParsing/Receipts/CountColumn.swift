import Domain

/// Counts that stand in front of the names: `6 Kaisersemmel  2,70`, as bakeries and inns print them.
enum CountColumn {
    /// Takes the counts where every good has one, or where a sign of multiplication follows it: `2x Breze  3,20`.
    ///
    /// Only the total is printed then: a unit price is what the count makes of it.
    ///
    /// Digits that the tax table names may be classes, and 1, 2, 3 the numbers of the lines: the sums of the classes tell,
    /// or amounts that the numbers do not divide. Else nobody knows.
    static func take(_ items: inout [DraftItem], taxRows: [ParsedReceipt.TaxRow]) {
        let goods = items.indices.filter { items[$0].kind == .item }
        if dropPositions(&items) || takeClasses(&items, taxRows) { return }
        takeBeforeNumbers(&items, goods)
        takeWithUnitPrice(&items, goods)
        let isAmbiguous = mayBeOther(items, goods, taxRows)
        doubtOtherCounts(&items, goods)
        takeBehind(&items, goods)
        let isColumn = goods.count >= 2 && goods.allSatisfy { count(items[$0]) != nil }
        for index in items.indices {
            guard let (count, rest, hasSign) = count(items[index]) else { continue }
            let priced = items[index].value.flatMap { withoutUnitPrice(rest[...], count: count, total: $0) }
            let isProduct = priced != nil && count > 1
            // `4 x Coupon 15%  -1,33`: so many coupons, no price of one.
            let isOff = items[index].kind == .discount || items[index].kind == .coupon
            if isOff, !(items[index].value ?? 1).isMultiple(of: count) { continue }
            guard hasSign || isProduct || (isColumn && !isOff) else { continue }
            items[index].name = priced ?? rest
            if count > 1, items[index].quantity == nil {
                setCount(of: &items[index], count, isProduct: isProduct)
                if isAmbiguous, !isProduct { items[index].quantity?.isAmbiguous = true }
            }
        }
    }

    /// Takes `1` and `2` off the names as classes where they make the sums of the tax table.
    private static func takeClasses(_ items: inout [DraftItem], _ rows: [ParsedReceipt.TaxRow]) -> Bool {
        let counts = items.map(count)
        guard items.count >= 2, items.allSatisfy({ $0.vat == nil && $0.quantity == nil }),
            counts.allSatisfy({ $0?.hasSign == false })
        else { return false }
        var classed = items
        for (index, count) in counts.enumerated() {
            classed[index].vat = count.map { String($0.count) }
            classed[index].name = count?.name ?? classed[index].name
        }
        guard TaxClasses.fits(classed, rows: rows) == true else { return false }
        items = classed
        return true
    }

    /// The digits in front of the names may be classes of the table, or the numbers of the lines.
    private static func mayBeOther(_ items: [DraftItem], _ goods: [Int], _ rows: [ParsedReceipt.TaxRow]) -> Bool {
        let counts = goods.map { count(items[$0]) }
        guard goods.count >= 2, counts.allSatisfy({ $0?.hasSign == false }) else { return false }
        if counts.enumerated().allSatisfy({ $1?.count == Int64($0 + 1) }) { return true }
        let names = Set(rows.compactMap(\.vatClass))
        return items.allSatisfy { $0.vat == nil }
            && counts.allSatisfy { $0.map { names.contains(String($0.count)) } ?? false }
    }

    /// `150 Kopie A4 sw  7,50` and `0,5 Gulasch  6,00` where the others have counts in front.
    private static func doubtOtherCounts(_ items: inout [DraftItem], _ goods: [Int]) {
        let others = goods.filter { index in
            let words = items[index].name.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[1].count(where: \.isLetter) >= 3, let value = items[index].value else {
                return false
            }
            if ["0,5", "0.5", "1/2", "½", "1,5", "1.5"].contains(words[0]) { return true }
            guard words[0].utf8.count == 3, let count = Int64(words[0]), count >= 100 else { return false }
            return value % count == 0
        }
        guard !others.isEmpty, others.count < goods.count,
            goods.allSatisfy({ others.contains($0) || count(items[$0]) != nil })
        else { return }
        for index in others { items[index].lacksWeight = true }
    }

    static func setCount(of item: inout DraftItem, _ count: Int64, isProduct: Bool) {
        guard let value = item.value else { return }
        let isWhole = value % count == 0
        item.quantity = DraftQuantity(
            phrase: QuantityPhrase(
                range: 0..<0, quantity: count * 1_000, unit: .piece,
                unitPrice: isWhole ? Int64(value.magnitude) / count * 1_000 : nil, quantityRange: 0..<0,
                isCountImplied: !isProduct),
            place: item.namePlace, origin: .inline, isDerived: !isProduct)
    }

    /// Takes the numbers of lines off the names: 1, 2, 3 … down the receipt, and some do not divide the total beside them.
    private static func dropPositions(_ items: inout [DraftItem]) -> Bool {
        let counts = items.map(count)
        guard items.count >= 2, counts.enumerated().allSatisfy({ $1?.count == Int64($0 + 1) && $1?.hasSign == false }),
            items.enumerated().contains(where: { ($1.value ?? 0) % Int64($0 + 1) != 0 })
        else { return false }
        for index in items.indices { if let name = counts[index]?.name { items[index].name = name } }
        return true
    }

    /// `Joghurt  2 St  1,30`: a count with a word for pieces behind every name, one of them a single piece.
    private static func takeBehind(_ items: inout [DraftItem], _ goods: [Int]) {
        let found = goods.map { index -> (name: String, count: Int64)? in
            let words = items[index].name.split(separator: " ")
            guard items[index].quantity == nil, words.count >= 3, let unit = words.last,
                ["st", "st.", "stk", "stk.", "stück", "x"].contains(unit.lowercased()),
                let count = Int64(words[words.count - 2]), (1...99).contains(count)
            else { return nil }
            return (words.dropLast(2).joined(separator: " "), count)
        }
        guard goods.count >= 2, found.allSatisfy({ $0 != nil }), found.contains(where: { $0?.count == 1 }) else {
            return
        }
        for (index, found) in zip(goods, found) {
            guard let found else { continue }
            items[index].name = found.name
            if found.count > 1 { setCount(of: &items[index], found.count, isProduct: false) }
        }
    }

    /// Takes unit prices off the names where one piece was bought and they repeat the total: `Zopf 500g  3.40` before
    /// 3.40, where most goods have such a column, and `Servietten 3,49 1` before 3,49.
    static func dropUnitPrices(_ items: inout [DraftItem]) {
        let goods = items.indices.filter { items[$0].kind == .item && items[$0].quantity == nil }
        let found = goods.compactMap { index in repeated(items[index]).map { (index: index, found: $0) } }
        let hasColumn = found.count >= 2 && found.count * 2 >= goods.count
        for (index, found) in found where hasColumn || found.hasCount { items[index].name = found.name }
    }

    private static func repeated(_ item: DraftItem) -> (name: String, hasCount: Bool)? {
        guard let value = item.value else { return nil }
        if let name = withoutUnitPrice(item.name[...], count: 1, total: value) { return (name, false) }
        guard item.name.hasSuffix(" 1"),
            let name = withoutUnitPrice(item.name.dropLast(2), count: 1, total: value)
        else { return nil }
        return (name, true)
    }

    /// `Spezi 0,5l  3,90` before 7,80 and `Brezel à 0,85` before 3,40: the name, where the unit price behind it times
    /// the count is the total.
    static func withoutUnitPrice(_ name: Substring, count: Int64, total: Int64) -> String? {
        var words = name.split(separator: " ")
        if let last = words.last, ["€", "EUR", "CHF"].contains(last) { words.removeLast() }
        guard words.count >= 2, let last = words.popLast(),
            case let scalars = Array(last.unicodeScalars.prefix(20)),
            let figure = FigureScanner.figures(in: scalars).first, let price = figure.amount,
            scalars.count - figure.range.count <= 1, price * count == total
        else { return nil }
        if let sign = words.last, words.count >= 2, ["à", "á", "a", "x", "X", "*", "×", "@"].contains(sign) {
            words.removeLast()
        }
        return words.joined(separator: " ")
    }

    /// Whether a name begins with what may be a count of several.
    static func isPossible(_ item: DraftItem) -> Bool {
        guard item.quantity == nil, let (count, _, _) = count(item), let value = item.value else { return false }
        return (2...12).contains(count) && value % count == 0
    }

    /// The number in front of a name, with what stands behind it.
    static func count(_ item: DraftItem) -> (count: Int64, name: String, hasSign: Bool)? {
        let digits = item.name.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0 else { return nil }
        var rest = item.name[digits.endIndex...]
        // `1: Spinat`: a speck behind the count.
        if rest.first == ":" { rest = rest.dropFirst() }
        var hasSign = false
        // `2,000 STK Name`; of `10 Stk Eier` only the other lines tell.
        let decimals = [",000", ",00", ".000", ".00"].first(where: rest.hasPrefix)
        if let decimals { rest = rest.dropFirst(decimals.count) }
        let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        if words.count == 2, rest.first == " ", ["stk", "stk.", "st", "st."].contains(words[0].lowercased()) {
            rest = " " + words[1]
            hasSign = decimals != nil
        } else if decimals != nil {
            return nil
        }
        let sign = rest.drop { $0 == " " }
        if let first = sign.first, "xX×*".contains(first), sign.dropFirst().first == " " {
            hasSign = true
            rest = sign.dropFirst()
        } else if let first = rest.first, "xX×*".contains(first), rest.dropFirst().first?.isLetter == true {
            // `2xDöner`: the blank behind the sign was not printed.
            hasSign = true
            rest = " " + rest.dropFirst()
        }
        // `02 Getränke`: the number of a department.
        guard rest.first == " ", hasSign || digits.first != "0" else { return nil }
        let name = rest.trimmingBlanks
        // `2 + Schlagobers`: what was had with the line above.
        guard name.count >= 3, name.first?.isLetter == true || name.hasPrefix("+ ") else { return nil }
        return (count, String(name), hasSign)
    }
}
