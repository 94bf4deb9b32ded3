import Domain
import Recognition

/// Properties of lines in the context of their receipt.
struct LineView: Sendable {
    let lines: [ReadLine]
    let column: PriceColumn?
    /// Whether most amounts of items have a tax class.
    let printsClasses: Bool
    /// Whether tax classes are printed before the amounts instead of after them.
    let isClassBeforeAmount: Bool
    /// The median amount, in minor units; nil without amounts.
    let medianAmount: Int64?
    /// Whether items begin with a day or a time, like nights in a hotel: `10.04.2026 Übernachtung 95,00`.
    private let hasDatedItems: Bool
    /// The article numbers before the names; nil if most items have none.
    let articles: ArticleNumbers?
    /// The currency of the receipt.
    let currency: Currency
    /// Where the chain prints quantities; nil if unknown.
    let place: ChainFacts.QuantityPlace?
    /// Where this receipt prints quantity lines. If the lines do not show it, where the chain prints them; nil if
    /// unknown.
    let direction: ChainFacts.QuantityPlace?

    /// - Parameters:
    ///   - body: the lines that may be items.
    ///   - itemStart: the index of the line at which the items probably begin.
    init(
        _ lines: [ReadLine], body: Range<Int>, itemStart: Int, place: ChainFacts.QuantityPlace?,
        taxClasses: Set<String>, currency: Currency
    ) {
        self.place = place
        self.currency = currency
        let start = itemStart < body.upperBound ? itemStart : body.lowerBound
        let column = PriceColumn(Array(lines[start..<body.upperBound]))
        self.column = column
        var lines = lines
        // If the receipt has no certain amount, numbers without a comma are telephone, card or account numbers.
        let printsAmounts = lines.contains { $0.price?.isExact ?? false }
        for index in body {
            if !printsAmounts, let price = lines[index].price, !price.printed.contains(where: { ",.".contains($0) }) {
                lines[index] = lines[index].with(price: nil)
            }
            if Self.holdsAmountOfPiece(index, lines, column) { lines[index] = lines[index].withoutQuantity() }
            if let range = lines[index].possibleTotal,
                column?.holds(lines[index].line, range)
                    ?? lines[index].aligns(range, with: lines[safe: body.upperBound])
            {
                lines[index] = lines[index].withoutQuantity()
            }
            // The end of an address may be in the price column: `14 Worple Road London SW19 4JS`.
            if index < start, StoreReader.holdsAddress(lines[index]) { continue }
            guard let column, lines[index].price == nil, !lines[index].isDated, !lines[index].has(.weightHeader),
                let cell = column.unreadable(lines[index].line),
                cell.range.lowerBound >= lines[index].quantity?.range.upperBound ?? 0
            else { continue }
            lines[index] = lines[index].with(price: cell)
        }
        self.lines = lines
        direction = Self.direction(lines[body]) ?? (place == .inline ? nil : place)
        let priced = lines[body].filter { ($0.price?.isExact ?? false) && $0.nameLetterCount >= 3 }
        printsClasses = priced.count { $0.price?.vatClass != nil } * 5 >= priced.count * 3 && priced.count >= 2
        articles = ArticleNumbers(lines[body])
        hasDatedItems = lines[body].count(where: Self.isDatedItem) >= 2
        let withPricesInColumn = lines.map { line in
            line.price.map { column?.holds(line.line, $0.range) ?? true } ?? true ? line : line.with(price: nil)
        }
        isClassBeforeAmount = ItemAssembly.printsClassBeforePrice(
            withPricesInColumn[start..<body.upperBound], head: lines[..<start], taxClasses: taxClasses)
        medianAmount = priced.compactMap { $0.price?.value?.magnitude }.median.map { Int64($0) }
    }

    /// Whether the line has the count 1, a unit price that is also the amount, and no name: `1 Stk  14,99` below the
    /// name `SANDISK USB 128GB`. False if the line below has the same amount.
    private static func holdsAmountOfPiece(_ index: Int, _ lines: [ReadLine], _ column: PriceColumn?) -> Bool {
        let line = lines[index]
        guard index > 0, line.price == nil, let quantity = line.quantity, quantity.unit == .piece,
            quantity.quantity == 1_000, let price = quantity.unitPrice, let range = quantity.unitPriceRange,
            range.lowerBound >= quantity.quantityRange.upperBound, column?.holds(line.line, range) ?? true,
            line.nameLetterCount <= 2, lines[index - 1].price == nil, lines[index - 1].nameLetterCount >= 3
        else { return false }
        return lines[safe: index + 1]?.price?.value != price / 1_000
    }

