import Domain
import Recognition

/// Whether single amounts have evidence of their own. A sum proves a set of amounts, not its members: two errors that cancel
/// are as likely as two errors.
struct AmountEvidence {
    let items: [DraftItem]
    let lines: [ReadLine]
    /// Rows of the tax table that hold.
    let taxRows: [ParsedReceipt.TaxRow]
    let second: SecondReadings

    /// Two independent engines read the amount, its product makes it, or it is alone in its class of the tax table.
    func isConfirmed(_ index: Int) -> Bool {
        guard let value = items[index].value else { return false }
        return isWitnessed(items[index], value) || isProduct(items[index], value) || isAloneInClass(index, value)
    }

    /// One engine read the amount, and the other reads it too, offers it, or reads it when it looks at the place again.
    private func isWitnessed(_ item: DraftItem, _ value: Int64) -> Bool {
        guard let line = item.lines.map({ lines[$0] }).first(where: { $0.price?.range == item.price.range })?.line,
            item.repair == nil
        else { return false }
        if line.isReadAlike(at: item.price.range) { return true }
        let others = line.witnessedAmounts(at: item.price.range)
        if others.contains(where: { $0.cost <= Costs.offered && $0.value.magnitude == value.magnitude }) { return true }
        // Only words of the second engine have costs; places are looked at again by the first.
        let isSeconds = line.wordIndices(item.price.range).contains { line.words[safe: $0]?.costs.isEmpty == false }
        return isSeconds && second.amounts(at: item.pricePlace).contains { $0.value.magnitude == value.magnitude }
    }

    /// Quantity and unit price were read, not computed, and make the amount that was read.
    private func isProduct(_ item: DraftItem, _ value: Int64) -> Bool {
        guard item.repair == nil, let quantity = item.quantity, !quantity.isDerived, quantity.repair == nil,
            quantity.phrase.quantity != 1_000, let product = quantity.phrase.product
        else { return false }
        return product.magnitude.distance(to: value.magnitude).magnitude <= (quantity.phrase.unit == .piece ? 0 : 1)
    }

    private func isAloneInClass(_ index: Int, _ value: Int64) -> Bool {
        guard let vat = items[index].vat, let row = TaxClasses.row(for: vat, in: taxRows), row.gross == value else {
            return false
        }
        return items.indices.allSatisfy { other in
            other == index
                || items[other].vat.flatMap { TaxClasses.row(for: $0, in: taxRows) }.map { $0 != row } ?? false
        }
    }
}
