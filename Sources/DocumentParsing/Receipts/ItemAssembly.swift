import Domain
import Recognition

/// Turns the lines between head and total into items with their quantities.
struct ItemAssembly {
    enum Element {
        case item(Int)
        case quantity(line: Int)
        case text(line: Int)
        case other
    }

    var lines: [ReadLine]
    let column: PriceColumn?
    let articles: ArticleNumbers?
    /// Whether the currency of the receipt is the Swiss franc.
    let isInFrancs: Bool
    /// Where the chain prints quantities; nil if unknown.
    let place: ChainFacts.QuantityPlace?
    var items: [DraftItem] = []
    /// Indices of lines among the items that may hold a quantity or an amount and that no rule understood.
    var unexplained: [Int] = []
    var articleCount: Int?
    /// The classified lines, in printed order.
    var elements: [Element] = []
    /// Where this receipt prints its quantity lines; nil if unknown.
    var direction: ChainFacts.QuantityPlace?
    /// Votes of the quantity lines that fit exactly one neighbour.
    var votes: [Vote] = []
    /// Items that the search assigned to quantity lines, by line index.
    var owners: [Int: Int] = [:]

    mutating func finish(_ body: Range<Int>, taxRows: [ParsedReceipt.TaxRow]) {
        attachQuantities()
        countWholeWeights(from: body.lowerBound)
        for index in items.indices { KindReader.setKindAfterCount(&items[index], self.lines[items[index].lines[0]]) }
        recordUnexplainedTexts()
        recordStrayQuantities(body)
        TaxClasses.takeFromNames(&items)
        CountColumn.readCounts(&items, taxRows: taxRows)
        CountColumn.dropUnitPrices(&items)
        CancellationLine.setKinds(&items)
    }

    /// Adds an item with its name, amount, class, kind and the quantity that is printed on the line of the name.
    mutating func add(name nameLine: Int, extra: [Int], price: PriceCell, at priceLine: Int, isClassBeforeAmount: Bool)
    {
        let line = lines[nameLine]
        var range = line.nameRange
        if let column {
            let dirt = column.dirtInFront(line.line)
            if dirt > 0, let start = line.line.wordAt.firstIndex(of: dirt), start < range.upperBound {
                range = start..<range.upperBound
            }
        }
        if let following = line.nameAfterQuantity { range = following }
        let isSize = nameLine != priceLine && line.isSize(forAmount: price.value)
        if isSize { range = range.lowerBound..<line.line.text.count }
        var loose: QuantityPhrase?
        if line.quantity == nil, nameLine == priceLine, let value = price.value {
            loose = LooseQuantity.inline(line, name: range, total: value)
            if let loose { range = range.lowerBound..<max(range.lowerBound, loose.range.lowerBound) }
        }
        var name = NameReader.name(
            line, range, isClassBeforeAmount: isClassBeforeAmount && price.vatClass == nil && nameLine == priceLine,
            isInFrancs: isInFrancs, articles: articles)
        var vatClass = price.vatClass
        if vatClass == nil { vatClass = name.vatClass }
        if nameLine != priceLine, vatClass == nil {
            let cut = NameReader.trailingClass(name.text)
            name.text = cut.text
            vatClass = cut.vatClass
        }
        var item = DraftItem(
            name: name.text, namePlace: line.line.place(range), articleNumber: name.articleNumber,
            lines: [nameLine] + extra, price: price, pricePlace: lines[priceLine].line.place(price.range),
            value: price.value, vatClass: vatClass)
        KindReader.setKind(&item, line, isTakenBack: isBelowVoid(item.lines))
        items.append(item)
        elements.append(.item(items.count - 1))
        if let loose {
            items[items.count - 1].quantity = DraftQuantity(
                phrase: loose, place: line.line.place(loose.quantityRange), origin: .inline, isDerived: true)
        }
        if line.quantity != nil, !isSize { setQuantity(of: items.count - 1, from: nameLine, origin: .inline) }
        if HiddenQuantity.isAfterPrice(lines[priceLine]) { unexplained.append(priceLine) }
        if isNotItem(line) || (nameLine == priceLine && isHalfQuantity(line, range)) { unexplained.append(nameLine) }
    }

    /// Sets the quantity of an item to the one that a line contains.
    mutating func setQuantity(of item: Int, from index: Int, origin: DraftQuantity.Origin, isAmbiguous: Bool = false) {
        let line = lines[index]
        guard let phrase = line.quantity else { return }
        items[item].quantity = DraftQuantity(
            phrase: phrase, place: line.line.place(phrase.quantityRange),
            unitPricePlace: phrase.unitPriceRange.map { line.line.place($0) },
            linePlace: origin == .ownLine ? line.line.place : nil,
            phrasePlace: origin == .inline ? line.line.place(phrase.range) : nil, origin: origin,
            isAmbiguous: isAmbiguous)
        if !items[item].lines.contains(index) { items[item].lines.append(index) }
        // `0,326 kg x 26,5`: the unit price could not be read.
        if phrase.unitPrice == nil, line.price == nil {
            let rest = line.line.text[phrase.range.upperBound...]
            let hasFigure = line.figures.contains { $0.range.lowerBound >= phrase.range.upperBound }
            items[item].hasUnreadQuantity = hasFigure || rest.contains { "xX/€".unicodeScalars.contains($0) }
        }
    }

    /// Records quantity lines as unexplained if they are among the three lines above the items or below the total. On
    /// skewed paper, a line of the head may be between a quantity line and its item.
    private mutating func recordStrayQuantities(_ body: Range<Int>) {
        func isStray(_ line: ReadLine) -> Bool {
            guard let phrase = line.quantity, phrase.unitPrice != nil, line.price == nil else { return false }
            return line.nameLetterCount <= 2 && line.line.letterCount <= 10 && !line.isDated
                && !line.begins(with: .header) && !line.has(.footer)
        }
        // `2 4012345678901`: a count beside an article number.
        func isCountedNumber(_ line: ReadLine) -> Bool {
            let words = line.line.words.map(\.text)
            return words.count == 2 && words.joined().allSatisfy(\.isNumber)
                && words.contains { $0.utf8.count <= 2 } && words.contains { $0.utf8.count >= 10 }
        }
        for index in max(0, body.lowerBound - 3)..<body.lowerBound
        where isStray(lines[index]) || isCountedNumber(lines[index]) {
            unexplained.append(index)
        }
        for index in lines.indices.dropFirst(body.upperBound + 1).prefix(3) {
            if (Role.closing + [.footer]).contains(where: lines[index].begins) { break }
            if isStray(lines[index]) { unexplained.append(index) }
        }
    }
}