    /// Whether an amount is far above the others: by default above ten times the median plus 10.00.
    func isOutlier(_ value: Int64, factor: UInt64 = 10) -> Bool {
        medianAmount.map { value.magnitude > UInt64($0) * factor + 100 * factor } ?? false
    }

    func isInColumn(_ line: ReadLine, _ range: Range<Int>) -> Bool { column?.holds(line.line, range) ?? true }

    /// Whether the line holds only the price of the item two lines above less the discount between, as Polish tills
    /// print it: `Ser Gouda 13,99`, `OPUST -4,00`, `9,99`.
    func isReducedPrice(_ index: Int) -> Bool {
        guard index >= 2, lines[index].nameLetterCount <= 1, lines[index].quantity == nil,
            let own = lines[index].price, own.isExact, let discount = lines[index - 1].price?.value, discount < 0,
            let full = lines[index - 2].price?.value
        else { return false }
        return full + discount == own.value
    }

    /// Cost of reading the line as an item with this amount, without the cost of the amount itself.
    func itemCost(_ line: ReadLine, _ price: PriceCell, name: Range<Int>) -> Int {
        var cost = contradiction(line) / (isClassed(line) ? 2 : 1)
        if !isInColumn(line, price.range) { cost += Costs.outsideColumn }
        let letters = line.line.text[name].count(where: \.isLatinLetter)
        if letters < 2 && !line.isPercentOff || line.namesOnlyPieces || ItemAssembly.isNumbered(line)
            || line.begins(with: .quantityLabel)
        {
            cost += Costs.nameless
        }
        if printsClasses, price.vatClass == nil, price.value.map({ $0 > 0 }) ?? true { cost += Costs.missingTaxClass }
        if line.figures.contains(where: { $0.isPercent }), price.value.map({ $0 > 0 }) ?? false {
            cost += line.amounts.count >= 2 && line.has(.vatHeader) ? Costs.keyWord : Costs.percentage
        }
        return cost
    }

    /// Cost of reading the line as an item although it has a key word, day or time that is rare in names of items.
    func contradiction(_ line: ReadLine) -> Int {
        let closing: [Role] = [.payment, .change, .subtotal, .rest, .vatHeader]
        if closing.contains(where: { beginsWithKeyWord($0, line) }) || isTotal(line) { return Costs.keyWord }
        if line.begins(with: .weakTotal), line.line.letterCount <= 12 { return Costs.keyWord }
        if beginsWithKeyWord(.tax, line), line.line.letterCount <= 14 { return Costs.keyWord }
        if ItemAssembly.isNote(line) || (line.begins(with: .saved) && line.amounts.allSatisfy { !$0.isNegative }) {
            return Costs.keyWord
        }
        if ItemAssembly.isBasePrice(line) { return Costs.keyWord }
        let others: [Role] = [.header, .slip, .points, .basePrice, .tare, .count, .footer]
        if others.contains(where: { beginsWithKeyWord($0, line) }) || line.has(.hours) { return Costs.headWord }
        if line.isDated, !(hasDatedItems && Self.isDatedItem(line)) { return Costs.headWord }
        // A name with an article number can look like a postal code with a town. A price in the column shows that the
        // line is an item.
        if StoreReader.isTown(line), !(articles?.begin(line) ?? false),
            line.price.map({ !$0.isExact || !isInColumn(line, $0.range) }) ?? true
        {
            return Costs.headWord
        }
        return 0
    }

    private static func isDatedItem(_ line: ReadLine) -> Bool {
        let times = line.dates.days.map(\.range) + line.dates.clocks.map(\.range)
        guard times.count == 1, let time = times.first, time.lowerBound == 0, let price = line.price, price.isExact,
            price.value ?? 0 > 0, price.range.lowerBound > time.upperBound
        else { return false }
        return line.line.text[time.upperBound..<price.range.lowerBound].count(where: \.isLatinLetter) >= 4
    }

