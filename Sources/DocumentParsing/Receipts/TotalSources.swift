import Domain

/// The sources on the receipt that state the total, each printed separately.
struct TotalSources: Sendable {
    enum Source: Hashable, Sendable {
        case printed, payments, taxTable, slip, fiscalCode
    }

    let values: [Source: Int64]
    /// The sum of the tax table's gross column, even if its other figures are wrong.
    private let grossColumn: Int64?
    /// Other possible readings of a damaged total.
    private let otherReadings: Set<Int64>
    /// The payments, if no change was found and they are not a round amount that suggests change.
    private let paidWithoutChange: Int64?

    init(printed: PriceCell?, tail: TailReader, fiscal: FiscalCode?) {
        var values: [Source: Int64] = [:]
        values[.printed] = printed?.value
        values[.taxTable] = tail.taxes.sum
        let otherReadings = printed.map { $0.isExact ? [] : Set($0.candidates.map(\.value)) } ?? []
        values[.fiscalCode] = fiscal?.total
        let printedValue = printed?.value
        if let paid = tail.paid {
            // If more than the total was paid, the change may be cut off. In this case, the payments do not give the
            // total.
            let isRoundAmount = paid.isMultiple(of: 500)
            if !Self.isTenderMisread(tail),
                tail.change != nil || (printedValue == nil && !isRoundAmount)
                    || (printedValue.map { paid <= $0 } ?? false)
                    // A payment equal to another source, or to a reading of the damaged total, is exact.
                    || values.contains(where: { $0.key != .printed && $0.value == paid })
                    || otherReadings.contains(paid)
            {
                values[.payments] = paid
            }
            // Some tills print negative payments, and some slips repeat one of the payments.
            let magnitude = tail.payments.reduce(0) { $0 + abs($1.amount) } - (tail.change ?? 0)
            for other in [magnitude] + tail.payments.map(\.amount)
            where paid != printedValue && other == printedValue {
                values[.payments] = other
            }
        }
        // If less than the total was paid, and an amount without a legible word follows, that amount is probably the
        // rest of the payment.
        if let paid = tail.paid, let printedValue, values[.payments] == paid, paid < printedValue,
            tail.amountsWithoutKeyWord.contains(where: { $0 >= printedValue - paid })
        {
            values[.payments] = nil
        }
        // The word for change may be cut off, as in `…ld BAR 0,26`. If the payments exceed the total by the last
        // payment, or by an amount without a legible word, that amount is the change.
        if values[.payments] == nil, let printedValue, tail.change == nil {
            let paidSum = tail.payments.reduce(0) { $0 + abs($1.amount) }
            let lessLast =
                tail.payments.dropLast().reduce(0) { $0 + abs($1.amount) } - abs(tail.payments.last?.amount ?? 0)
            if tail.amountsWithoutKeyWord.contains(paidSum - printedValue) || lessLast == printedValue {
                values[.payments] = printedValue
            }
        }
        if let slip = tail.slipAmounts.first(where: { $0 == printedValue }) ?? tail.slipAmounts.first {
            values[.slip] = slip
        }
        self.values = values
        grossColumn = tail.taxes.printedGross
        self.otherReadings = otherReadings
        paidWithoutChange = tail.change == nil ? tail.paid.flatMap { $0.isMultiple(of: 500) ? nil : $0 } : nil
    }

    /// Whether the payment or the change is probably misread. Customers pay single cents only to get a change that is a
    /// multiple of five.
    private static func isTenderMisread(_ tail: TailReader) -> Bool {
        guard let change = tail.change, change != 0, tail.payments.count == 1, let given = tail.payments.first?.amount
        else { return false }
        return !given.isMultiple(of: 5) && !change.isMultiple(of: 5)
    }

    /// Returns how many sources other than the printed line state `value`.
    func support(for value: Int64) -> Int { values.count { $0.key != .printed && $0.value == value } }

    /// Returns the printed total, unless two other sources, including the sum of the lines, agree on another total.
    /// `isRepaired` is false if the value is the printed total or, without one, the value of a single other source.
    func choose(sum: Int64?) -> (value: Int64, isRepaired: Bool)? {
        let printed = values[.printed]
        var votes: [Int64: Int] = [:]
        for (source, value) in values where source != .printed { votes[value, default: 0] += 1 }
        if let sum { votes[sum, default: 0] += 1 }
        if let printed, (votes[printed] ?? 0) > 0 || grossColumn == printed { return (printed, false) }
        if let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value >= 2 {
            return (best.key, true)
        }
        // The amount of the total may be illegible, and the amount that was read, as in `TOTAL  4.10`, is a saving
        // beside it.
        if let sum, sum == paidWithoutChange, votes.keys.allSatisfy({ $0 == sum }) { return (sum, true) }
        if let printed {
            if let paid = values[.payments], paid != printed, otherReadings.contains(paid) { return (paid, true) }
            return (printed, false)
        }
        // Without a total line, use the fiscal code, taxes, payments or slip.
        for source in [Source.fiscalCode, .taxTable, .payments, .slip] {
            if let value = values[source] { return (value, false) }
        }
        // The sum of the lines alone is only a proposal and never proven.
        return sum.map { ($0, true) }
    }
}
