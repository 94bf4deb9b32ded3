import Domain
import Recognition

extension ItemAssembly {
    /// A payment, a row of the tax table or a bare currency where goods should stand: the list above it is cut off.
    func isNoGood(_ line: ReadLine) -> Bool {
        let others: [Role] = [.payment, .change, .vatHeader, .slip]
        if others.contains(where: { line.begins(with: $0) && line.roles[$0]?.distance == 0 }) {
            return !isNamedByPayment(line)
        }
        // `zzgl. 19% MwSt  1,90`: the prices are net.
        if IncludedTax.isTax(line) { return true }
        return (line.roles[.columnHeader]?.words).map { words in
            let rest = line.line.wordAt[line.nameRange].indices.count {
                line.line.text[$0].isLatinLetter && !words.contains(line.line.wordAt[$0])
            }
            return rest < 2
        } ?? false
    }

    /// `Karte Geburtstag  2,95 A`: more than the word of a payment, and a class as other goods have it.
    private func isNamedByPayment(_ line: ReadLine) -> Bool {
        guard let payment = line.roles[.payment], line.begins(with: .payment), let vat = line.price?.vat,
            [Role.change, .vatHeader, .slip].allSatisfy({ !line.begins(with: $0) })
        else { return false }
        let rest = line.line.words[(payment.words.upperBound + 1)...].prefix { word in
            word.box.maxX <= line.line.box(line.price?.range ?? 0..<0).x
        }
        let letters = rest.filter { !["EUR", "EURO", "CHF"].contains($0.text.uppercased()) }
            .reduce(0) { $0 + $1.text.count(where: \.isLetter) }
        return letters > 3 && lines.count(where: { $0.price?.isExact ?? false && $0.price?.vat == vat }) >= 2
    }

    /// `19,90 €/kg  24,56 A`: the second half of a quantity line in the place of a name.
    func isHalfQuantity(_ line: ReadLine, _ range: Range<Int>) -> Bool {
        guard line.quantity == nil else { return false }
        let words = line.line.string(range).lowercased().split { !$0.isLetter }
        return line.line.text[range].contains(where: \.isDigit) && words.contains("kg")
            && words.allSatisfy { ["eur", "euro", "chf", "kg", "x", "stk", "st", "je", "a"].contains($0) }
    }

    /// `Zeilenstorno` stands above the first of its lines, or above the quantity between.
    func isBelowVoid(_ own: [Int]) -> Bool {
        guard var above = own.min().map({ $0 - 1 }) else { return false }
        if let line = lines[safe: above], line.quantity != nil, line.price == nil, line.nameLetters <= 2 { above -= 1 }
        return lines[safe: above].map(CounterLine.isHeading) ?? false
    }
}
