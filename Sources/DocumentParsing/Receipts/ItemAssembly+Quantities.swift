import Domain
import Recognition

/// Which side of its item a quantity line stands on, as its arithmetic says.
struct Vote {
    var position: Int
    var way: ChainFacts.QuantityPlace
    var unit: MeasureUnit
}

/// Quantities that stand on lines of their own: whose they are.
extension ItemAssembly {
    mutating func attachQuantities() {
        votes = findVotes()
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
                // Tills that print counts above may print weights below: three digits fit no other good by chance.
                isAmbiguous = direction == .above && phrase.unit == .piece
            case (false, true):
                owner = below
                isAmbiguous = direction == .below && phrase.unit == .piece
            case (true, true):
                owner = direction == .above ? below : above
                isAmbiguous = direction.map { !isSure($0, of: phrase.unit, at: position) } ?? true
            case (false, false):
                owner = direction == .above ? below : direction == .below ? above : above ?? below
                // Nothing tells whether weights stand above or below; what was keyed in by hand stands below.
                isAmbiguous =
                    isWeightOnly && direction == nil && place == nil && !lines[line].has(.handEntry)
                    && isOpen(above) && isOpen(below)
            }
            if let found = owners[line], found != owner {
                owner = found
                isAmbiguous = true
            }
            guard let owner, items[owner].quantity == nil else {
                unexplained.append(line)
                continue
            }
            if saysOtherTotal(line, than: items[owner]) { isAmbiguous = true }
            setQuantity(of: owner, from: line, origin: .ownLine, isAmbiguous: isAmbiguous)
        }
    }

    private func isOpen(_ item: Int?) -> Bool {
        item.map { items[$0].kind == .item && items[$0].quantity == nil } ?? false
    }

    /// Other lines of this unit go the same way, or two of another, or the chain is known for it.
    private func isSure(_ way: ChainFacts.QuantityPlace, of unit: MeasureUnit, at position: Int) -> Bool {
        if place == way { return true }
        let others = votes.filter { $0.position != position && $0.way == way }
        return others.count >= 2 || others.contains { ($0.unit == .piece) == (unit == .piece) }
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
        let above = votes.count { $0.way == .above }
        let below = votes.count - above
        if above != below { return above > below ? .above : .below }
        return place == .inline ? nil : place
    }

    /// The sides on which the quantity lines stand that fit only one neighbour.
    private func findVotes() -> [Vote] {
        elements.indices.compactMap { position in
            guard case .quantity(let line) = elements[position], let phrase = lines[line].quantity else { return nil }
            let fitsAbove = nearestItem(from: position, step: -1).map { fits(phrase, items[$0]) } ?? false
            let fitsBelow = nearestItem(from: position, step: 1).map { fits(phrase, items[$0]) } ?? false
            guard fitsAbove != fitsBelow else { return nil }
            // The quantity stands below its item when the item is above it.
            return Vote(position: position, way: fitsAbove ? .below : .above, unit: phrase.unit)
        }
    }

    private func fits(_ phrase: QuantityPhrase, _ item: DraftItem) -> Bool {
        guard let value = item.searched?.value ?? item.value, item.quantity == nil else { return false }
        return phrase.makes(value)
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

    /// Notes text lines that belong to no item and may hide a figure; headings are ignored.
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
            isAmbiguous: saysSize(lines[index], phrase) || isCountLost(lines[index], phrase),
            isDerived: phrase.unitPriceRange == nil || phrase.isCountImplied)
        items[item].lines.append(index)
        return true
    }

    /// `x 2,49`: nothing is left of the count, and the line may belong to a good that was not read.
    private func isCountLost(_ line: ReadLine, _ phrase: QuantityPhrase) -> Bool {
        phrase.isCountImplied && line.line.text[phrase.quantityRange].count { $0 != " " } == 1
    }

    /// `Packung 10 Stk 0,35`, `Aktion: 2 Stück nur 0,99`, `20 Beutel 0,10`: what is in one, or what others would cost, even
    /// where it makes the amount.
    private func saysSize(_ line: ReadLine, _ phrase: QuantityPhrase) -> Bool {
        let front = line.line.text[..<phrase.quantityRange.lowerBound]
        if front.count(where: \.isLatinLetter) >= 4, !line.begins(with: .quantityLabel) { return true }
        guard let price = phrase.unitPriceRange, phrase.quantityRange.upperBound <= price.lowerBound else {
            return false
        }
        let between = line.line.string(phrase.quantityRange.upperBound..<price.lowerBound).lowercased()
        return [
            "beutel", "tabs", "tabletten", "kapseln", "rollen", "blatt", "pads", "tücher", "tuecher", "windeln",
            "punkte",
            "=", "nur",
        ].contains(where: between.contains)
    }
}
