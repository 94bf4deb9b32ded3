import Domain

/// Lines among the goods that are not goods, such as article counts, subtotals, rules and savings.
extension ItemAssembly {
    /// Adds a line that is neither an item nor a quantity to the elements. Returns false if the line may be either.
    mutating func addOtherLine(_ index: Int) -> Bool {
        let count = elements.count
        classifyOtherLine(index)
        return elements.count > count
    }

    private mutating func classifyOtherLine(_ index: Int) {
        let line = lines[index]
        if let count = ItemAssembly.count(line) {
            articleCount = count
            return elements.append(.other)
        }
        if ItemAssembly.isLoneSign(line) {
            if !isInNeighbourRow(index) { unexplained.append(index) }
            return elements.append(.other)
        }
        if line.begins(with: .subtotal) || SectionFinder.isTotal(line) || SectionFinder.isColumnHeader(line) {
            return elements.append(.other)
        }
        if line.has(.weightHeader), line.figures.isEmpty { return elements.append(.other) }
        // The tare is already deducted from the price.
        if line.begins(with: .tare), line.quantity?.product == nil {
            // `Tara 0,004 kg Netto 0,256 kg` also holds the weight of the item.
            if line.figures.count > 1 { unexplained.append(index) }
            return elements.append(.other)
        }
        if ItemAssembly.isRule(line) || ItemAssembly.isArticleNumber(line) || ItemAssembly.isTareAlone(line) {
            return elements.append(.other)
        }
        // A note such as `statt 9,99` or `Sie sparen 1,00` without a minus sign does not reduce the total.
        if line.amounts.count == 1, let amount = line.amounts.first, !amount.isNegative, let word = line.roles[.saved],
            line.begins(with: .saved)
                // The word is directly before the amount: `Aktion statt 1,20`.
                || (word.distance == 0 && line.quantity == nil
                    && word.words.upperBound + 1 == line.line.wordIndices(amount.range).lowerBound)
        {
            return elements.append(.other)
        }
    }
}
