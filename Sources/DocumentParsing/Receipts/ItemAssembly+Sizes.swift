import Domain

/// Sizes of packages whose product happens to be the price: `COLA 6X0,33  1,98`.
extension ItemAssembly {
    /// What looks like a size is no count, unless another good shows that this till prints counts that way.
    mutating func doubtSizes() {
        let glued = items.indices.filter(isGlued)
        let sizes = glued.filter(isSize)
        guard sizes.count == glued.count else { return }
        for index in sizes { items[index].quantity?.isAmbiguous = true }
    }

    /// Count and price of one touch, and nothing says that it is money.
    private func isGlued(_ index: Int) -> Bool {
        guard let quantity = items[index].quantity, quantity.origin == .inline, quantity.phrase.unit == .piece,
            items[index].kind == .item, let price = quantity.phrase.unitPriceRange,
            case let count = quantity.phrase.quantityRange, let line = items[index].lines.first,
            count.upperBound <= price.lowerBound, price.upperBound <= lines[line].line.text.count
        else { return false }
        return !lines[line].line.text[count.lowerBound..<price.upperBound].contains { $0 == " " || $0 == "€" }
    }

    /// Nobody packs two bottles.
    private func isSize(_ index: Int) -> Bool {
        guard let phrase = items[index].quantity?.phrase, let price = phrase.unitPrice else { return false }
        return phrase.quantity > 2_000 && QuantityTrace.contents.contains(price / 100) && price.isMultiple(of: 1_000)
    }
}
