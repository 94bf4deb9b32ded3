import Domain

/// Makes the lines add up to the total where exactly one plausible reading does.
struct Balance {
    private(set) var items: [DraftItem]
    private let total: Int64?
    private let rereads: [[PriceCell.Candidate]]

    /// - Parameter rereads: for each item the amounts of a second reading, best first.
    init(_ items: [DraftItem], total: Int64?, rereads: [[PriceCell.Candidate]], alternatives: [[PriceCell.Candidate]]) {
        self.items = items
        self.total = total
        self.rereads = zip(rereads, alternatives).map { $0 + $1 }
        for index in self.items.indices { takeExactProduct(index) }
        if let total { settle(total) }
        noteInexact()
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
        apply(index, product, .product, confirmed: true)
    }

    private mutating func settle(_ total: Int64) {
        let unread = items.indices.filter { items[$0].value == nil }
        let known = items.reduce(0) { $0 + ($1.value ?? 0) }
        let difference = total - known
        if unread.isEmpty {
            guard difference != 0 else { return }
            if flipSigns(difference) { return }
            for pool in [strong(_:), lookAlikes(_:)] {
                if let (index, candidate) = unique(difference, pool) {
                    let isLocal =
                        candidate.source == .reread || candidate.source == .alternative
                        || isProduct(index, candidate.value)
                        || candidate.source == .separator
                    return apply(
                        index, candidate.value,
                        isProduct(index, candidate.value) ? .product : candidate.source == .reread ? .reread : .sum,
                        confirmed: isLocal)
                }
            }
        } else if unread.count == 1 {
            let index = unread[0]
            let readings = rereads[index].map(\.value)
            let candidates = items[index].price.candidates.map(\.value)
            guard difference != 0,
                difference > 0 || items[index].kind == .depositReturn || candidates.contains(difference)
            else { return }
            guard candidates.isEmpty || candidates.contains(difference) || readings.contains(difference) else { return }
            apply(index, difference, .sum, confirmed: readings.contains(difference) || isProduct(index, difference))
        }
    }

    /// Every amount that may have the other sign gets it, when that and nothing less closes the difference.
    private mutating func flipSigns(_ difference: Int64) -> Bool {
        let open = items.indices.compactMap { index -> (Int, Int64)? in
            guard items[index].repair == nil, let value = items[index].value,
                let other = items[index].price.candidates.first(where: { $0.source == .sign })
            else { return nil }
            return (index, other.value - value)
        }
        guard open.count > 1, open.reduce(0, { $0 + $1.1 }) == difference else { return false }
        for (index, change) in open { apply(index, (items[index].value ?? 0) + change, .sum, confirmed: false) }
        return true
    }

    private func isProduct(_ index: Int, _ value: Int64) -> Bool {
        items[index].quantity?.phrase.product.map { $0.magnitude == value.magnitude } ?? false
    }

    /// Other readings that have more than a likeness for them.
    private func strong(_ index: Int) -> [PriceCell.Candidate] {
        var result = rereads[index] + items[index].price.candidates.filter { $0.source < .lookAlike }
        if let product = items[index].quantity?.phrase.product {
            let signed = (items[index].value ?? 0) < 0 ? -product : product
            result.append(.init(value: signed, source: .alternative))
        }
        return result
    }

    private func lookAlikes(_ index: Int) -> [PriceCell.Candidate] {
        // A line whose quantity × unit price already gives its total is right.
        if let value = items[index].value, isProduct(index, value) { return [] }
        return LookAlikes.values(of: items[index].value ?? 0).map { .init(value: $0, source: .lookAlike) }
    }

    /// The only item and value that closes the difference; of equal lines none is the only one.
    private func unique(_ difference: Int64, _ pool: (Int) -> [PriceCell.Candidate]) -> (Int, PriceCell.Candidate)? {
        var found: (Int, PriceCell.Candidate)?
        for index in items.indices {
            guard let value = items[index].value,
                let candidate = pool(index).filter({ $0.value - value == difference && $0.value != value })
                    .min(by: { $0.source < $1.source })
            else { continue }
            if found != nil { return nil }
            found = (index, candidate)
        }
        return found
    }

    private mutating func apply(_ index: Int, _ value: Int64, _ reason: Repair.Reason, confirmed: Bool) {
        items[index].value = value
        if value > 0, items[index].kind == .discount || items[index].kind == .coupon { items[index].kind = .item }
        items[index].repair = Repair(
            printed: items[index].price.printed, value: AmountText.german(value), reason: reason)
        items[index].isRepairConfirmed = confirmed
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
