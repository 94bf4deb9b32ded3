import Domain

/// Corrects amounts so that the lines add up to the total, if exactly one plausible correction is possible.
struct Balance {
    private(set) var items: [DraftItem]
    private let total: Int64?
    private let readings: [[PriceCell.Candidate]]
    private let taxRows: [ParsedReceipt.TaxRow]

    /// - Parameters:
    ///   - readings: for each item, the amounts of rereadings and the engine's alternatives, best first.
    ///   - taxRows: rows of the tax table; empty if one of them does not add up.
    init(_ items: [DraftItem], total: Int64?, readings: [[PriceCell.Candidate]], taxRows: [ParsedReceipt.TaxRow]) {
        self.items = items
        self.total = total
        self.readings = readings
        self.taxRows = taxRows
        for index in self.items.indices { fillValueFromProduct(index) }
        if let total { balance(total) }
        if isBalanced { for index in self.items.indices { repairQuantity(index) } }
        recordDamaged()
        unconfirmUncertainAmounts()
        confirmByClasses()
    }

    var isBalanced: Bool { total != nil && items.sum == total }

    /// Uses quantity × unit price as the amount of a line whose price could not be read.
    private mutating func fillValueFromProduct(_ index: Int) {
        guard items[index].value == nil, let product = items[index].quantity?.phrase.product else { return }
        let candidates = items[index].price.candidates
        guard candidates.isEmpty || candidates.contains(where: { $0.value == product }) else { return }
        apply(.init(item: index, value: product, source: .product), .product)
    }

    private struct Change {
        var item: Int
        var value: Int64
        var source: PriceCell.Candidate.Source
        /// The lower the cost, the likelier the change.
        var cost: Int {
            switch source {
            case .product, .reread, .alternative, .separator, .sign: 2
            case .extra, .letters: 3
            case .lookAlike: 6
            case .missing: 7
            }
        }
    }

    /// Changes one amount to another of its possible readings, so that the sum equals the total.
    private mutating func balance(_ total: Int64) {
        let unread = items.indices.filter { items[$0].value == nil }
        let difference = total - items.reduce(0) { $0 + ($1.value ?? 0) }
        if unread.count == 1 { return setUnreadAmount(unread[0], difference) }
        guard unread.isEmpty, difference != 0 else { return }
        let found = items.indices.compactMap { index in
            otherReadings(index).filter { $0.value - (items[index].value ?? 0) == difference }
                .min { $0.source < $1.source }
                .map { Change(item: index, value: $0.value, source: $0.source) }
        }
        let lowestCost = found.map(\.cost).min() ?? 0
        guard let change = uniqueChange(found.filter { $0.cost <= lowestCost + 1 }) else { return }
        apply(
            change, quantityConfirms(change.item, change.value) ? .product : change.source == .reread ? .reread : .sum)
    }

    /// Sets the only unread amount to the difference from the total, if this is a possible reading of the amount.
    private mutating func setUnreadAmount(_ index: Int, _ difference: Int64) {
        let own = readings[index].map(\.value)
        let candidates = items[index].price.candidates.map(\.value)
        guard difference != 0,
            difference > 0 || items[index].kind == .depositReturn || candidates.contains(difference),
            candidates.isEmpty || candidates.contains(difference) || own.contains(difference)
        else { return }
        let source: PriceCell.Candidate.Source =
            quantityConfirms(index, difference) ? .product : own.contains(difference) ? .reread : .missing
        apply(.init(item: index, value: difference, source: source), .sum)
    }

