/// Finds where the items begin and where the total ends them.
enum SectionFinder {
    static func sections(_ lines: [ReadLine]) -> Sections {
        let total = totalLine(lines)
        let end = total.map { isTotalWord(lines, above: $0) ? $0 - 1 : $0 } ?? bodyEndWithoutTotal(lines)
        let start = bodyStart(lines, before: end)
        let tail = total.map { ($0 + 1)..<lines.count } ?? end..<lines.count
        return Sections(head: 0..<start, body: start..<end, total: total, tail: tail)
    }

    static func hasItem(_ lines: [ReadLine], before end: Int) -> Bool {
        lines[..<end].contains { looksLikeItem($0) || isColumnHeader($0) } || damagedStart(lines, before: end) != nil
            || splitItem(lines, before: end) != nil
    }

    /// Without one clean price: the first damaged one below the address.
    private static func damagedStart(_ lines: [ReadLine], before end: Int) -> Int? {
        let address = lines[..<end].indices.last { index in
            let line = lines[index]
            return line.begins(with: .header) || line.has(.hours) || !line.dates.days.isEmpty
                || !line.dates.clocks.isEmpty
                || StoreReader.isTown(line)
        }
        guard let address else { return nil }
        return lines[(address + 1)..<max(address + 1, end)].indices.first { index in
            lines[index].price != nil
                && lines[index].line.text[lines[index].nameRange].count(where: \.isLatinLetter) >= 3
        }
    }

