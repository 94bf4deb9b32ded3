import Domain

/// Quantity lines between two goods that cost the same once the sum has put one of them right.
enum NeighbourDoubt {
    /// A product that only one neighbour had when quantities were given away, and that the other has now, says nothing.
    static func note(_ items: inout [DraftItem], _ lines: [ReadLine], place: ChainFacts.QuantityPlace?) {
        for index in items.indices {
            guard let quantity = items[index].quantity, quantity.origin == .ownLine,
                let name = items[index].lines.first,
                let line = items[index].lines.first(where: { lines[$0].quantity != nil && $0 != name }),
                let other = items[safe: line > name ? index + 1 : index - 1], other.repair != nil,
                other.quantity == nil, place != (line > name ? .below : .above), let value = other.value,
                let product = quantity.phrase.product
            else { continue }
            let isBetween = line > name ? other.lines.min().map { $0 > line } : other.lines.max().map { $0 < line }
            let tolerance: UInt = quantity.phrase.unit == .piece ? 0 : 1
            guard isBetween ?? false, product.magnitude.distance(to: value.magnitude).magnitude <= tolerance else {
                continue
            }
            items[index].quantity?.isAmbiguous = true
        }
    }
}
