import Domain

/// Finds the item that a printed discount reduces.
enum ReducedItem {
    /// Returns the nearest item above; nil if there is none, its tax class differs or the discounts exceed its price.
    ///
    /// - Parameters:
    ///   - index: index of the discount among the drafts.
    ///   - bound: for each draft above, the index of the item that it reduces.
    /// - Returns: an index into the drafts.
    static func index(of index: Int, in drafts: [DraftItem], bound: [Int?]) -> Int? {
        let discount = drafts[index]
        guard discount.kind == .discount, let place = drafts[..<index].lastIndex(where: { $0.kind == .item })
        else { return nil }
        let item = drafts[place]
        if let own = discount.vat, let other = item.vat, own != other { return nil }
        guard let reduction = discount.value, let price = item.value else { return place }
        let others = bound.enumerated().reduce(0) { $1.element == place ? $0 + (drafts[$1.offset].value ?? 0) : $0 }
        // A discount cannot exceed the price.
        guard price < 0 || price + others + reduction >= 0 else { return nil }
        return place
    }
}
