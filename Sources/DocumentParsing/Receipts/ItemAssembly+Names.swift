import Domain

/// Names on a line of their own above a line that says more of the good and holds its amount.
extension ItemAssembly {
    /// `STRICKJACKE` above `Farbe 3 Groesse 074  12,99`, and `2 Stk Semmel` above `0,40 €/Stk.  0,80`.
    ///
    /// Headings stand above single goods as well, so every good must have such a line, and what stands below must be a
    /// form: half of those lines begin with the same word, or all with an amount.
    mutating func joinNames() {
        let goods = elements.indices.compactMap { position -> (item: Int, text: Int, position: Int?)? in
            guard case .item(let item) = elements[position], items[item].kind == .item, items[item].lines.count == 1
            else { return nil }
            let above = elements[..<position].lastIndex { if case .other = $0 { false } else { true } }
            if let above {
                guard case .text(let line) = elements[above], isName(lines[line]) else { return nil }
                return (item, line, above)
            }
            // That of the first good may have been taken for the head.
            let line = items[item].lines[0] - position - 1
            return lines[safe: line].map(isName) ?? false ? (item, line, nil) : nil
        }
        guard goods.count >= 2, goods.count == items.count(where: { $0.kind == .item }) else { return }
        let rates = goods.map { rate(items[$0.item].name) }
        let isRate = !rates.contains(nil)
        guard isRate || isForm(goods.map { items[$0.item].name }) else { return }
        for ((item, text, position), rate) in zip(goods, rates) {
            let name = NameReader.name(lines[text], lines[text].nameRange, classBefore: false)
            // The price of one stays behind the name: the count in front has to agree with it, and where that was not
            // read, it is what tells of it.
            items[item].name = name.text + " " + (isRate ? rate ?? "" : items[item].name)
            items[item].articleNumber = items[item].articleNumber ?? name.articleNumber
            items[item].lines.insert(text, at: 0)
            if let position { elements[position] = .other }
        }
    }

    /// `Zeilenstorno` stands above the first of its lines, or above the quantity between.
    func isBelowVoid(_ own: [Int]) -> Bool {
        guard var above = own.min().map({ $0 - 1 }) else { return false }
        if let line = lines[safe: above], line.quantity != nil, line.price == nil, line.nameLetters <= 2 { above -= 1 }
        return lines[safe: above].map(CounterLine.isHeading) ?? false
    }

    private func isName(_ line: ReadLine) -> Bool {
        line.line.letterCount >= 3 && line.amounts.isEmpty && line.quantity == nil
            && ![.coupon, .discount, .handEntry, .header, .footer].contains(where: line.has)
    }

    /// The amount that a line begins with, as it was read.
    private func rate(_ name: String) -> String? {
        let scalars = Array(name.unicodeScalars.prefix(12))
        guard let figure = FigureScanner.figures(in: scalars).first, figure.range.lowerBound == 0, figure.amount != nil
        else { return nil }
        return String(String.UnicodeScalarView(scalars[figure.range]))
    }

    private func isForm(_ names: [String]) -> Bool {
        var counts: [Substring: Int] = [:]
        for name in names { counts[name.prefix { $0 != " " }, default: 0] += 1 }
        return counts.values.contains { $0 >= 2 && $0 * 2 >= names.count }
    }
}
