import Recognition

/// Rows that say the number of a good or of a pump, between its name and its amount or beside the amount.
extension ItemAssembly {
    /// `505.221.87`, `505.221.870`: groups of three digits; nobody pays as much.
    static func isGroupedNumber(_ word: String) -> Bool {
        let groups = word.split(separator: ".", omittingEmptySubsequences: false)
        return groups.count == 3 && groups.dropLast().allSatisfy { $0.utf8.count == 3 }
            && (2...3).contains(groups[2].utf8.count) && groups.joined().utf8.allSatisfy { (48...57).contains($0) }
    }

    /// `PZN 10019638  4,98`, `505.221.87  7,99`: nothing but a number and its label stands in front of the amount.
    static func isNumbered(_ line: ReadLine) -> Bool {
        guard let price = line.price, line.quantity == nil else { return false }
        let start = line.line.box(price.range).x
        let words = line.line.words.prefix { $0.box.maxX <= start }.map(\.text)
        guard let last = words.last, isNumber(last) || isGroupedNumber(last) else { return false }
        return words.count == 1 || (words.count <= 3 && line.begins(with: .articleLabel))
    }

    private static func isNumber(_ word: String) -> Bool {
        (6...14).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Takes the name above a row of numbers off the list, and the number of a pump between them; nil without one.
    mutating func takeNameAbove() -> Int? {
        for position in elements.indices.reversed() {
            switch elements[position] {
            case .text(let line) where lines[line].begins(with: .quantityLabel): continue
            case .text(let line):
                guard lines[line].line.letterCount >= 3, lines[line].amounts.isEmpty, lines[line].quantity == nil else {
                    return nil
                }
                elements.removeSubrange(position...)
                return line
            default: return nil
            }
        }
        return nil
    }
}
