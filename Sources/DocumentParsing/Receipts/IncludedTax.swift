import Domain
import Recognition

/// Tax lines printed between the items and their total: `inkl. 19% MwSt  1,58`, or rows of the tax table.
enum IncludedTax {
    /// Removes the tax lines if the items alone add up to the total. With net prices, the tax is part of the total, so
    /// its lines stay.
    ///
    /// - Returns: the indices of the removed lines.
    static func drop(from drafts: inout [DraftItem], _ lines: [ReadLine], total: Int64?) -> Set<Int> {
        guard let total, drafts.sum != total else { return [] }
        let items = drafts.filter { draft in !draft.lines.contains { isTax(lines[$0]) } }
        guard !items.isEmpty, items.count < drafts.count, items.sum == total else { return [] }
        let taxes = drafts.filter { draft in draft.lines.contains { isTax(lines[$0]) } }
        drafts = items
        return Set(taxes.flatMap(\.lines))
    }

    /// Whether the line has only a tax word and `fillerWords`, or is a row of the tax table with amounts that add up.
    static func isTax(_ line: ReadLine) -> Bool {
        guard line.price?.value ?? 0 >= 0, line.price?.vatClass == nil, !line.has(.discount), !line.has(.coupon) else {
            return false
        }
        if let match = [Role.vatHeader, .tax].lazy.compactMap({ line.roles[$0] }).first(where: { $0.distance == 0 }) {
            return line.line.words.indices.allSatisfy { index in
                match.words.contains(index)
                    || fillerWords.contains(line.line.words[index].text.uppercased().filter(\.isLetter))
            }
        }
        let amounts = line.amounts.compactMap(\.amount).suffix(3).sorted()
        return amounts.count == 3 && line.figures.contains(where: \.isPercent) && line.line.letterCount <= 2
            && amounts[0] + amounts[1] == amounts[2]
    }

    /// Words that may be beside the tax word; a single letter is a class.
    private static let fillerWords = Set(
        [
            "", "A", "B", "C", "D", "E", "ENTH", "ENTHALTEN", "ENTHALTENE", "ENTHÄLT", "INKL", "INCL", "INKLUSIVE",
            "DAVON", "DARIN", "ZZGL", "ZUZÜGL", "ZUZÜGLICH", "ZUZUEGLICH", "PLUS", "IN", "IM", "DER", "DIE", "SIND",
            "IST", "VON", "AUS", "AUF", "NETTO", "BRUTTO", "STEUER", "SATZ", "BETRAG", "GESETZL", "GESETZLICHE", "EUR",
            "EURO", "CHF", "MWST", "UST",
        ])
}
