import Domain
import Recognition

/// Items of a reading that the search found.
extension ItemAssembly {
    /// The items of a reading that the search found.
    init(_ view: LineView, _ path: [(hypothesis: Hypothesis, amount: AmountReading?)], taxRows: [ParsedReceipt.TaxRow])
    {
        lines = view.lines
        place = view.place
        column = view.column
        let from = path.first { $0.hypothesis.isItem }?.hypothesis.start ?? 0
        for (hypothesis, amount) in path where hypothesis.start >= from {
            take(hypothesis, view)
            if hypothesis.isItem, !items.isEmpty { items[items.count - 1].searched = amount }
        }
        let body = from..<max(from, path.last?.hypothesis.end ?? 0)
        finish(body, taxRows: taxRows)
    }

    private mutating func take(_ hypothesis: Hypothesis, _ view: LineView) {
        let index = hypothesis.start
        switch hypothesis.pattern {
        case .count:
            articleCount = ItemAssembly.count(lines[index])
            elements.append(.other)
        case .subtotal: elements.append(.other)
        case .text, .unexplained:
            if lines[index].quantity != nil, lines[index].nameLetters <= 2, lines[index].nameBehindQuantity == nil {
                elements.append(.quantity(line: index))
            } else if let price = lines[index].price, !view.isInColumn(lines[index], price.range) {
                lines[index] = lines[index].withoutPrice()
                elements.append(.text(line: index))
            } else if hypothesis.pattern == .text, lines[index].price != nil || lines[index].line.letterCount < 3 {
                elements.append(.other)
            } else {
                elements.append(.text(line: index))
            }
        default:
            guard let name = hypothesis.nameLine, let priceLine = hypothesis.priceLine, let price = hypothesis.price
            else { return }
            if let variant = hypothesis.line { lines[name] = variant }
            add(
                name: name, extra: name == priceLine ? [] : [priceLine], price: price, at: priceLine,
                classBefore: view.classBefore && name == priceLine)
            let item = items.count - 1
            if let quantity = hypothesis.quantityLine, hypothesis.quantity != nil, quantity != name {
                setQuantity(of: item, from: quantity, origin: .ownLine)
            }
            if hypothesis.lacksQuantity { items[item].lacksWeight = true }
        }
    }
}
