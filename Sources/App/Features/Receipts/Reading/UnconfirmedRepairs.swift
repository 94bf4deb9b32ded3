import DocumentParsing
import Domain

extension ParsedReceipt {
    /// Repairs of amounts that were undone: a person chooses between what was read and the proposal.
    struct Proposals: Sendable {
        /// By index of the item.
        var items: [Int: Repair] = [:]
        var total: Repair?

        var isEmpty: Bool { items.isEmpty && total == nil }
    }

    /// Undoes repairs of amounts that nothing confirms. A proven receipt has none.
    ///
    /// - Returns: the receipt with what was read, and the undone repairs.
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

    /// Sets a doubtful repaired amount to what was read; to nil if that is no amount.
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

    /// The total was not read: it is the sum of the lines, or what was paid.
    var isTotalMade: Bool {
        guard state != .proven, let total else { return false }
        return total.box == nil || total.repair != nil
    }

    /// Tax classes whose row of the receipt's table is another amount than the sum of their lines.
    var contradictedClasses: Set<String> {
        guard reasons.contains(.taxClassDiffers) || reasons.contains(.taxTableDiffers) else { return [] }
        var sums: [String: Int64] = [:]
        for item in items {
            if let name = item.vatClass { sums[name, default: 0] += item.total?.value.minorUnits ?? 0 }
        }
        return Set(taxTable.compactMap { row in row.vatClass.flatMap { sums[$0] ?? 0 != row.gross ? $0 : nil } })
    }

    /// An amount with two decimals; nil for `116`, whose comma was lost.
    private static func amount(_ printed: String, _ currency: Currency) -> Money? {
        guard printed.contains(#/[.,]\d\d(?!\d)/#) else { return nil }
        return try? Money(parsing: printed, currency: currency)
    }
}
