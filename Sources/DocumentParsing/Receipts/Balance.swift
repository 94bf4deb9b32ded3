import Domain

/// Makes the lines add up to the total where exactly one plausible reading does.
struct Balance {
    private(set) var items: [DraftItem]
    private let total: Int64?
    private let readings: [[PriceCell.Candidate]]
    private let taxRows: [ParsedReceipt.TaxRow]

    /// - Parameters:
    ///   - readings: for each item the amounts of a second reading and the engine's alternatives, best first.
    ///   - taxRows: rows of the tax table that hold.
    init(
        _ items: [DraftItem], total: Int64?, readings: [[PriceCell.Candidate]], taxRows: [ParsedReceipt.TaxRow]
    ) {
        self.items = items
        self.total = total
        self.readings = readings
        self.taxRows = taxRows
        for index in self.items.indices { takeExactProduct(index) }
        if let total {
            settle(total)
        }
        if isBalanced { for index in self.items.indices { repairQuantity(index) } }
        noteInexact()
        doubtOpenFigures()
        confirmByClasses()
    }

    var sum: Int64? {
        var sum: Int64 = 0
        for item in items {
            guard let value = item.value else { return nil }
            sum += value
        }
        return sum
    }

    var isBalanced: Bool { total != nil && sum == total }

    /// A price that could not be read, beside a quantity and unit price that could.
    private mutating func takeExactProduct(_ index: Int) {
        guard items[index].value == nil, let product = items[index].quantity?.phrase.product else { return }
        let candidates = items[index].price.candidates
        guard candidates.isEmpty || candidates.contains(where: { $0.value == product }) else { return }
        apply(.init(item: index, value: product, source: .product), .product)
    }

    private struct Change {
        var item: Int
        var value: Int64
        var source: PriceCell.Candidate.Source
        /// Lower is likelier.
        var cost: Int {
            switch source {
            case .product, .reread, .alternative, .separator, .sign: 2
            case .extra, .letters: 3
            case .lookAlike: 6
            case .missing: 7
            }
        }
    }

    /// Gives one line the reading that closes the difference to the total.
    private mutating func settle(_ total: Int64) {
        let unread = items.indices.filter { items[$0].value == nil }
        let difference = total - items.reduce(0) { $0 + ($1.value ?? 0) }
        if unread.count == 1 { return settleUnread(unread[0], difference) }
        guard unread.isEmpty, difference != 0 else { return }
        let found = items.indices.compactMap { index in
            pool(index).filter { $0.value - (items[index].value ?? 0) == difference }.min { $0.source < $1.source }
                .map { Change(item: index, value: $0.value, source: $0.source) }
        }
        let least = found.map(\.cost).min() ?? 0
        guard let change = only(found.filter { $0.cost <= least + 1 }) else { return }
        apply(change, isProduct(change.item, change.value) ? .product : change.source == .reread ? .reread : .sum)
    }

    private mutating func settleUnread(_ index: Int, _ difference: Int64) {
        let own = readings[index].map(\.value)
        let candidates = items[index].price.candidates.map(\.value)
        guard difference != 0,
            difference > 0 || items[index].kind == .depositReturn || candidates.contains(difference)
        else { return }
        guard candidates.isEmpty || candidates.contains(difference) || own.contains(difference) else { return }
        let source: PriceCell.Candidate.Source =
            isProduct(index, difference) ? .product : own.contains(difference) ? .reread : .missing
        apply(.init(item: index, value: difference, source: source), .sum)
    }

