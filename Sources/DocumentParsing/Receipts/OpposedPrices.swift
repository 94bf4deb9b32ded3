import Domain

/// What is taken off, and a price with the same digit at the same place: `1,79` and `-1,00` read as `4,79` and `-4,00` make
/// the same sum, so the sum proves neither of them.
enum OpposedPrices {
    /// Digits that others are read as: ones as fours and sevens, zeros with a stroke as eights, sixes and nines. Nothing is
    /// read as a zero or a two as easily.
    private static let lookalikes: Set<UInt64> = [1, 3, 4, 5, 6, 7, 8, 9]

    /// Lines taken off that a price may hide behind, and that a look at the amount alone does not show again.
    static func doubtful(_ items: [DraftItem], second: SecondReadings) -> [Int] {
        let open = items.indices.filter { items[$0].value != nil && !isProduct(items[$0]) }
        let prices = open.filter { items[$0].value ?? 0 > 0 }
        return open.filter { taken in
            guard let value = items[taken].value, value < 0,
                prices.contains(where: { mayHide(value, items[$0].value ?? 0) })
            else { return false }
            return second.amountAlone(at: items[taken].pricePlace)?.magnitude != value.magnitude
        }
    }

    /// Whether one digit that both have at one place may have been another on both.
    private static func mayHide(_ taken: Int64, _ price: Int64) -> Bool {
        var (taken, price) = (taken.magnitude, price.magnitude)
        for _ in 0..<12 where taken > 0 && price > 0 {
            if taken % 10 == price % 10, lookalikes.contains(taken % 10) { return true }
            taken /= 10
            price /= 10
        }
        return false
    }

    /// Count and unit price make the amount: other digits say it too.
    private static func isProduct(_ item: DraftItem) -> Bool {
        item.quantity.map { !$0.isDerived && $0.phrase.product.map(abs) == item.value.map(abs) } ?? false
    }
}
