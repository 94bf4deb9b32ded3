import Domain
import Recognition

/// Rows with an article number between the name and the amount, or beside the amount.
extension ItemAssembly {

    /// Whether only an article number and its label precede the amount: `PZN 10019638  4,98`.
    static func isNumbered(_ line: ReadLine) -> Bool {
        guard let price = line.price, line.quantity == nil else { return false }
        let start = line.line.box(price.range).x
        var words = line.line.words.prefix { $0.box.maxX <= start }.map(\.text)
        // Ignore a unit price: `PZN 01578675  á 7,45  14,90`.
        if words.count >= 3, ["á", "à", "ä", "a"].contains(words[words.count - 2].lowercased()) {
            words.removeLast(2)
        }
        guard words.last?.isNumber(6...14) ?? false else { return false }
        return words.count == 1 || (words.count <= 3 && line.begins(with: .articleLabel))
    }
}
