import Domain
import Recognition

/// Finds the amounts that have evidence besides the sum. A correct sum does not prove each of its amounts, because
/// errors may cancel each other.
struct AmountEvidence {
    let items: [DraftItem]
    let lines: [ReadLine]
    /// Rows of the tax table whose amounts are consistent.
    let taxRows: [ParsedReceipt.TaxRow]
    let rereadings: Rereadings

    /// Whether the amount has one of three kinds of evidence: two independent engines read it; it is quantity × unit
    /// price; or the item is the only item of its tax class, and the tax table has the same gross amount.
    func isConfirmed(_ index: Int) -> Bool {
        guard let value = items[index].value else { return false }
        return isReadByOtherEngine(items[index], value) || isReadByBoth(index) || quantityConfirms(items[index], value)
            || isAloneInClass(index, value)
    }

    /// Whether the other engine read the amount too: on the line, as an alternative, or when it read the area again.
    /// False for repaired amounts.
    private func isReadByOtherEngine(_ item: DraftItem, _ value: Int64) -> Bool {
        guard let line = item.lines.map({ lines[$0] }).first(where: { $0.price?.range == item.price.range })?.line,
            item.repair == nil
        else { return false }
        if line.isReadAlike(at: item.price.range) { return true }
        let others = line.otherEngineAmounts(at: item.price.range)
        if others.contains(where: { $0.cost <= Costs.offered && $0.value.magnitude == value.magnitude }) { return true }
        // The second engine gives costs with its words, so words with costs are its own. `rereadings.amounts` come from
        // the first engine, which read the same area again.
        let isFromSecondEngine = line.wordIndices(item.price.range).contains {
            line.words[safe: $0]?.costs.isEmpty == false
        }
        return isFromSecondEngine
            && rereadings.amounts(at: item.pricePlace).contains { $0.value.magnitude == value.magnitude }
    }

    /// Whether each engine reads the amount, in the whole line or in the area of the amount alone. If a repair changed
    /// only the sign, each engine must read the new sign too.
    func isReadByBoth(_ index: Int) -> Bool {
        let item = items[index]
        guard let value = item.value,
            let line = item.lines.map({ lines[$0] }).first(where: { $0.price?.range == item.price.range })?.line
        else { return false }
        let isSignRepaired = item.repair != nil && item.price.value == -value
        func isSame(_ other: Int64?) -> Bool {
            isSignRepaired ? other == value : other?.magnitude == value.magnitude
        }
        let words = line.wordIndices(item.price.range).compactMap { line.words[safe: $0] }
        let seen = words + line.otherEngineWords(at: item.price.range)
        // The second engine gives costs with its words.
        func isRead(bySecond: Bool) -> Bool {
            seen.contains { $0.costs.isEmpty != bySecond && isSame(Rereadings.amount($0.text)) }
        }
        let place = item.pricePlace
        return (isRead(bySecond: false) || isSame(rereadings.amounts(at: place).first?.value))
            && (isRead(bySecond: true) || isSame(rereadings.secondEngineAmount(at: place)))
    }

    /// Whether quantity and unit price were read, not computed, and their product is exactly the amount. An amount that
    /// differs by one cent may be misread. A repaired amount counts only if both engines read quantity and unit price.
    private func quantityConfirms(_ item: DraftItem, _ value: Int64) -> Bool {
        guard item.repair == nil || item.isQuantityReadByBoth(lines), let quantity = item.quantity, !quantity.isDerived,
            quantity.repair == nil,
            quantity.phrase.quantity != 1_000, let product = quantity.phrase.product
        else { return false }
        return product.magnitude == value.magnitude
    }

    private func isAloneInClass(_ index: Int, _ value: Int64) -> Bool {
        guard let vatClass = items[index].vatClass, let row = TaxClasses.row(for: vatClass, in: taxRows),
            row.gross == value
        else {
            return false
        }
        return items.indices.allSatisfy { other in
            other == index
                || items[other].vatClass.flatMap { TaxClasses.row(for: $0, in: taxRows) }.map { $0 != row } ?? false
        }
    }
}
