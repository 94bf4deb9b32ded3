import Domain

/// The line of the total that was taken for a good because its word could not be read.
enum TotalAmongGoods {
    /// Whether the last line, without class and quantity, is the total as other witnesses say it and the sum of all above.
    static func isLast(of items: [DraftItem], total: Int64?) -> Bool {
        guard let last = items.last, let total, items.count >= 3, last.value == total, last.quantity == nil,
            last.vat == nil, last.kind == .item
        else { return false }
        let above = items.dropLast()
        return above.allSatisfy { $0.value != nil } && above.reduce(0) { $0 + ($1.value ?? 0) } == total
    }
}