    /// Returns the only change, or the only change that makes the tax table add up; nil if there is none.
    private func uniqueChange(_ changes: [Change]) -> Change? {
        if changes.count == 1 { return changes[0] }
        let fitting = changes.filter { change in
            var changed = items
            changed[change.item].value = change.value
            return TaxClasses.fits(changed, rows: taxRows) ?? false
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Whether quantity × unit price, as printed, is the value.
    private func quantityConfirms(_ index: Int, _ value: Int64) -> Bool {
        items[index].quantity.map { !$0.isDerived && $0.phrase.product?.magnitude == value.magnitude } ?? false
    }

    /// Returns all other possible readings of a line's amount.
    private func otherReadings(_ index: Int) -> [PriceCell.Candidate] {
        let item = items[index]
        let value = item.value ?? 0
        // If quantity × unit price is the amount, only its sign can be wrong.
        if quantityConfirms(index, value) { return item.price.candidates.filter { $0.source == .sign } }
        var result = readings[index] + item.price.candidates
        if let product = item.quantity?.phrase.product, item.quantity?.isDerived == false {
            result.append(.init(value: value < 0 ? -product : product, source: .product))
        }
        result += PriceScanner.shortened(value)
        result += Confusions.lookAlikes(of: value).map { .init(value: $0, source: .lookAlike) }
        return result
    }

    private mutating func apply(_ change: Change, _ reason: Repair.Reason) {
        let index = change.item
        items[index].replaceAmount(by: change.value, reason)
        items[index].settleKind(isSignLost: change.source == .sign)
        switch change.source {
        case .reread, .alternative, .separator: items[index].isRepairConfirmed = true
        // The sum may hide another error if an amount that was read clearly is replaced, even by quantity × unit price.
        default:
            items[index].isRepairConfirmed = quantityConfirms(index, change.value) && !items[index].isReadClearly
        }
    }

    /// Repairs a quantity that does not give the amount. The amounts already add up to the total, so the quantity was
    /// misread.
    private mutating func repairQuantity(_ index: Int) {
        guard let quantity = items[index].quantity, let value = items[index].value,
            let phrase = QuantityRepair.repaired(
                quantity.phrase, total: value,
                isDeposit: items[index].kind == .deposit || items[index].kind == .depositReturn)
        else { return }
        items[index].quantity?.read = quantity.phrase
        items[index].quantity?.phrase = phrase
        items[index].quantity?.isConfirmed = false
        items[index].quantity?.repair = Repair(printed: quantity.phrase.text, value: phrase.text, reason: .product)
    }

    /// Confirms repairs by the tax table if few values were possible: repairs of a sign, of surplus digits or of
    /// letters.
    private mutating func confirmByClasses() {
        guard isBalanced, taxRows.count >= 2, TaxClasses.fits(items, rows: taxRows) == true else { return }
        for index in items.indices where items[index].repair != nil {
            guard let value = items[index].value else { continue }
            let offered = items[index].price.candidates + PriceScanner.shortened(items[index].price.value ?? 0)
            if offered.contains(where: { $0.value == value && $0.source >= .sign && $0.source <= .letters }) {
                items[index].isRepairConfirmed = true
            }
        }
    }

    /// Withdraws the confirmation of repairs if several amounts are uncertain, because their errors may cancel out in
    /// the sum. Certain amounts have other evidence: quantity × unit price or a rereading.
    private mutating func unconfirmUncertainAmounts() {
        guard isBalanced else { return }
        let uncertain = items.indices.filter { index in
            guard items[index].repair != nil, let value = items[index].value, !quantityConfirms(index, value) else {
                return false
            }
            if readings[index].first(where: { $0.source == .reread })?.value == value { return false }
            let meanings = Set(items[index].price.candidates.map(\.value) + [items[index].price.value, value])
            return items[index].price.isExact || meanings.count > 1
        }
        guard uncertain.count > 1 else { return }
        for index in uncertain { items[index].isRepairConfirmed = false }
    }

    /// Records damaged amounts as repairs. The sum confirms them.
    private mutating func recordDamaged() {
        guard isBalanced else { return }
        for index in items.indices where !items[index].price.isExact && items[index].repair == nil {
            guard let value = items[index].value else { continue }
            items[index].replaceAmount(by: value, .sum)
            items[index].isRepairConfirmed = true
        }
    }
}

/// Formats amounts as German receipts print them.
enum AmountText {
    static func german(_ minorUnits: Int64) -> String {
        DecimalText.format(minorUnits, decimals: 2, minimum: 2, in: .german)
    }
}
