import DocumentParsing
import Recognition

extension ParsedReceipt {
    /// Removes items below the total that contain personal details, such as a card number, because they are lines of
    /// the payment. These details are later painted over and left out like all other personal details.
    func withoutPaymentLines(in document: RecognizedDocument, facts: ChainFacts) -> ParsedReceipt {
        let below = items.indices.filter { isBelowTotal(items[$0]) }
        guard !below.isEmpty else { return self }
        let details = PersonalDetailFinder(facts: facts).details(
            in: document, sparing: keepingItems { !below.contains($0) })
        let personal = below.filter { index in
            details.contains { detail in
                detail.page == items[index].name.page
                    && [items[index].name.box, items[index].total?.box].contains {
                        $0?.sharesLine(with: detail.box) ?? false
                    }
            }
        }
        guard !personal.isEmpty else { return self }
        var remaining = keepingItems { !personal.contains($0) }
        // The lines were part of the proof, so the receipt is no longer proven.
        if remaining.state == .proven { remaining.state = .review }
        if !remaining.reasons.contains(.unexplainedLine) { remaining.reasons.append(.unexplainedLine) }
        return remaining
    }

    private func isBelowTotal(_ item: Item) -> Bool {
        guard let total, let totalBox = total.box, let nameBox = item.name.box else { return false }
        return item.name.page > total.page || item.name.page == total.page && nameBox.y >= totalBox.maxY
    }

    /// Returns the receipt with only some of the items. The argument of `isKept` is the index of an item.
    private func keepingItems(_ isKept: (Int) -> Bool) -> ParsedReceipt {
        var remaining = self
        let keptIndices = items.indices.filter(isKept)
        remaining.items = keptIndices.map { index in
            var item = items[index]
            item.reducedItem = item.reducedItem.flatMap { keptIndices.firstIndex(of: $0) }
            return item
        }
        return remaining
    }
}

extension PixelBox {
    /// Whether the vertical middle of the other box is within this box's height.
    fileprivate func sharesLine(with other: PixelBox) -> Bool {
        let middle = other.y + other.height / 2
        return middle >= y && middle <= maxY
    }
}
