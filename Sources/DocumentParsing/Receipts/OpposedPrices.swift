import Domain

/// What is taken off, and a price with the same digit at the same place: `1,79` and `-1,00` read as `4,79` and `-4,00` make
/// the same sum, so the sum proves neither of them.
enum OpposedPrices {
    /// What a digit as it was read may be: ones are read as fours and sevens, zeros with a stroke as eights, sixes and nines.
    /// Nothing is read as a zero or a two as easily.
    private static let meanings: [Int: Set<Int>] = [
        1: [7], 3: [8], 4: [1, 9], 5: [6], 6: [0, 5, 8], 7: [1], 8: [0, 3, 6], 9: [0, 4],
    ]

    /// First readings at least this certain stand where a look at the amount alone shows something else altogether.
    private static let certain = 85

    /// Lines taken off that a price may hide behind, unless the amount, cut out of its line, says the same.
    static func doubtful(_ items: [DraftItem], second: SecondReadings) -> [Int] {
        let open = items.indices.filter { items[$0].value != nil && !isProduct(items[$0]) }
        let prices = open.compactMap { items[$0].value }.filter { $0 > 0 }.map(digits)
        return open.filter { index in
            guard let value = items[index].value, value < 0 else { return false }
            let own = digits(value)
            let shared = Set(prices.flatMap { places(own, $0) })
            guard !shared.isEmpty else { return false }
            let seen = second.digitsAlone(at: items[index].pricePlace)
            guard let best = seen.first else { return true }
            if best == own { return false }
            return items[index].pricePlace.confidence < certain || seen.contains { isMeant($0, own, at: shared) }
        }
    }

    /// Places, counted from the cents, at which both have one digit that may be another.
    private static func places(_ taken: [Int], _ price: [Int]) -> [Int] {
        zip(taken, price).enumerated().filter { $1.0 == $1.1 && meanings[$1.0] != nil }.map(\.offset)
    }

    /// Whether what was seen is `own` with digits that it may stand for at these places.
    private static func isMeant(_ seen: [Int], _ own: [Int], at places: Set<Int>) -> Bool {
        guard seen.count == own.count else { return false }
        return own.indices.allSatisfy {
            seen[$0] == own[$0] || places.contains($0) && meanings[own[$0]]?.contains(seen[$0]) ?? false
        }
    }

    /// From the cents up, three at least.
    private static func digits(_ amount: Int64) -> [Int] {
        let text = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, 3 - text.count)) + text
        return padded.compactMap(\.wholeNumberValue).reversed()
    }

    /// Count and unit price make the amount: other digits say it too.
    private static func isProduct(_ item: DraftItem) -> Bool {
        item.quantity.map { !$0.isDerived && $0.phrase.product.map(abs) == item.value.map(abs) } ?? false
    }
}
