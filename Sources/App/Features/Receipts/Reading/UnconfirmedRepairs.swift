import DocumentParsing
import Domain

extension ParsedReceipt {
    /// Undoes repairs of amounts that nothing confirms: a person chooses between what was read and the proposal. A proven
    /// receipt has none.
    ///
    /// - Returns: the receipt with what was read, and the proposals by index of the item.
    func undoingUnconfirmedRepairs() -> (receipt: ParsedReceipt, proposals: [Int: Repair]) {
        guard state != .proven else { return (self, [:]) }
        var receipt = self
        var proposals: [Int: Repair] = [:]
        for (index, item) in items.enumerated() {
            guard let total = item.total, total.isDoubtful, let repair = total.repair else { continue }
            proposals[index] = repair
            guard let printed = Self.amount(repair.printed, currency) else {
                receipt.items[index].total = nil
                continue
            }
            receipt.items[index].total?.value = printed
            receipt.items[index].total?.repair = nil
        }
        return (receipt, proposals)
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
