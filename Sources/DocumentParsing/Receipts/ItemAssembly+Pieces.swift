import Domain

/// Counts with three decimals, as merchandise systems print them: `2,000 x 1,49`, `SEIFE  2,000  1,49  2,98`.
extension ItemAssembly {
    /// Turns whole kilograms without a printed unit into pieces if at least two lines have them. A single one is
    /// ambiguous.
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
