import Domain

/// Quantities that stand on lines of their own: whose they are.
extension ItemAssembly {
    mutating func attachQuantities() {
        direction = majority()
        for position in elements.indices {
            guard case .quantity(let line) = elements[position], let phrase = lines[line].quantity else { continue }
            let above = nearestItem(from: position, step: -1)
            let below = nearestItem(from: position, step: 1)
            let isWeightOnly = phrase.unitPrice == nil
            let fitsAbove = !isWeightOnly && above.map { fits(phrase, items[$0]) } ?? false
            let fitsBelow = !isWeightOnly && below.map { fits(phrase, items[$0]) } ?? false
            var owner: Int?
            var isAmbiguous = false
            switch (fitsAbove, fitsBelow) {
            case (true, false):
                owner = above
                // `1 x 1,29` below its item where the others stand above theirs: one of both figures was misread.
                isAmbiguous = direction == .above
            case (false, true):
                owner = below
                isAmbiguous = direction == .below
            case (true, true):
                owner = direction == .above ? below : above
                isAmbiguous = direction == nil
            case (false, false):
                let isBelow = direction == .above || (direction == nil && isMisread(phrase, of: below, not: above))
                owner = isBelow ? below : direction == .below ? above : above ?? below
            }
            guard let owner, items[owner].quantity == nil else {
                unexplained.append(line)
                continue
            }
            if saysOtherTotal(line, than: items[owner]) { isAmbiguous = true }
            setQuantity(of: owner, from: line, origin: .ownLine, isAmbiguous: isAmbiguous)
        }
    }

    /// The line has a total of its own, `0,204 5,89 1,20`, and it is not that of the item.
    private func saysOtherTotal(_ line: Int, than item: DraftItem) -> Bool {
        guard let phrase = lines[line].quantity, let price = lines[line].price, let own = price.value,
            price.range.lowerBound >= phrase.range.upperBound, let product = phrase.product, let value = item.value
        else { return false }
        return own.magnitude != value.magnitude && product.magnitude.distance(to: own.magnitude).magnitude <= 1
    }

    /// Which way the quantity lines of this receipt belong, by their arithmetic; else what is known of the chain.
    private func majority() -> ChainFacts.QuantityPlace? {
        var above = 0
        var below = 0
        for position in elements.indices {
            guard case .quantity(let line) = elements[position], let phrase = lines[line].quantity else { continue }
            let fitsAbove = nearestItem(from: position, step: -1).map { fits(phrase, items[$0]) } ?? false
            let fitsBelow = nearestItem(from: position, step: 1).map { fits(phrase, items[$0]) } ?? false
            // The quantity stands below its item when the item is above it.
            if fitsAbove, !fitsBelow { below += 1 }
            if fitsBelow, !fitsAbove { above += 1 }
        }
        if above != below { return above > below ? .above : .below }
        return place == .inline ? nil : place
    }

    private func fits(_ phrase: QuantityPhrase, _ item: DraftItem) -> Bool {
        guard let product = phrase.product, let value = item.value, item.quantity == nil else { return false }
        return abs(product.magnitude.distance(to: value.magnitude)) <= (phrase.unit == .piece ? 0 : 1)
    }

    private func nearestItem(from position: Int, step: Int) -> Int? {
        var index = position + step
        while elements.indices.contains(index) {
            switch elements[index] {
            case .item(let item): return item
            case .quantity: return nil
            case .text, .other: index += step
            }
        }
        return nil
    }

    /// Text that belongs to nothing: headings are let be, everything that may hide a figure is said.
    mutating func bindTexts() {
        for position in elements.indices {
            guard case .text(let index) = elements[position], !Self.isHarmless(lines[index]) else { continue }
            if bindLoose(index, at: position) { continue }
            unexplained.append(index)
        }
    }

    /// A damaged quantity line that only one neighbour explains.
    private mutating func bindLoose(_ index: Int, at position: Int) -> Bool {
        let neighbours = [nearestItem(from: position, step: -1), nearestItem(from: position, step: 1)].compactMap { $0 }
        var fitting = neighbours.compactMap { item -> (Int, QuantityPhrase)? in
            guard items[item].quantity == nil, let value = items[item].value else { return nil }
            return LooseQuantity.ownLine(lines[index], total: value).map { (item, $0) }
        }
        if fitting.count == 2, let direction {
            fitting = direction == .above ? [fitting[1]] : [fitting[0]]
        }
        guard fitting.count == 1, let (item, phrase) = fitting.first else { return false }
        items[item].quantity = DraftQuantity(
            phrase: phrase, place: place(lines[index], phrase.quantityRange),
            unitPricePlace: phrase.unitPriceRange.map { place(lines[index], $0) },
            linePlace: Place(page: lines[index].line.page, box: lines[index].line.box, confidence: 0), origin: .ownLine,
            isDerived: phrase.unitPriceRange == nil || phrase.isCountImplied)
        items[item].lines.append(index)
        return true
    }
}
