import Recognition

extension PrintedLine {
    /// The other engine's text at `range`, from left to right; empty if it read nothing there.
    func witnessed(at range: Range<Int>) -> [Unicode.Scalar] {
        Array(witnesses(at: range).text.unicodeScalars.prefix(Self.longest))
    }

    /// Whether the other engine reads the same figure at `range`.
    func isWitnessed(_ range: Range<Int>) -> Bool {
        guard let own = FigureScanner.figures(in: Array(text[range])).first else { return false }
        return FigureScanner.figures(in: witnessed(at: range)).contains {
            $0.digits == own.digits && $0.decimals == own.decimals
        }
    }
}

extension DraftItem {
    /// Whether two independent engines read the same quantity and unit price, and quantity × unit price is the amount.
    func isQuantityWitnessed(_ lines: [ReadLine]) -> Bool {
        guard let quantity, !quantity.isDerived, quantity.repair == nil, !quantity.isAmbiguous,
            !quantity.phrase.isCountImplied, let value, quantity.phrase.makes(value),
            let price = quantity.phrase.unitPriceRange
        else { return false }
        return self.lines.contains { index in
            let line = lines[index]
            return line.quantity == quantity.phrase && line.line.isWitnessed(quantity.phrase.quantityRange)
                && line.line.isWitnessed(price)
        }
    }
}