    /// The only change, or the only one with which the classes of the tax table add up.
    private func only(_ changes: [Change]) -> Change? {
        if changes.count == 1 { return changes[0] }
        let fitting = changes.filter { change in
            var changed = items
            changed[change.item].value = change.value
            return TaxClasses.fits(changed, rows: taxRows) ?? false
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    private func isProduct(_ index: Int, _ value: Int64) -> Bool {
        items[index].quantity.map { !$0.isDerived && $0.phrase.product?.magnitude == value.magnitude } ?? false
    }

    /// All other readings of a line's amount.
    private func pool(_ index: Int) -> [PriceCell.Candidate] {
        let item = items[index]
        let value = item.value ?? 0
        // A line whose quantity × unit price already gives its total is right.
        if isProduct(index, value) { return item.price.candidates.filter { $0.source == .sign } }
        var result = readings[index] + item.price.candidates
        if let product = item.quantity?.phrase.product, item.quantity?.isDerived == false {
            result.append(.init(value: value < 0 ? -product : product, source: .product))
        }
        result += PriceScanner.shortened(value)
        result += LookAlikes.values(of: value).map { .init(value: $0, source: .lookAlike) }
        return result
    }

    private mutating func apply(_ change: Change, _ reason: Repair.Reason) {
        let index = change.item
        items[index].value = change.value
        if change.value > 0 {
            switch items[index].kind {
            case .discount, .coupon: items[index].kind = .item
            case .depositReturn:
                // Its word may be one for what comes back, read with a sign that the sum takes away.
                items[index].kind = .deposit
                items[index].isKindDoubtful = true
            default: break
            }
        } else if change.source == .sign, items[index].kind == .deposit {
            items[index].kind = .depositReturn
        } else if change.value < 0, items[index].kind == .item, !items[index].isVoid {
            items[index].kind = .discount
            items[index].isKindDoubtful = true
        }
        items[index].repair = Repair(
            printed: items[index].price.printed, value: AmountText.german(change.value), reason: reason)
        switch change.source {
        case .reread, .alternative, .separator: items[index].isRepairConfirmed = true
        // A clean amount against its product: one of three figures was misread, and the sum may cancel another error.
        default:
            items[index].isRepairConfirmed =
                isProduct(index, change.value)
                && (!items[index].price.isExact || items[index].pricePlace.confidence < 70)
        }
    }

    /// With the amounts settled, a quantity whose product is off was misread itself.
    private mutating func repairQuantity(_ index: Int) {
        guard let quantity = items[index].quantity, let value = items[index].value,
            let phrase = QuantityRepair.repaired(
                quantity.phrase, total: value,
                isDeposit: items[index].kind == .deposit || items[index].kind == .depositReturn)
        else { return }
        items[index].quantity?.read = quantity.phrase
        items[index].quantity?.phrase = phrase
        items[index].quantity?.isConfirmed = false
        items[index].quantity?.repair = Repair(
            printed: quantity.phrase.text, value: phrase.text, reason: .product)
    }

    /// A sign, or digits too many: the ink offers only the two values, and the classes of the tax table say which.
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

    /// The sum is one equation: it settles one open figure. Where several amounts may mean something else, errors may
    /// cancel, and only a product, a second reading or the class of the tax table speaks for each.
    private mutating func doubtOpenFigures() {
        guard isBalanced else { return }
        let open = items.indices.filter { index in
            guard items[index].repair != nil, let value = items[index].value, !isProduct(index, value) else {
                return false
            }
            if readings[index].first(where: { $0.source == .reread })?.value == value { return false }
            let meanings = Set(items[index].price.candidates.map(\.value) + [items[index].price.value, value])
            return items[index].price.isExact || meanings.count > 1
        }
        guard open.count > 1 else { return }
        for index in open { items[index].isRepairConfirmed = false }
    }

    /// Damaged prints that were read rightly, as the sum shows, are repairs too.
    private mutating func noteInexact() {
        guard isBalanced else { return }
        for index in items.indices where !items[index].price.isExact && items[index].repair == nil {
            guard let value = items[index].value else { continue }
            items[index].repair = Repair(
                printed: items[index].price.printed, value: AmountText.german(value), reason: .sum)
            items[index].isRepairConfirmed = true
        }
    }
}

/// Amounts as receipts print them.
enum AmountText {
    static func german(_ minorUnits: Int64) -> String {
        DecimalText.format(minorUnits, decimals: 2, minimum: 2, in: .german)
    }
}

/// Digits that poor print turns into others.
enum LookAlikes {
    static let pairs: [Int64: [Int64]] = [
        0: [8, 9, 6], 1: [7, 4], 2: [7], 3: [8, 9], 4: [1, 9], 5: [6, 9], 6: [5, 8, 0], 7: [1, 2], 8: [3, 0, 6, 9],
        9: [0, 8, 3, 5, 4],
    ]

    /// All amounts that differ from `value` in one digit by its look-alike.
    static func values(of value: Int64) -> [Int64] {
        let sign: Int64 = value < 0 ? -1 : 1
        let magnitude = abs(value)
        var result: [Int64] = []
        var scale: Int64 = 1
        while scale <= magnitude || scale <= 100 {
            let digit = magnitude / scale % 10
            for other in pairs[digit] ?? [] { result.append(sign * (magnitude + (other - digit) * scale)) }
            scale *= 10
        }
        return result
    }
}
