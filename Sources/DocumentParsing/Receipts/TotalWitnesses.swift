import Domain

/// Everything on the receipt that says what the total is, each from its own ink.
struct TotalWitnesses: Sendable {
    enum Source: Hashable, Sendable {
        case printed, payments, taxTable, slip, fiscalCode
    }

    let values: [Source: Int64]
    let printedIsExact: Bool
    /// The sum of the tax table's gross column, also where its other figures are broken.
    private let grossColumn: Int64?
    /// What else a damaged print of the total may mean.
    private let meanings: Set<Int64>
    /// What was paid, if no change is in sight and it is no round sum that asks for some.
    private let paidWithoutChange: Int64?

    init(printed: PriceCell?, tail: TailReader, fiscal: FiscalCode?) {
        var values: [Source: Int64] = [:]
        values[.printed] = printed?.value
        values[.taxTable] = tail.taxedTotal
        let meanings = printed.map { $0.isExact ? [] : Set($0.candidates.map(\.value)) } ?? []
        values[.fiscalCode] = fiscal?.total
        let printedValue = printed?.value
        if let paid = tail.paid {
            // More given than asked and no change in sight: the change is cut off, nothing is said.
            let isCoin = paid.isMultiple(of: 500)
            if !Self.isOddTender(tail),
                tail.change != nil || (printedValue == nil && !isCoin) || (printedValue.map { paid <= $0 } ?? false)
                    // What the taxes or the damaged total say as well is no more than was asked.
                    || values.contains(where: { $0.key != .printed && $0.value == paid }) || meanings.contains(paid)
            {
                values[.payments] = paid
            }
            // Tills that print payments negative, and slips that repeat one of the payments.
            let magnitude = tail.payments.reduce(0) { $0 + abs($1.amount) } - (tail.change ?? 0)
            for other in [magnitude] + tail.payments.map(\.amount)
            where paid != printedValue && other == printedValue {
                values[.payments] = other
            }
        }
        // Less than asked, and beside it an amount whose word was not read: part of what was given is not known.
        if let paid = tail.paid, let printedValue, values[.payments] == paid, paid < printedValue,
            tail.unnamed.contains(where: { $0 >= printedValue - paid })
        {
            values[.payments] = nil
        }
        // `…ld BAR 0,26`: given less total, with the word for change cut off.
        if values[.payments] == nil, let printedValue, tail.change == nil {
            let given = tail.payments.reduce(0) { $0 + abs($1.amount) }
            let rest = tail.payments.dropLast().reduce(0) { $0 + abs($1.amount) } - abs(tail.payments.last?.amount ?? 0)
            if tail.unnamed.contains(given - printedValue) || rest == printedValue {
                values[.payments] = printedValue
            }
        }
        if let slip = tail.slipAmounts.first(where: { $0 == printedValue }) ?? tail.slipAmounts.first {
            values[.slip] = slip
        }
        self.values = values
        printedIsExact = printed?.isExact ?? false
        grossColumn = tail.printedGross
        self.meanings = meanings
        paidWithoutChange = tail.change == nil ? tail.paid.flatMap { $0.isMultiple(of: 500) ? nil : $0 } : nil
    }

    /// Who gives odd cents gets round change: when neither is a multiple of five cents, one of them was misread.
    private static func isOddTender(_ tail: TailReader) -> Bool {
        guard let change = tail.change, change != 0, tail.payments.count == 1, let given = tail.payments.first?.amount
        else { return false }
        return !given.isMultiple(of: 5) && !change.isMultiple(of: 5)
    }

    /// How many sources other than the printed line say `value`.
    func support(for value: Int64) -> Int {
        values.count { $0.key != .printed && $0.value == value }
    }

    /// The value to work with: the printed one unless two other sources, the sum of the lines included, agree on another;
    /// `isRepaired` when it is not what the line of the total says, or that line was not read.
    func choose(sum: Int64?) -> (value: Int64, isRepaired: Bool)? {
        let printed = values[.printed]
        var votes: [Int64: Int] = [:]
        for (source, value) in values where source != .printed { votes[value, default: 0] += 1 }
        if let sum { votes[sum, default: 0] += 1 }
        if let printed, (votes[printed] ?? 0) > 0 || grossColumn == printed { return (printed, false) }
        if let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value >= 2 {
            return (best.key, true)
        }
        // `TOTAL  4.10` where the amount itself was lost and what was saved stands beside it.
        if let sum, sum == paidWithoutChange, votes.keys.allSatisfy({ $0 == sum }) { return (sum, true) }
        if let printed {
            if let paid = values[.payments], paid != printed, meanings.contains(paid) { return (paid, true) }
            return (printed, false)
        }
        // Without a line of the total: what was paid, taxed or signed.
        for source in [Source.fiscalCode, .taxTable, .payments, .slip] {
            if let value = values[source] { return (value, false) }
        }
        // Nothing but the lines themselves: something to show, never something proven.
        return sum.map { ($0, true) }
    }
}