    /// Whether the line begins with a key word that was read exactly or is long enough to be recognised.
    private func beginsWithKeyWord(_ role: Role, _ line: ReadLine) -> Bool {
        guard let match = line.roles[role], line.begins(with: role) else { return false }
        return match.distance == 0 || match.words.count >= 2 || line.line.skeletons[match.words.lowerBound].count >= 6
    }

    /// Whether the amount has a tax class, like the amounts of the items.
    private func isClassed(_ line: ReadLine) -> Bool {
        guard printsClasses, let price = line.price, price.isExact, price.vatClass != nil else { return false }
        return !isTotal(line) && !isPaymentAlone(line) && isInColumn(line, price.range)
    }

    /// Whether a payment word is alone on the line, or with a currency. False for `Karte Geburtstag`, which is an item.
    private func isPaymentAlone(_ line: ReadLine) -> Bool {
        guard line.begins(with: .payment), let match = line.roles[.payment] else { return false }
        let end = line.price.map { line.line.wordIndices($0.range).lowerBound } ?? line.line.words.count
        let rest = line.line.words[min(match.words.upperBound + 1, end)..<end]
        return rest.filter { !["EUR", "EURO", "CHF"].contains($0.text.uppercased()) }.letterCount <= 3
    }

    /// Whether this receipt prints quantity lines above or below their items; nil if unclear. Counts the lines in which
    /// quantity × unit price is the amount of only one neighbour.
    private static func direction(_ lines: ArraySlice<ReadLine>) -> ChainFacts.QuantityPlace? {
        var below = 0
        var above = 0
        for index in lines.indices {
            guard lines[index].nameLetterCount <= 2, let product = lines[index].quantity?.product?.magnitude else {
                continue
            }
            func fits(_ other: Int) -> Bool {
                lines.indices.contains(other) && lines[other].price?.value?.magnitude == product
            }
            if fits(index - 1), !fits(index + 1) { below += 1 }
            if fits(index + 1), !fits(index - 1) { above += 1 }
        }
        return below == above ? nil : below > above ? .below : .above
    }

    func isTotal(_ line: ReadLine) -> Bool { SectionFinder.isTotal(line) }

    /// Cost of reading the line as text that belongs to no item.
    func textCost(_ line: ReadLine) -> Int {
        let contradiction = contradiction(line) / (isClassed(line) ? 2 : 1)
        let isContradicted = contradiction >= Costs.headWord
        if let price = line.price {
            if isContradicted { return Costs.plainText }
            let isNamed = line.nameLetterCount >= 3 || line.nameAfterQuantity != nil
            guard isNamed else { return price.isExact ? Costs.loneAmount : Costs.unexplainedFigures }
            guard isInColumn(line, price.range) else { return Costs.unexplainedFigures }
            let isReduction = line.has(.coupon) || line.has(.discount)
            if price.value == nil { return isReduction ? Costs.plainText : Costs.lostUnreadItem }
            if price.value == 0, isReduction, price.vatClass == nil { return Costs.plainText }
            return max(Costs.plainText, (price.isExact ? Costs.lostItem : Costs.lostDamagedItem) - contradiction)
        }
        if line.quantity != nil, !isContradicted {
            return line.quantity?.unitPrice == nil ? Costs.unexplainedFigures : Costs.loneQuantity
        }
        if ItemAssembly.isRule(line) || ItemAssembly.isArticleNumber(line) || SectionFinder.isColumnHeader(line) {
            return 0
        }
        if line.line.digitCount == 0 || isContradicted || ItemAssembly.cannotHoldFigures(line) {
            return Costs.plainText
        }
        return line.figures.isEmpty ? Costs.plainText * 2 : Costs.unexplainedFigures
    }

    /// Whether the line may contain an amount or a quantity that no pattern explained.
    func mayHoldUnexplainedFigure(_ line: ReadLine) -> Bool {
        if ItemAssembly.isRule(line) || ItemAssembly.isArticleNumber(line) || ItemAssembly.isTareAlone(line)
            || SectionFinder.isColumnHeader(line) || ItemAssembly.cannotHoldFigures(line)
        {
            return false
        }
        if line.begins(with: .subtotal) || SectionFinder.isTotal(line) || line.begins(with: .tare) { return false }
        if line.begins(with: .saved), line.amounts.count == 1, line.amounts.allSatisfy({ !$0.isNegative }) {
            return false
        }
        if ItemAssembly.isWeightHeader(line) { return false }
        return true
    }
}
