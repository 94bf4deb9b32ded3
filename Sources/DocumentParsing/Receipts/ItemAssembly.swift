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
    /// Where the chain prints quantities, as far as that is known.
    let place: ChainFacts.QuantityPlace?
    var items: [DraftItem] = []
    /// Lines that say something which no rule understood.
    var unexplained: [Int] = []
    var articleCount: Int?
    /// What each line was taken for, in the order of the paper.
    var elements: [Element] = []
    /// Where this receipt prints its quantities.
    var direction: ChainFacts.QuantityPlace?
    /// The quantity lines that fit one neighbour alone.
    var votes: [Vote] = []
    /// The items to which the search gave quantity lines, by line.
    var owners: [Int: Int] = [:]

    init(
        _ lines: [ReadLine], body: Range<Int>, place: ChainFacts.QuantityPlace?, taxRows: [ParsedReceipt.TaxRow]
    ) {
        (self.lines, self.place) = (lines, place)
        let column = PriceColumn(Array(lines[body]))
        self.column = column
        if let column {
            for index in body {
                if let price = lines[index].price {
                    if !column.holds(lines[index].line, price.range) { self.lines[index] = lines[index].withoutPrice() }
                } else if lines[index].quantity?.product != nil, let cell = column.unreadable(lines[index].line),
                    cell.range.lowerBound >= lines[index].quantity?.range.upperBound ?? 0
                {
                    // `2 x 4,49  B, 98*A`: the amount beside a quantity.
                    self.lines[index] = lines[index].with(price: cell)
                } else if lines[index].quantity == nil, !lines[index].has(.coupon), !lines[index].has(.weightHeader),
                    lines[index].dates.days.isEmpty, lines[index].dates.clocks.isEmpty,
                    let cell = column.unreadable(lines[index].line)
                {
                    self.lines[index] = lines[index].with(price: cell)
                }
            }
        }
        for index in body {
            guard let range = lines[index].possibleTotal,
                column?.holds(lines[index].line, range)
                    ?? lines[index].aligns(range, with: lines[safe: body.upperBound])
            else { continue }
            self.lines[index] = lines[index].withoutQuantity()
        }
        let classBefore = ItemAssembly.printsClassBeforePrice(
            self.lines[body], head: lines[..<body.lowerBound], taxClasses: Set(taxRows.compactMap(\.vatClass)))
        for index in body { take(index, classBefore: classBefore) }
        finish(body, taxRows: taxRows)
    }

    mutating func finish(_ body: Range<Int>, taxRows: [ParsedReceipt.TaxRow]) {
        attachQuantities()
        countWholeWeights(from: body.lowerBound)
        for index in items.indices { KindReader.settle(&items[index], self.lines[items[index].lines[0]]) }
        joinNames()
        bindTexts()
        takeStrayQuantities(body)
        ArticleColumn.take(&items, self.lines)
        ClassColumn.take(&items)
        CountColumn.take(&items, taxRows: taxRows)
        CountColumn.dropUnitPrices(&items)
        DepositCount.take(&items)
        CounterLine.settle(&items)
        doubtSizes()
        doubtLoneNumber(in: body)
    }

    private mutating func take(_ index: Int, classBefore: Bool) {
        if takeOther(index) { return }
        let line = lines[index]
        if line.quantity != nil, line.nameLetters <= 2 || line.has(.handEntry) || line.begins(with: .quantityLabel),
            line.nameBehindQuantity == nil
        {
            return takeQuantity(index)
        }
        guard let price = line.price, !ItemAssembly.isBasePrice(line) else {
            elements.append(.text(line: index))
            return
        }
        if Self.isNumbered(line), price.isExact, let name = takeNameAbove() {
            add(name: name, extra: [index], price: price, at: index, classBefore: false)
            return takePriceOfOne(index)
        }
        guard line.nameLetters >= 2 || line.nameBehindQuantity != nil || line.isPercentOff else {
            if case .text(let name)? = elements.last, price.isExact {
                elements.removeLast()
                return add(name: name, extra: [index], price: price, at: index, classBefore: false)
            }
            if price.isExact, takeThreeRows(amount: price, at: index) { return }
            // The head of a table of weights stands between.
            if index > 0, self.lines[index - 1].has(.weightHeader), price.isExact, let last = skippingOthers(),
                case .text(let name) = elements[last]
            {
                elements[last] = .other
                add(name: name, extra: [index], price: price, at: index, classBefore: false)
                items[items.count - 1].lacksWeight = true
                return
            }
            unexplained.append(index)
            return elements.append(.other)
        }
        if line.begins(with: .rounding), price.isExact, price.value == 0 { return elements.append(.other) }
        if line.has(.coupon), price.value == nil || !price.isExact {
            if HiddenQuantity.isCount(line.line.text[...]) { unexplained.append(index) }
            return elements.append(.other)
        }
        add(name: index, extra: [], price: price, at: index, classBefore: classBefore)
    }

    private mutating func takeQuantity(_ index: Int) {
        let line = lines[index]
        guard let price = line.price else { return elements.append(.quantity(line: index)) }
        if price.value == nil {
            // The damaged total of a name without one: `4 x 3,99  15,9` below `Box 17 l`.
            guard case .text? = elements.last, line.quantity?.product != nil, column != nil else {
                return elements.append(.quantity(line: index))
            }
        }
        // A quantity line with a total of its own belongs to the name above it, not to the number of the pump between.
        if case .text(let label)? = elements.last, lines[label].begins(with: .quantityLabel),
            let name = takeNameAbove()
        {
            add(name: name, extra: [index], price: price, at: index, classBefore: false)
            setQuantity(of: items.count - 1, from: index, origin: .ownLine)
        } else if case .text(let name)? = elements.last {
            elements.removeLast()
            add(name: name, extra: [index], price: price, at: index, classBefore: false)
            setQuantity(of: items.count - 1, from: index, origin: .ownLine)
        } else if let last = skippingOthers(), case .text(let name) = elements[last] {
            elements[last] = .other
            add(name: name, extra: [index], price: price, at: index, classBefore: false)
            setQuantity(of: items.count - 1, from: index, origin: .ownLine)
        } else {
            elements.append(.quantity(line: index))
        }
    }

    /// `PUTENSCHNITZEL`, `0,482 kg x 13,99 EUR/kg`, `6,74 A`: name, quantity and their amount, a row for each.
    private mutating func takeThreeRows(amount price: PriceCell, at index: Int) -> Bool {
        guard elements.count >= 2, case .quantity(let quantity) = elements[elements.count - 1],
            case .text(let name) = elements[elements.count - 2], lines[quantity].price == nil,
            lines[name].line.letterCount >= 3, let phrase = lines[quantity].quantity, let product = phrase.product,
            let value = price.value,
            abs(product.magnitude.distance(to: value.magnitude)) <= (phrase.unit == .piece ? 0 : 1)
        else { return false }
        elements.removeLast(2)
        add(name: name, extra: [quantity, index], price: price, at: index, classBefore: false)
        setQuantity(of: items.count - 1, from: quantity, origin: .ownLine)
        return true
    }

    private func skippingOthers() -> Int? {
        guard let last = elements.indices.last, case .other = elements[last], last > 0 else { return nil }
        return last - 1
    }

    mutating func add(name nameLine: Int, extra: [Int], price: PriceCell, at priceLine: Int, classBefore: Bool) {
        let line = lines[nameLine]
        var range = line.nameRange
        if let column {
            let dirt = column.dirtInFront(line.line)
            if dirt > 0, let start = line.line.wordAt.firstIndex(of: dirt), start < range.upperBound {
                range = start..<range.upperBound
            }
        }
        if let behind = line.nameBehindQuantity { range = behind }
        let isSize = nameLine != priceLine && line.isSize(besides: price.value)
        if isSize { range = range.lowerBound..<line.line.text.count }
        var loose: QuantityPhrase?
        if line.quantity == nil, nameLine == priceLine, let value = price.value {
            loose = LooseQuantity.inline(line, name: range, total: value)
            if let loose { range = range.lowerBound..<max(range.lowerBound, loose.range.lowerBound) }
        }
        var name = NameReader.name(line, range, classBefore: classBefore && price.vat == nil && nameLine == priceLine)
        var vat = price.vat
        if vat == nil { vat = name.vat }
        if nameLine != priceLine, vat == nil {
            let cut = NameReader.trailingClass(name.text)
            name.text = cut.text
            vat = cut.vat
        }
        let pricePlace = Place(
            page: lines[priceLine].line.page, box: lines[priceLine].line.box(price.range),
            confidence: lines[priceLine].line.confidence(price.range))
        var item = DraftItem(
            name: name.text,
            namePlace: Place(page: line.line.page, box: line.line.box(range), confidence: line.line.confidence(range)),
            articleNumber: name.articleNumber, lines: [nameLine] + extra, price: price, pricePlace: pricePlace,
            value: price.value, vat: vat)
        KindReader.decide(&item, line, isTakenBack: isBelowVoid(item.lines))
        items.append(item)
        elements.append(.item(items.count - 1))
        if let loose {
            items[items.count - 1].quantity = DraftQuantity(
                phrase: loose, place: place(line, loose.quantityRange), origin: .inline, isDerived: true)
        }
        if let quantity = line.quantity, !isSize {
            setQuantity(of: items.count - 1, from: nameLine, origin: .inline)
            // The amount that would bear it out stands on another line.
            if nameLine != priceLine, quantity.unitPrice == nil { items[items.count - 1].lacksWeight = true }
        }
        // `3 + 1,55  4,65` below its name: what stands in front of the amount is a quantity that was not understood.
        if nameLine != priceLine, !Self.isNumbered(lines[priceLine], onlyNumber: true),
            lines[priceLine].line.text[..<price.range.lowerBound].contains(where: \.isDigit)
        {
            items[items.count - 1].lacksWeight = true
        }
        // The head of a table of weights and its row became one line.
        if line.has(.weightHeader), line.quantity == nil { items[items.count - 1].lacksWeight = true }
        if HiddenQuantity.isBehindPrice(lines[priceLine]) { unexplained.append(priceLine) }
        if isNoGood(line) || (nameLine == priceLine && isHalfQuantity(line, range)) { unexplained.append(nameLine) }
    }

    mutating func setQuantity(
        of item: Int, from index: Int, origin: DraftQuantity.Origin, isAmbiguous: Bool = false
    ) {
        let line = lines[index]
        guard let phrase = line.quantity else { return }
        items[item].quantity = DraftQuantity(
            phrase: phrase,
            place: Place(
                page: line.line.page, box: line.line.box(phrase.quantityRange),
                confidence: line.line.confidence(phrase.quantityRange)),
            unitPricePlace: phrase.unitPriceRange.map {
                Place(page: line.line.page, box: line.line.box($0), confidence: line.line.confidence($0))
            },
            linePlace: origin == .ownLine
                ? Place(page: line.line.page, box: line.line.box, confidence: 0) : nil,
            phrasePlace: origin == .inline ? place(line, phrase.range) : nil,
            origin: origin, isAmbiguous: isAmbiguous)
        if !items[item].lines.contains(index) { items[item].lines.append(index) }
        // `0,326 kg x 26,5`: a unit price stands there that was not read.
        if phrase.unitPrice == nil, line.price == nil {
            let rest = line.line.text[phrase.range.upperBound...]
            let hasFigure = line.figures.contains { $0.range.lowerBound >= phrase.range.upperBound }
            items[item].lacksWeight = hasFigure || rest.contains { "xX/€".unicodeScalars.contains($0) }
        }
    }

    /// Quantity lines beside the list: above the lines of the head that skew moved in front of the first good, and below
    /// the total.
    private mutating func takeStrayQuantities(_ body: Range<Int>) {
        func isStray(_ line: ReadLine) -> Bool {
            guard let phrase = line.quantity, phrase.unitPrice != nil, line.price == nil else { return false }
            return line.nameLetters <= 2 && line.line.letterCount <= 10 && line.dates.days.isEmpty
                && line.dates.clocks.isEmpty && !line.begins(with: .header) && !line.has(.footer)
        }
        for index in max(0, body.lowerBound - 3)..<body.lowerBound
        where isStray(lines[index]) || Self.isCountedNumber(lines[index]) {
            unexplained.append(index)
        }
        let ends: [Role] = [.payment, .change, .vatHeader, .slip, .footer]
        for index in lines.indices.dropFirst(body.upperBound + 1).prefix(3) {
            if ends.contains(where: lines[index].begins) { break }
            if isStray(lines[index]) { unexplained.append(index) }
        }
    }

    func place(_ line: ReadLine, _ range: Range<Int>) -> Place {
        Place(page: line.line.page, box: line.line.box(range), confidence: line.line.confidence(range))
    }
}
