import Domain
import Recognition

/// Items on two or three lines.
extension LinePatterns {
    private func isName(_ index: Int) -> Bool {
        let line = lines[index]
        let isPriced = line.price.map { $0.isExact && view.isInColumn(line, $0.range) } ?? false
        let isReduction = line.has(.discount) && line.price?.value ?? 0 < 0
        return line.line.letterCount >= 3 && !isPriced && !isReduction && !line.isDated
            && !ItemAssembly.isNumbered(line) && !line.isLabelledNumber && !line.begins(with: .quantityLabel)
            && (line.quantity == nil || line.nameLetterCount >= 3)
            && (view.contradiction(line) == 0 || isModel(index))
            && !SectionFinder.isColumnHeader(line) && !CancellationLine.isHeading(line)
    }

    /// Whether the line looks like a postal code with a town but is a name with a model number: `PHILIPS 3200 LATTEGO`,
    /// not `A-4020 Linz`. The line below must have an article number and an amount.
    private func isModel(_ index: Int) -> Bool {
        let line = lines[index]
        return lines[safe: index + 1].map(ItemAssembly.isNumbered) ?? false && StoreReader.isTown(line)
            && line.line.text.prefix { !$0.isDigit }.count(where: \.isLatinLetter) >= 3
            && line.line.text.first?.isLatinLetter ?? false && !StoreReader.isStreet(line.line.string)
            && !line.begins(with: .header) && !line.isDated
    }

    func splitItems(_ index: Int) -> [Hypothesis] {
        let name = lines[index]
        guard isName(index) else { return [] }
        var found: [Hypothesis] = []
        guard let (below, skipped) = next(from: index + 1, where: { $0.price != nil || isQuantityLine($0) }) else {
            return []
        }
        let line = lines[below]
        let cost = Costs.splitItem + skipped
        if let price = line.price,
            line.nameLetterCount <= 2 || line.namesOnlyPieces || isQuantityLine(line) || ItemAssembly.isNumbered(line)
                || isProduct(line, of: name.quantity)
        {
            var item = item(name: index, price: price, at: below, cost: cost)
            item.pattern = .splitItem
            if let quantity = line.quantity {
                item = item.with(quantity, at: below)
            } else if let quantity = name.quantity {
                item = item.with(quantity, at: index)
            } else if !ItemAssembly.isNumbered(line), !line.namesOnlyPieces,
                line.line.text[..<price.range.lowerBound].contains(where: \.isDigit)
            {
                item.hasUnreadQuantity = true
            }
            found.append(item)
        }
        if line.price == nil, let quantity = line.quantity,
            let (amount, gap) = next(
                from: below + 1,
                where: {
                    $0.price != nil && $0.quantity == nil && ($0.isNameless || isProduct($0, of: quantity))
                }),
            let price = lines[amount].price
        {
            var item = item(name: index, price: price, at: amount, cost: cost + gap)
            item.pattern = .threeRows
            found.append(item.with(quantity, at: below))
        }
        return found
    }

    /// Whether the line holds a label and the price of the weight or volume above it: `Kraftstoff  80,15`.
    private func isProduct(_ line: ReadLine, of quantity: QuantityPhrase?) -> Bool {
        guard let quantity, quantity.unit != .piece, let product = quantity.product, let price = line.price else {
            return false
        }
        return price.isExact && product > 0 && price.value == product && line.quantity == nil
    }

    /// Reads `Diesel` above `41,37 l x 1,529` if the amount was lost. The amount is then quantity × unit price.
    func lostAmount(_ name: Int) -> Hypothesis? {
        let line = lines[name]
        guard let below = lines[safe: name + 1], below.price == nil, isQuantityLine(below),
            let quantity = below.quantity, let product = quantity.product, product > 0,
            line.line.words.first?.text.count(where: \.isLetter) ?? 0 >= 3, !(line.price?.isExact ?? false),
            line.dates.days.isEmpty, view.contradiction(line) <= Costs.headWord, !line.begins(with: .header),
            !SectionFinder.isColumnHeader(line)
        else { return nil }
        let end = line.line.text.count
        let price = PriceCell(range: end..<end, value: nil, printed: "", isExact: false)
        var item = Hypothesis(
            pattern: .lostAmount, start: name, end: name + 2, cost: Costs.lostAmount,
            amounts: [AmountReading(value: product, cost: 0, source: .product)], nameLine: name, priceLine: name,
            price: price, line: line.with(price: nil))
        item.quantity = quantity
        item.quantityLine = name + 1
        return item
    }

    private func item(name: Int, price: PriceCell, at index: Int, cost: Int) -> Hypothesis {
        var cost = cost + view.contradiction(lines[index])
        if !view.isInColumn(lines[index], price.range) { cost += Costs.outsideColumn }
        return Hypothesis(
            pattern: .splitItem, start: name, end: index + 1, cost: cost, amounts: amounts(price, lines[index]),
            nameLine: name, priceLine: index, price: price, line: lines[name])
    }

    /// Name, the head of a table of weights, and its row: `kg  EUR/kg  EUR` above `0,158 1,19 0,19`.
    func weightTable(_ index: Int) -> Hypothesis? {
        guard index + 2 < lines.count, isName(index), lines[index + 1].has(.weightHeader),
            lines[index + 1].amounts.isEmpty, let price = lines[index + 2].price
        else { return nil }
        var item = item(name: index, price: price, at: index + 2, cost: 0)
        item.pattern = .weightTable
        guard let quantity = lines[index + 2].quantity else {
            item.hasUnreadQuantity = true
            item.cost += Costs.unreadQuantity
            return item
        }
        return item.with(quantity, at: index + 2)
    }
}
