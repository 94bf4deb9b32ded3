import Domain

/// Which item a printed discount reduces.
enum ReducedItem {
    /// The item above it, where nothing speaks against that one; nothing for discounts on several goods, or on all of a
    /// tax class.
    ///
    /// - Parameters:
    ///   - index: of the discount among the drafts.
    ///   - bound: which item each draft above reduces.
    /// - Returns: an index into the drafts.
    static func index(of index: Int, in drafts: [DraftItem], bound: [Int?]) -> Int? {
        let discount = drafts[index]
        guard discount.kind == .discount, let place = drafts[..<index].lastIndex(where: { $0.kind == .item })
        else { return nil }
        let item = drafts[place]
        if let one = discount.vat, let other = item.vat, one != other { return nil }
        guard let off = discount.value, let price = item.value else { return place }
        let others = bound.enumerated().reduce(0) { $1.element == place ? $0 + (drafts[$1.offset].value ?? 0) : $0 }
        // Nobody is paid for taking goods along.
        guard price < 0 || price + others + off >= 0 else { return nil }
        return place
    }
}
