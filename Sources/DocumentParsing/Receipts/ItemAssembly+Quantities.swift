import Domain
import Recognition

/// A quantity line that fits one item: its quantity × unit price is the amount of the item. The direction says whether
/// the line is above or below the item.
struct Vote {
    /// The index of the quantity line in `elements`.
    var position: Int
    var direction: ChainFacts.QuantityPlace
    var unit: MeasureUnit
}

/// Assigns quantity lines to their items.
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
                // `1 x 1,29` below its item although the other quantity lines are above their items: quantity or unit
                // price may be misread. This does not apply to weights: tills that print counts above may print weights
                // below, and a weight with three decimals rarely fits the wrong item.
                isAmbiguous = direction == .above && phrase.unit == .piece
            case (false, true):
                owner = below
                isAmbiguous = direction == .below && phrase.unit == .piece
            case (true, true):
                owner = direction == .above ? below : above
                isAmbiguous = direction.map { !isDirectionCertain($0, of: phrase.unit, at: position) } ?? true
            case (false, false):
                owner = direction == .above ? below : direction == .below ? above : above ?? below
                // Weights may be printed above or below; manually entered ones are always below.
                isAmbiguous =
                    isWeightOnly && direction == nil && place == nil && !lines[line].has(.handEntry)
                    && lacksQuantity(above) && lacksQuantity(below)
            }
            if let found = owners[line], found != owner {
                owner = found
                isAmbiguous = true
            }
            guard let owner, items[owner].quantity == nil else {
                unexplained.append(line)
                continue
            }
            if printsOtherTotal(line, than: items[owner]) { isAmbiguous = true }
            setQuantity(of: owner, from: line, origin: .ownLine, isAmbiguous: isAmbiguous)
        }
    }

    private func lacksQuantity(_ item: Int?) -> Bool {
        item.map { items[$0].kind == .item && items[$0].quantity == nil } ?? false
    }

    /// Whether the direction is certain. The chain is known to use it, or other quantity lines show it: one line of the
    /// same kind (pieces or weights), or two lines of any kind.
    private func isDirectionCertain(
        _ direction: ChainFacts.QuantityPlace, of unit: MeasureUnit, at position: Int
    ) -> Bool {
        if place == direction { return true }
        let others = votes.filter { $0.position != position && $0.direction == direction }
        return others.count >= 2 || others.contains { ($0.unit == .piece) == (unit == .piece) }
    }

    /// Whether the quantity line prints a total, `0,204 5,89 1,20`, that differs from the item's amount.
    private func printsOtherTotal(_ line: Int, than item: DraftItem) -> Bool {
        guard let phrase = lines[line].quantity, let price = lines[line].price, let own = price.value,
            price.range.lowerBound >= phrase.range.upperBound, let product = phrase.product, let value = item.value
        else { return false }
        return own.magnitude != value.magnitude && product.magnitude.distance(to: own.magnitude).magnitude <= 1
    }

    /// Returns the direction that most quantity lines of this receipt indicate, otherwise the chain's known direction.
    private func majority() -> ChainFacts.QuantityPlace? {
        let above = votes.count { $0.direction == .above }
        let below = votes.count - above
        if above != below { return above > below ? .above : .below }
        return place == .inline ? nil : place
    }

    /// Returns a vote for each quantity line that fits exactly one neighbour.
    private func findVotes() -> [Vote] {
        elements.indices.compactMap { position in
            guard case .quantity(let line) = elements[position], let phrase = lines[line].quantity else { return nil }
            let fitsAbove = nearestItem(from: position, step: -1).map { fits(phrase, items[$0]) } ?? false
            let fitsBelow = nearestItem(from: position, step: 1).map { fits(phrase, items[$0]) } ?? false
            guard fitsAbove != fitsBelow else { return nil }
            // If the item above fits, the quantity is printed below its item.
            return Vote(position: position, direction: fitsAbove ? .below : .above, unit: phrase.unit)
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

    /// Records as unexplained the text lines that belong to no item and may contain a figure. Ignores headings.
    mutating func recordUnexplainedTexts() {
        for position in elements.indices {
            guard case .text(let index) = elements[position] else { continue }
            if Self.cannotHoldFigures(lines[index]) {
                if mayBeLostQuantity(index, at: position) { unexplained.append(index) }
                continue
            }
            if assignDamaged(index, at: position) { continue }
            unexplained.append(index)
        }
    }

    /// Whether a line without figures may be the badly read quantity line of an adjacent item.
    private func mayBeLostQuantity(_ index: Int, at position: Int) -> Bool {
        [-1, 1].contains { lacksQuantity(nearestItem(from: position, step: $0)) }
            && (HiddenQuantity.isReadBadly(lines[index], among: lines)
                || HiddenQuantity.isReadAsLetters(lines[index].line.string))
    }

    /// Assigns a damaged quantity line to its neighbour if only one fits.
    private mutating func assignDamaged(_ index: Int, at position: Int) -> Bool {
        let neighbours = [nearestItem(from: position, step: -1), nearestItem(from: position, step: 1)].compactMap { $0 }
        var fitting = neighbours.compactMap { item -> (Int, QuantityPhrase)? in
            guard items[item].quantity == nil, let value = items[item].value else { return nil }
            return LooseQuantity.ownLine(lines[index], total: value).map { (item, $0) }
        }
        if fitting.count == 2, let direction { fitting = direction == .above ? [fitting[1]] : [fitting[0]] }
        guard fitting.count == 1, let (item, phrase) = fitting.first else { return false }
        let line = lines[index].line
        items[item].quantity = DraftQuantity(
            phrase: phrase, place: line.place(phrase.quantityRange),
            unitPricePlace: phrase.unitPriceRange.map { line.place($0) }, linePlace: line.place, origin: .ownLine,
            isAmbiguous: isSizeOrOffer(lines[index], phrase) || isCountLost(lines[index], phrase),
            isDerived: phrase.unitPriceRange == nil || phrase.isCountImplied)
        items[item].lines.append(index)
        return true
    }

    /// Whether the count was lost, as in `x 2,49`; the line may belong to an item that was not read.
    private func isCountLost(_ line: ReadLine, _ phrase: QuantityPhrase) -> Bool {
        phrase.isCountImplied && line.line.text[phrase.quantityRange].count { $0 != " " } == 1
    }

    /// Whether the phrase is a package size or an offer, even if quantity × unit price is the amount: `Packung 10 Stk
    /// 0,35`, `Aktion: 2 Stück nur 0,99`, `20 Beutel 0,10`.
    private func isSizeOrOffer(_ line: ReadLine, _ phrase: QuantityPhrase) -> Bool {
        let front = line.line.text[..<phrase.quantityRange.lowerBound]
        if front.count(where: \.isLatinLetter) >= 4, !line.begins(with: .quantityLabel) { return true }
        guard let price = phrase.unitPriceRange, phrase.quantityRange.upperBound <= price.lowerBound else {
            return false
        }
        let between = line.line.string(phrase.quantityRange.upperBound..<price.lowerBound).lowercased()
        return Lexicon.packages.contains(where: between.contains)
    }

    /// Changes whole kilograms without a printed unit to pieces if at least two items have them, because some tills
    /// print counts with three decimals: `2,000 x 1,49`. A single one is marked as ambiguous.
    mutating func countWholeWeights(from start: Int) {
        let printsWeights =
            lines[..<start].contains { Self.namesKilogram($0) } || lines.contains { $0.has(.weightHeader) }
        guard !printsWeights else { return }
        let whole = items.indices.filter { index in
            guard let phrase = items[index].quantity?.phrase else { return false }
            return phrase.unit == .kilogram && phrase.quantity.isMultiple(of: 1_000) && phrase.unitPrice != nil
                && !items[index].lines.contains { Self.namesKilogram(lines[$0]) }
        }
        for index in whole {
            if whole.count >= 2 {
                items[index].quantity?.phrase.unit = .piece
            } else {
                items[index].quantity?.isAmbiguous = true
            }
        }
    }

    private static func namesKilogram(_ line: ReadLine) -> Bool {
        line.line.string.lowercased().split { !$0.isLetter }.contains("kg")
    }
}
