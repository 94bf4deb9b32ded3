import Domain
import Recognition

/// Generates the hypotheses that begin at one line: one or more for each pattern that fits.
struct LinePatterns {
    let view: LineView
    let rereadings: Rereadings
    /// Whether all lines are digital text, not recognised from a picture.
    let isText: Bool

    var lines: [ReadLine] { view.lines }

    func hypotheses(at index: Int) -> [Hypothesis] {
        let withoutItem: [Hypothesis?] = [text(index), count(index), subtotal(index)]
        let onOneLine = items(index)
        let rare: [Hypothesis?] = [weightTable(index), lostAmount(index)]
        var found = withoutItem.compactMap { $0 } + onOneLine
        found += onOneLine.compactMap(withQuantityBelow) + quantityAbove(index) + splitItems(index)
        found += rare.compactMap { $0 }
        return found.filter { $0.cost <= Costs.ceiling }
    }

    // MARK: Lines without an item

    private func text(_ index: Int) -> Hypothesis {
        let line = lines[index]
        if view.isReducedPrice(index) { return Hypothesis(pattern: .text, start: index, end: index + 1, cost: 0) }
        return Hypothesis(
            pattern: view.mayHoldUnexplainedFigure(line) ? .unexplained : .text, start: index, end: index + 1,
            cost: view.textCost(line))
    }

    private func count(_ index: Int) -> Hypothesis? {
        guard ItemAssembly.count(lines[index]) != nil else { return nil }
        return Hypothesis(pattern: .count, start: index, end: index + 1, cost: 0)
    }

    private func subtotal(_ index: Int) -> Hypothesis? {
        let line = lines[index]
        guard let value = line.price?.value,
            line.begins(with: .subtotal) || SectionFinder.isTotal(line) || line.endsInTotalWord
        else { return nil }
        // The search compares this amount with the sum of the lines above.
        return Hypothesis(
            pattern: .subtotal, start: index, end: index + 1,
            cost: line.begins(with: .subtotal) ? 0 : Costs.totalAsSubtotal,
            amounts: [AmountReading(value: value, cost: 0, source: nil)])
    }

    // MARK: Items on one line

    private func items(_ index: Int) -> [Hypothesis] {
        var found: [Hypothesis] = []
        for (line, extra) in variants(lines[index]) {
            guard let price = line.price else { continue }
            let name = line.nameAfterQuantity ?? line.nameRange
            var item = Hypothesis(
                pattern: .item, start: index, end: index + 1, cost: view.itemCost(line, price, name: name) + extra,
                amounts: amounts(price, line), nameLine: index, priceLine: index, price: price, line: line)
            if let quantity = line.quantity, !line.isSize(forAmount: price.value) {
                item = item.with(quantity, at: index)
            }
            found.append(item)
        }
        return found
    }

    /// The line as read, and the line without its quantity if the quantity may be part of the name; each with its extra
    /// cost.
    private func variants(_ line: ReadLine) -> [(ReadLine, Int)] {
        var found = [(line, 0)]
        if let quantity = line.quantity, line.nameLetterCount >= 3, line.price != nil, quantity.unit == .piece {
            found.append((line.withoutQuantity(), Costs.quantityInName))
        }
        return found
    }

    func amounts(_ price: PriceCell, _ line: ReadLine) -> [AmountReading] {
        var price = price
        var draft = DraftItem(
            name: "", namePlace: Place(page: 0, box: nil, confidence: 0), lines: [], price: price,
            pricePlace: line.line.place(price.range), value: price.value)
        KindReader.setKind(&draft, line)
        price.candidates = draft.price.candidates
        let seen = rereadings.amounts(at: draft.pricePlace).map(\.value)
        // An amount far above the others: text before it may have been read as its first digits.
        if let value = price.value, view.isOutlier(value) { price.candidates += PriceScanner.shortened(value) }
        let readings = AmountReadings(price, in: line.line, seen: seen, isText: isText)
        return readings.all.map { reading in
            var reading = reading
            if view.medianAmount ?? 0 > 0 {
                if view.isOutlier(reading.value) { reading.cost += Costs.outlier }
                if view.isOutlier(reading.value, factor: 40) { reading.cost += 2 * Costs.outlier }
            }
            // Items with an amount of 0 are rare.
            if reading.value == 0, price.vatClass == nil { reading.cost += Costs.outlier }
            if reading.value < 0, price.value ?? 0 >= 0, reading.source != .sign { reading.cost += Costs.sign }
            return reading
        }
    }

    // MARK: Quantities on separate lines

    /// Whether the line states a quantity and no name.
    func isQuantityLine(_ line: ReadLine) -> Bool {
        guard line.quantity != nil, line.nameAfterQuantity == nil else { return false }
        return line.nameLetterCount <= 2 || line.has(.handEntry) || line.begins(with: .quantityLabel)
    }

    private func withQuantityBelow(_ item: Hypothesis) -> Hypothesis? {
        guard item.quantity == nil, let (index, skipped) = next(from: item.end, where: isQuantityLine),
            let quantity = lines[index].quantity
        else { return nil }
        var found = item
        found.pattern = .quantityBelow
        found.end = index + 1
        found.cost += skipped + (view.direction == .above ? Costs.otherSide : 0)
        found.cost += ownTotalCost(lines[index], of: item)
        return found.with(quantity, at: index)
    }

    private func quantityAbove(_ index: Int) -> [Hypothesis] {
        guard isQuantityLine(lines[index]), let quantity = lines[index].quantity,
            let (name, skipped) = next(from: index + 1, where: { $0.price != nil && $0.nameLetterCount >= 2 })
        else { return [] }
        return items(name).filter { $0.quantity == nil }.map { item in
            var found = item
            found.pattern = .quantityAbove
            found.start = index
            let side = view.direction == .below ? Costs.otherSide : view.direction == nil ? Costs.rareSide : 0
            found.cost += skipped + side
            found.cost += ownTotalCost(lines[index], of: item)
            return found.with(quantity, at: index)
        }
    }

    /// Cost of assigning a quantity line with its own total, such as `0,204 5,89 1,20`, to an item with another amount.
    private func ownTotalCost(_ line: ReadLine, of item: Hypothesis) -> Int {
        guard let own = line.price?.value, line.quantity?.product != nil, let value = item.amounts.first?.value else {
            return 0
        }
        return own.magnitude == value.magnitude ? 0 : Costs.productFails
    }

    /// Finds the first line from `start` on that satisfies `isWanted`, and the cost of the lines skipped before it. At
    /// most two lines without a price are skipped.
    func next(from start: Int, where isWanted: (ReadLine) -> Bool) -> (index: Int, cost: Int)? {
        for index in start..<min(lines.count, start + 3) {
            if isWanted(lines[index]) { return (index, (index - start) * Costs.skippedLine) }
            guard lines[index].price == nil,
                view.textCost(lines[index]) <= Costs.plainText || lines[index].begins(with: .quantityLabel)
            else { return nil }
        }
        return nil
    }
}
