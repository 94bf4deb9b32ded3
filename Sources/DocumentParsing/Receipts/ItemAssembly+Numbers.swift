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
    ///
    /// - Parameter onlyNumber: not the price of one either.
    static func isNumbered(_ line: ReadLine, onlyNumber: Bool = false) -> Bool {
        guard let price = line.price, line.quantity == nil else { return false }
        let start = line.line.box(price.range).x
        var words = line.line.words.prefix { $0.box.maxX <= start }.map(\.text)
        // `PZN 01578675  á 7,45  14,90`
        if !onlyNumber, words.count >= 3, ["á", "à", "ä", "a"].contains(words[words.count - 2].lowercased()) {
            words.removeLast(2)
        }
        guard let last = words.last, isNumber(last) || isGroupedNumber(last) else { return false }
        return words.count == 1 || (words.count <= 3 && line.begins(with: .articleLabel))
    }

    private static func isNumber(_ word: String) -> Bool {
        (6...14).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// `40` beside `058172001987`: paper that lies askew parts the row of a number.
    func isPieceOfNumber(_ index: Int) -> Bool {
        let line = lines[index].line
        guard line.words.count == 1, line.digitCount == line.text.count, line.text.count <= 4, standsInRow(index) else {
            return false
        }
        return [index - 1, index + 1].contains { lines[safe: $0].map(Self.isArticleNumber) ?? false }
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
