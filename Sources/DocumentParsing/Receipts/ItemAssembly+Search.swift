import Domain
import Recognition

extension ItemAssembly {
    /// Builds the items of a reading that the search found.
    init(
        _ view: LineView, _ path: [(hypothesis: Hypothesis, amount: AmountReading?)], from: Int,
        doubtful: Set<Int>, isBalanced: Bool, taxRows: [ParsedReceipt.TaxRow]
    ) {
        lines = view.lines
        place = view.place
        column = view.column
        articles = view.articles
        isInFrancs = view.currency == .chf
        for (hypothesis, amount) in path where hypothesis.start >= from {
            add(hypothesis, view, isBalanced: isBalanced)
            guard hypothesis.isItem, !items.isEmpty else { continue }
            items[items.count - 1].searched = amount
            items[items.count - 1].isSearchDoubtful = hypothesis.priceLine.map(doubtful.contains) ?? false
        }
        finish(from..<max(from, path.last?.hypothesis.end ?? 0), taxRows: taxRows)
    }

    /// Adds the item or the element that the hypothesis describes.
    private mutating func add(_ hypothesis: Hypothesis, _ view: LineView, isBalanced: Bool) {
        let index = hypothesis.start
        switch hypothesis.pattern {
        case .count:
            articleCount = ItemAssembly.count(lines[index])
            elements.append(.other)
        case .subtotal: elements.append(.other)
        case .text, .unexplained:
            if addOtherLine(index) { return }
            // The items alone add up to the total, so a tax line is included in their prices.
            if isBalanced, IncludedTax.isTax(lines[index]) { return elements.append(.other) }
            if lines[index].quantity != nil, lines[index].nameLetterCount <= 2, lines[index].nameAfterQuantity == nil {
                elements.append(.quantity(line: index))
            } else {
                if let price = lines[index].price, price.value == nil || !view.isInColumn(lines[index], price.range) {
                    lines[index] = lines[index].with(price: nil)
                }
                elements.append(.text(line: index))
            }
        default:
            guard let name = hypothesis.nameLine, let priceLine = hypothesis.priceLine, let price = hypothesis.price
            else { return }
            if let variant = hypothesis.line { lines[name] = variant }
            if name != priceLine { lines[name] = lines[name].with(price: nil) }
            add(
                name: name, extra: name == priceLine ? [] : [priceLine], price: price, at: priceLine,
                isClassBeforeAmount: view.isClassBeforeAmount && name == priceLine)
            let item = items.count - 1
            recordSkippedLines(hypothesis)
            if hypothesis.pattern == .lostAmount { items[item].name = Self.legibleName(lines[name]) }
            if let quantity = hypothesis.quantityLine, hypothesis.quantity != nil, quantity != name {
                switch hypothesis.pattern {
                case .quantityAbove, .quantityBelow:
                    owners[quantity] = item
                    elements.insert(
                        .quantity(line: quantity), at: elements.count - (hypothesis.pattern == .quantityAbove ? 1 : 0))
                default: setQuantity(of: item, from: quantity, origin: .ownLine)
                }
            }
            if hypothesis.hasUnreadQuantity { items[item].hasUnreadQuantity = true }
        }
    }

    /// Records lines inside an item that may hold a figure as unexplained: `Menge 2` between a name and its amount.
    private mutating func recordSkippedLines(_ hypothesis: Hypothesis) {
        let taken = [hypothesis.nameLine, hypothesis.priceLine, hypothesis.quantityLine]
        for index in hypothesis.start..<hypothesis.end where !taken.contains(index) {
            let line = lines[index]
            let isLabel = line.begins(with: .quantityLabel)
            if !isLabel, readsOtherLine(index) { continue }
            if isLabel ? line.figures.contains(where: { $0.whole != 1 }) : !Self.cannotHoldFigures(line) {
                unexplained.append(index)
            }
        }
    }

    /// Returns the words of a line before the first word without a letter. That word is part of the unreadable amount.
    private static func legibleName(_ line: ReadLine) -> String {
        let words = line.line.string.split(separator: " ").prefix { $0.contains(where: \.isLetter) }
        let name = words.joined(separator: " ")
        return name.lastIndex { $0.isLetter || $0.isNumber || $0 == ")" }.map { String(name[...$0]) } ?? name
    }
}
