/// Finds the first item line and the total that ends the items.
enum SectionFinder {
    /// The index of the first line of the items, and of the total; nil without a total.
    static func goods(_ lines: [ReadLine]) -> (start: Int, total: Int?) {
        let total = lines.indices.first { index in
            (isTotal(lines[index]) || isTotalWord(lines, above: index))
                && lines[..<index].contains { looksLikeItem($0) || isColumnHeader($0) }
        }
        let end = total.map { isTotalWord(lines, above: $0) ? $0 - 1 : $0 } ?? bodyEndWithoutTotal(lines)
        return (bodyStart(lines, before: end), total)
    }

    /// The end of the items if no total was found: the first payment, tax table or card slip after the first item.
    private static func bodyEndWithoutTotal(_ lines: [ReadLine]) -> Int {
        // The amount of an item may follow its quantity, with the name on the line above. A payment is not an item.
        let first = lines.firstIndex { line in
            !line.begins(with: .payment) && looksLikeItem(line) || line.quantity != nil && line.price?.isExact ?? false
        }
        guard let firstItem = first else { return 0 }
        return lines.indices.first { index in
            guard index > firstItem else { return false }
            let line = lines[index]
            return line.begins(with: .payment) && line.price != nil || line.begins(with: .change)
                || line.begins(with: .vatHeader)
                || line.begins(with: .slip) || isTableHead(line)
        } ?? lines.count
    }

    /// Whether the line is the header of the tax table, perhaps damaged: `AnSt-Satz  Brutto  Netto  MwSt`.
    static func isTableHead(_ line: ReadLine) -> Bool {
        guard line.has(.vatHeader), line.figures.isEmpty else { return false }
        let words = line.line.string.uppercased().split { !$0.isLetter }
        return words.contains("NETTO") && words.contains("BRUTTO")
    }

    /// The first line of the items: below a column header, or the first line that looks like an item.
    private static func bodyStart(_ lines: [ReadLine], before end: Int) -> Int {
        // The currency above the price column starts the list; `SUMME EUR` and `BAR EUR` end it.
        if let header = lines[..<end].indices.first(where: { isColumnHeader(lines[$0]) }),
            lines[..<header].count(where: looksLikeItem) < 2
        {
            return header + 1
        }
        return lines[..<end].indices.first { looksLikeItem(lines[$0]) } ?? end
    }

    static func isColumnHeader(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.columnHeader], line.amounts.isEmpty, line.line.digitCount <= 2,
            // `2 x €`: a quantity whose price was not read.
            !HiddenQuantity.isCount(line.line.text[...]),
            ![.total, .subtotal, .payment, .change].contains(where: line.begins)
        else { return false }
        return line.line.characters(outside: match) <= 6
    }

    static func looksLikeItem(_ line: ReadLine) -> Bool {
        guard let price = line.price, price.isExact, !line.has(.hours), !line.begins(with: .header),
            !line.isDated
        else { return false }
        return line.nameLetters >= 2 || line.nameAfterQuantity != nil
    }
}
