/// The totals that the amounts of a paper imply. They are used to correct a misread total.
struct PaperSums {
    /// Amounts beside a tax rate, which is in thousandths of a percent.
    private let taxed: [(rate: Int64, amount: Int64)]
    /// Net amounts plus the tax at the printed rate.
    private let grosses: Set<Int64>
    /// The cash given minus the change.
    private let cash: Set<Int64>
    /// Bills plus the tip.
    private let bills: Set<Int64>

    /// The range of tax rates of Europe, in thousandths of a percent.
    private static let rates: ClosedRange<Int64> = 2_000...30_000
    /// The maximum number of amounts of a kind that are combined with others.
    private static let maximumAmounts = 40

    init(
        _ lines: [PaperLine], _ amounts: [PaperAmounts.Amount], tip: PaperAmounts.Amount?, given: Set<Int64>,
        changes: Set<Int64>
    ) {
        let taxed = Self.taxed(lines)
        var grosses: Set<Int64> = []
        for (rate, tax) in taxed {
            // The tax is rounded to whole minor units.
            for net in amounts.map(\.value) where net > tax && abs(net * rate - tax * 100_000) <= 60_000 {
                grosses.insert(net + tax)
            }
        }
        self.taxed = taxed
        self.grosses = grosses
        let (largest, smallest) = (
            given.sorted().suffix(Self.maximumAmounts), changes.sorted().prefix(Self.maximumAmounts)
        )
        cash = Set(largest.flatMap { given in smallest.map { given - $0 } }.filter { $0 > 0 })
        var bills: Set<Int64> = []
        if let tip {
            for amount in amounts where amount.line < tip.line && amount.value > 2 * tip.value {
                if lines[amount.line].has(PaperWords.paid) { bills.insert(amount.value + tip.value) }
            }
        }
        self.bills = bills
    }

    private static func taxed(_ lines: [PaperLine]) -> [(rate: Int64, amount: Int64)] {
        var found: [(rate: Int64, amount: Int64)] = []
        for line in lines where found.count < maximumAmounts {
            let readings = [line.figures, line.other.map { PaperLine.figures(in: $0.text) } ?? []]
            for figures in readings {
                let amounts = figures.compactMap(\.amount).filter { $0 > 0 }
                for figure in figures where figure.isPercent {
                    guard let rate = figure.thousandths, rates.contains(rate) else { continue }
                    for amount in amounts { found.append((rate: rate, amount: amount)) }
                }
            }
        }
        return Array(found.prefix(maximumAmounts))
    }

    /// Whether the paper states the tax that the value includes, at a printed rate.
    func includesTax(_ value: Int64) -> Bool {
        taxed.contains { rate, tax in
            tax < value && abs(value * rate - tax * (100_000 + rate)) <= 100_000 + rate
        }
    }

    /// The number of independent statements that imply the value. A net amount, its tax and the rate count twice,
    /// because all three agree.
    private func support(_ value: Int64) -> Int {
        (grosses.contains(value) ? 2 : 0) + (cash.contains(value) ? 1 : 0) + (bills.contains(value) ? 1 : 0)
            + (includesTax(value) ? 1 : 0)
    }

    /// Corrected amounts for misread totals and payments. Each differs from the amount that was read in one digit. At
    /// least two statements imply it, and none implies the amount that was read. Of small amounts, several may fit the
    /// printed tax; all of them are returned.
    ///
    /// A single statement is not enough for a correction: the cash given or the change is misread as often as the
    /// total.
    func corrections(of amounts: [PaperAmounts.Amount], _ lines: [PaperLine]) -> [PaperAmounts.Amount] {
        let known = Set(amounts.map(\.value))
        let implied = grosses.union(cash).union(bills).subtracting(known)
        guard !implied.isEmpty else { return [] }
        return amounts.flatMap { amount -> [PaperAmounts.Amount] in
            let line = lines[amount.line]
            guard line.has(PaperWords.paid) || line.has(PaperWords.payments), !line.has(PaperWords.given),
                support(amount.value) == 0
            else { return [] }
            let meant = Self.neighbours(of: amount.value).filter { implied.contains($0) && support($0) >= 2 }
            return meant.map { amount.corrected(to: $0) }
        }
    }

    /// All values with the same number of digits that differ in one digit.
    private static func neighbours(of value: Int64) -> [Int64] {
        var found: [Int64] = []
        var place: Int64 = 1
        while place <= value {
            let digit = value / place % 10
            let isFirst = value / place < 10
            for other in (isFirst ? Int64(1) : 0)...9 where other != digit {
                found.append(value + (other - digit) * place)
            }
            place *= 10
        }
        return found
    }
}
