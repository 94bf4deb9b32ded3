import Domain

/// Lines among the goods that are not goods, such as article counts, subtotals, rules and savings.
extension ItemAssembly {
    /// Adds a line that is neither an item nor a quantity to the elements. Returns false if the line may be either.
    mutating func addOtherLine(_ index: Int) -> Bool {
        guard readsOtherLine(index) else { return false }
        elements.append(.other)
        return true
    }

    /// Whether a line is neither an item nor a quantity. Stores its article count, and records it as unexplained if it
    /// may hold figures of a quantity.
    mutating func readsOtherLine(_ index: Int) -> Bool {
        let line = lines[index]
        if let count = ItemAssembly.count(line) {
            articleCount = count
            return true
        }
        if ItemAssembly.isLoneSign(line) {
            if !isInNeighbourRow(index) { unexplained.append(index) }
            return true
        }
        if line.begins(with: .subtotal) || SectionFinder.isTotal(line) || SectionFinder.isColumnHeader(line)
            || (line.has(.weightHeader) && line.figures.isEmpty)
        {
            return true
        }
        // The tare is already deducted from the price.
        if line.begins(with: .tare), line.quantity?.product == nil {
            // `Tara 0,004 kg Netto 0,256 kg` also holds the weight of the item.
            if line.figures.count > 1 { unexplained.append(index) }
            return true
        }
        if ItemAssembly.isRule(line) || ItemAssembly.isArticleNumber(line) || ItemAssembly.isTareAlone(line) {
            return true
        }
        // A note such as `statt 9,99` or `Sie sparen 1,00` without a minus sign does not reduce the total.
        guard line.amounts.count == 1, let amount = line.amounts.first, !amount.isNegative,
            let word = line.roles[.saved]
        else { return false }
        // The word is directly before the amount: `Aktion statt 1,20`.
        return line.begins(with: .saved)
            || (word.distance == 0 && line.quantity == nil
                && word.words.upperBound + 1 == line.line.wordIndices(amount.range).lowerBound)
    }
}
