import Domain

/// The same article on several lines at prices that differ in one digit: `JOGHURT 0,35` and `JOGHURT 0,55`. One may be misread,
/// and the sum does not notice it where another misread line makes up for it.
enum TwinPrices {
    /// Lines whose price is the rarer one, or as rare as its twin's, and that no second look has shown again.
    static func doubtful(_ items: [DraftItem], second: SecondReadings) -> [Int] {
        let twins = Dictionary(
            grouping: items.indices.filter {
                items[$0].kind == .item && items[$0].value != nil && !isProduct(items[$0])
            },
            by: { items[$0].name.lowercased().filter(\.isLetter) }
        )
        var doubtful: [Int] = []
        for (name, lines) in twins where name.count >= 4 && lines.count >= 2 {
            let counts = Dictionary(grouping: lines, by: { items[$0].value ?? 0 }).mapValues(\.count)
            doubtful += lines.filter { index in
                let value = items[index].value ?? 0
                let isRare = counts.contains { other, count in
                    count >= counts[value] ?? 0 && differInOneDigit(value, other)
                }
                guard isRare else { return false }
                let seen = second.amounts(at: items[index].pricePlace)
                return seen.isEmpty || seen.contains { $0.value != value }
            }
        }
        return doubtful.sorted()
    }

    private static func isProduct(_ item: DraftItem) -> Bool {
        item.quantity.map { !$0.isDerived && $0.phrase.product.map(abs) == item.value.map(abs) } ?? false
    }

    private static func differInOneDigit(_ one: Int64, _ other: Int64) -> Bool {
        let (one, other) = (String(one), String(other))
        return one.count == other.count && zip(one, other).count { $0 != $1 } == 1
    }
}