    private static func bodyEndWithoutTotal(_ lines: [ReadLine]) -> Int {
        // The amount of a good may stand behind its quantity, the name above; a payment is no good.
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

    /// `AnSt-Satz  Brutto  Netto  MwSt`: the head of the tax table, its first word damaged.
    static func isTableHead(_ line: ReadLine) -> Bool {
        guard line.has(.vatHeader), line.figures.isEmpty else { return false }
        let words = line.line.string.uppercased().split { !$0.isLetter }
        return words.contains("NETTO") && words.contains("BRUTTO")
    }

    private static func bodyStart(_ lines: [ReadLine], before end: Int) -> Int {
        // The currency over the price column opens the list; `SUMME EUR` and `BAR EUR` close it.
        if let header = lines[..<end].indices.first(where: { isColumnHeader(lines[$0]) }),
            lines[..<header].count(where: looksLikeItem) < 2
        {
            return header + 1
        }
        guard let first = lines[..<end].indices.first(where: { looksLikeItem(lines[$0]) }) else {
            return splitItem(lines, before: end) ?? damagedStart(lines, before: end) ?? end
        }
        // A quantity line or a name that stands above the first price belongs to it.
        var start = first
        // A name with its amount on the line below it.
        if let name = splitItem(lines, before: first) { start = name }
        while start > 0, opensItem(lines, start - 1) || isDatedGood(lines, start - 1, above: lines[first]) {
            start -= 1
        }
        // `4388427576844` between two goods of which the upper has a damaged amount.
        while start > 1, ItemAssembly.isArticleNumber(lines[start - 1]), opensItem(lines, start - 2) {
            start -= 2
            while start > 0, opensItem(lines, start - 1) { start -= 1 }
        }
        if start > 0, lines[start].price == nil || lines[start].nameRange.count < 3 {
            let above = lines[start - 1]
            if above.line.digitCount == 0, above.line.letterCount >= 3 { start -= 1 }
        } else if start > 0, ItemAssembly.isNumbered(lines[start]), mayBeName(lines[start - 1]) {
            start -= 1
        }
        return start
    }

    /// The first name whose amount, perhaps behind a quantity, stands alone on the line below it.
    private static func splitItem(_ lines: [ReadLine], before end: Int) -> Int? {
        lines[..<end].indices.dropLast().first { index in
            let name = lines[index]
            var below = lines[index + 1]
            // A row for the quantity or the number of the pump between them.
            if index + 2 < end, below.price == nil,
                (below.quantity != nil && below.nameLetters <= 2) || below.begins(with: .quantityLabel)
            {
                below = lines[index + 2]
            }
            if name.begins(with: .quantityLabel), index > 0, mayBeName(lines[index - 1]) { return false }
            guard let price = below.price, price.isExact,
                below.line.text[below.nameRange].allSatisfy({ !$0.isLatinLetter }),
                below.dates.days.isEmpty, below.dates.clocks.isEmpty,
                // `2 x 2,20  10%  4,40`: the rate of the good.
                below.quantity?.product != nil || !below.figures.contains(where: \.isPercent)
            else { return false }
            // An article number may stand in front.
            let words = name.line.text.split(separator: " ")
            let isNumbered = words.count > 1 && words[0].count >= 5 && words[0].allSatisfy(\.isDigit)
            let figures = words.dropFirst(isNumbered ? 1 : 0).reduce(0) { $0 + $1.count(where: \.isDigit) }
            return !(name.price?.isExact ?? false) && (name.quantity == nil || name.nameLetters >= 3)
                && name.line.letterCount > figures && mayBeName(name)
        }
    }

    /// Words that are none of the shop's address, nor of a till's.
    private static func mayBeName(_ name: ReadLine) -> Bool {
        name.line.letterCount >= 3 && !name.begins(with: .header) && !name.has(.hours)
            && !name.has(.footer) && name.dates.days.isEmpty && name.dates.clocks.isEmpty
            && !StoreReader.isTown(name) && !StoreReader.isStreet(name.line.string) && !isColumnHeader(name)
            && ![.total, .subtotal, .payment, .change, .vatHeader].contains(where: name.begins)
    }

    /// A quantity line, the head or a row of a table of weights, or the name above it.
    private static func opensItem(_ lines: [ReadLine], _ index: Int) -> Bool {
        let line = lines[index]
        if line.begins(with: .header) || line.has(.hours) || !line.dates.days.isEmpty || !line.dates.clocks.isEmpty {
            return false
        }
        if line.quantity != nil, line.line.letterCount <= 12 { return true }
        // One whose count was misread: `32% 1,15`.
        if line.amounts.count == 1, line.line.letterCount <= 3, line.line.text.count <= 12 { return true }
        if line.has(.weightHeader), line.amounts.isEmpty { return true }
        // An item whose amount is damaged: `Cola Zero 8,9 €B`.
        if let price = line.price, !price.isExact, price.printed.contains(where: { $0 == "," || $0 == "." }),
            line.line.letterCount >= 3,
            !StoreReader.isTown(line), !StoreReader.isStreet(line.line.string)
        {
            return true
        }
        let below = lines[index + 1]
        return below.has(.weightHeader) && below.amounts.isEmpty && line.figures.isEmpty && line.line.letterCount >= 3
    }

    /// `Parkschein 10:15  2,50 A`: a day, a clock or opening hours stand in its name, but its amount ends where that of the
    /// first good does, and both carry a class or none does.
    private static func isDatedGood(_ lines: [ReadLine], _ index: Int, above first: ReadLine) -> Bool {
        let line = lines[index]
        guard let price = line.price, price.isExact, let other = first.price, price.value ?? 0 > 0,
            (price.vat == nil) == (other.vat == nil), line.aligns(price.range, with: first),
            line.line.text[line.nameRange].count(where: \.isLatinLetter) >= 3,
            line.has(.hours) || !line.dates.days.isEmpty || !line.dates.clocks.isEmpty
        else { return false }
        return price.vat != nil || !line.begins(with: .header)
    }

    static func isColumnHeader(_ line: ReadLine) -> Bool {
        guard let match = line.roles[.columnHeader], line.amounts.isEmpty, line.line.digitCount <= 2,
            // `2 x €`: a quantity whose price was not read.
            !HiddenQuantity.isCount(line.line.text[...]),
            ![.total, .subtotal, .payment, .change].contains(where: line.begins)
        else { return false }
        let others = line.line.skeletons.enumerated().filter { !match.words.contains($0.offset) }
        return others.reduce(0) { $0 + $1.element.count } <= 6
    }

    static func looksLikeItem(_ line: ReadLine) -> Bool {
        guard let price = line.price, price.isExact, !line.has(.hours), !line.begins(with: .header),
            line.dates.days.isEmpty,
            line.dates.clocks.isEmpty
        else { return false }
        return line.nameLetters >= 2 || line.nameBehindQuantity != nil
    }
}
