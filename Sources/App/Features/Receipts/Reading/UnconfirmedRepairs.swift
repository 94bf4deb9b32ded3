import DocumentParsing
import Domain

extension ParsedReceipt {
    /// Repairs of amounts that were undone. On the review page, a person chooses between the reading and the repaired
    /// amount.
    struct Proposals: Sendable {
        /// By the item's index.
        var items: [Int: Repair] = [:]
        var total: Repair?

        var isEmpty: Bool { items.isEmpty && total == nil }
    }

    /// Undoes repairs of amounts that no other printed figure confirms. A proven receipt has no such repairs.
    ///
    /// - Returns: the receipt with the amounts as read, and the undone repairs.
    func undoingUnconfirmedRepairs() -> (receipt: ParsedReceipt, proposals: Proposals) {
        var receipt = self
        var proposals = Proposals()
        guard state != .proven else { return (receipt, proposals) }
        for index in items.indices {
            if let repair = Self.undo(&receipt.items[index].total, currency) { proposals.items[index] = repair }
        }
        proposals.total = Self.undo(&receipt.total, currency)
        return (receipt, proposals)
    }

    /// Resets a doubtful repaired amount to the amount that was read; or to nil if the printed text is not an amount.
    ///
    /// - Returns: the undone repair.
    private static func undo(_ amount: inout Reading<Money>?, _ currency: Currency) -> Repair? {
        guard let repaired = amount, repaired.isDoubtful, let repair = repaired.repair else { return nil }
        if let printed = Self.amount(repair.printed, currency) {
            amount?.value = printed
            amount?.repair = nil
        } else {
            amount = nil
        }
        return repair
    }

    /// Whether the total was computed from the lines or the payment, because it was not read or was misread. False for
    /// a proven receipt.
    var isTotalComputed: Bool {
        guard state != .proven, let total else { return false }
        return total.box == nil || total.repair != nil
    }

    /// Tax classes whose lines do not add up to their row of the receipt's tax table.
    var contradictedClasses: Set<String> {
        guard reasons.contains(.taxClassDiffers) || reasons.contains(.taxTableDiffers) else { return [] }
        var sums: [String: Int64] = [:]
        for item in items {
            if let name = item.vatClass { sums[name, default: 0] += item.total?.value.minorUnits ?? 0 }
        }
        return Set(taxTable.compactMap { row in row.vatClass.flatMap { sums[$0] ?? 0 != row.gross ? $0 : nil } })
    }

    /// Parses an amount with two decimals; returns nil for `116`, whose comma was lost.
    private static func amount(_ printed: String, _ currency: Currency) -> Money? {
        guard printed.contains(#/[.,]\d\d(?!\d)/#) else { return nil }
        return try? Money(parsing: printed, currency: currency)
    }
}
