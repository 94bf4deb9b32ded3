import Domain
import Recognition

/// Lines among the items that are not items, such as article counts, subtotals, rules and savings, and items that were
/// read from such lines.
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
            || ItemAssembly.isWeightHeader(line)
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
        return ItemAssembly.isNote(line)
    }

    /// Whether the line is a note such as `statt 9,99` or `Sie sparen 1,00`, which does not reduce the total because it
    /// has no minus sign.
    static func isNote(_ line: ReadLine) -> Bool {
        guard line.amounts.count == 1, let amount = line.amounts.first, !amount.isNegative,
            let word = line.roles[.saved]
        else { return false }
        if line.begins(with: .saved) { return true }
        // The word is directly before the amount: `Aktion statt 1,20`. `Kaffee regulär 3,20` and `Eintritt Normalpreis
        // 9,00` are items, and notes have no tax class.
        return word.distance == 0 && line.quantity == nil && line.price?.vatClass == nil
            && word.words.upperBound + 1 == line.line.wordIndices(amount.range).lowerBound
            && !endsNames.contains(line.line.skeletons[word.words.lowerBound])
    }

    /// Words of notes that also end names of items.
    private static let endsNames = Set(["REGULÄR", "NORMALPREIS"].map { Skeleton.of($0.unicodeScalars) })

    /// Whether a payment, a tax row or a currency was read as an item. Items above it may then be missing.
    func isNotItem(_ line: ReadLine) -> Bool {
        if Role.closing.contains(where: { line.begins(with: $0) && line.roles[$0]?.distance == 0 }) {
            return !isNamedByPayment(line)
        }
        // `zzgl. 19% MwSt  1,90`: the prices are net.
        if IncludedTax.isTax(line) { return true }
        // `Reis 400g` is similar to the header `Preis`, so a short header must match exactly. `BETRAC EUR` is a misread
        // header.
        guard let header = line.roles[.columnHeader],
            header.distance == 0
                || (header.words.count > 1 && line.line.skeletons[header.words.lowerBound].count >= 6)
        else { return false }
        return [header.words].contains { words in
            let rest = line.line.wordAt[line.nameRange].indices.count {
                line.line.text[$0].isLatinLetter && !words.contains(line.line.wordAt[$0])
            }
            return rest < 2
        }
    }

    /// Whether a payment word is only the beginning of an item's name, `Karte Geburtstag  2,95 A`: more words follow,
    /// and the line has a tax class like other items.
    private func isNamedByPayment(_ line: ReadLine) -> Bool {
        guard let payment = line.roles[.payment], line.begins(with: .payment), let vatClass = line.price?.vatClass,
            [Role.change, .vatHeader, .slip].allSatisfy({ !line.begins(with: $0) })
        else { return false }
        let rest = line.line.words[(payment.words.upperBound + 1)...].prefix { word in
            word.box.maxX <= line.line.box(line.price?.range ?? 0..<0).x
        }
        return rest.filter { !["EUR", "EURO", "CHF"].contains($0.text.uppercased()) }.letterCount > 3
            && lines.count(where: { $0.price?.isExact ?? false && $0.price?.vatClass == vatClass }) >= 2
    }

    /// Whether the second half of a quantity line was read as the name: `19,90 €/kg  24,56 A`.
    func isHalfQuantity(_ line: ReadLine, _ range: Range<Int>) -> Bool {
        guard line.quantity == nil else { return false }
        let words = line.line.string(range).lowercased().split { !$0.isLetter }
        return line.line.text[range].contains(where: \.isDigit) && words.contains("kg")
            && words.allSatisfy { ["eur", "euro", "chf", "kg", "x", "stk", "st", "je", "a"].contains($0) }
    }

    /// Whether a heading such as `Zeilenstorno` is above the item's first line. A quantity line may be between them.
    func isBelowVoid(_ own: [Int]) -> Bool {
        guard var above = own.min().map({ $0 - 1 }) else { return false }
        if let line = lines[safe: above], line.quantity != nil, line.price == nil, line.nameLetterCount <= 2 {
            above -= 1
        }
        return lines[safe: above].map(CancellationLine.isHeading) ?? false
    }
}
