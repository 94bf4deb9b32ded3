import Domain

/// Reads the lines below the total: payments, change, tax table, card slip.
struct TailReader {
    private(set) var payments: [(name: String, amount: Int64)] = []
    private(set) var change: Int64?
    /// The rounding of a cash payment below the total: `Rundung 0.01`.
    private(set) var cashRounding: Int64 = 0
    private(set) var taxRows: [ParsedReceipt.TaxRow] = []
    /// The row of sums below the tax rows.
    private(set) var taxTotal: ParsedReceipt.TaxRow?
    /// The row of sums of each tax table, with the number of tax rows above it.
    private var taxTables: [(total: ParsedReceipt.TaxRow, end: Int)] = []
    /// Whether a row of the table has a net and a tax that do not add up to its gross.
    private(set) var hasBrokenTaxRow = false
    /// The sum of the gross amounts of the rows whose net or tax was misread.
    private(set) var brokenGross: Int64 = 0
    /// Whether the table has short rows, which some tills print only for some rates.
    private(set) var isPartial = false
    /// Amounts on a card slip.
    private(set) var slipAmounts: [Int64] = []
    private(set) var articleCount: Int?
    /// Amounts below the payments whose key word was not read; one of them may be the change.
    private(set) var unnamed: [Int64] = []
    /// The lines of the card slip.
    private(set) var slip: Range<Int>?
    /// Whether a line of the footer was found; every complete receipt has one.
    private(set) var hasFooter = false
    /// Amounts of further totals below the total.
    private(set) var laterTotals: [Int64] = []
    /// Whether goods and their sum follow a payment: the picture shows two receipts.
    private(set) var hasSecondReceipt = false
    /// Whether the shop paid the customer, and the customer paid nothing.
    private(set) var isPaidOut = false
    /// Whether a heading above or among the goods says that they are returned.
    private(set) var isReturn = false
    /// Whether the receipt is an exercise of the till's training mode.
    private(set) var isTraining = false
    /// Whether the whole receipt was cancelled.
    private(set) var isCancelled = false

    /// Vouchers below the total, which may or may not be payments.
    private var vouchers: [(name: String, amount: Int64, isBelowPayment: Bool)] = []
    private let printedTotal: Int64?
    /// The meaning of the amounts in a table with `%` only in its header: `GR  MWST%  TOTAL  MWST`.
    private var amountKind: AmountKind?

    init(_ lines: [ReadLine], _ sections: Sections, currency: Currency) {
        printedTotal = sections.total.flatMap { lines[$0].price?.value }
        var expectsChange = false
        var inTable = false
        for index in sections.tail {
            let line = lines[index]
            if line.has(.footer) { hasFooter = true }
            if articleCount == nil { articleCount = ItemAssembly.count(line) }
            if slip == nil, line.has(.slip) { slip = index..<lines.count }
            // Percentages below the card slip or a date are not tax rates.
            if line.has(.slip) || !line.dates.days.isEmpty { inTable = false }
            if line.has(.vatHeader), line.amounts.isEmpty || line.amounts.count >= 2 {
                inTable = true
                if line.amounts.isEmpty { amountKind = Self.amountKind(line) }
            }
            if line.amounts.count >= 2, storeTaxRow(line, inTable: inTable) {
                slip = slip.map { $0.lowerBound..<index }
                continue
            }
            // A damaged tax row: the table can no longer confirm the total.
            if inTable, !taxRows.isEmpty || line.amounts.count == 1, line.figures.contains(where: \.isPercent),
                line.amounts.count < 2
            {
                hasBrokenTaxRow = true
                continue
            }
            // Totals and payments in another currency do not count.
            if let other = CurrencyReader.printed(on: line), other != currency { continue }
            if let price = line.price, let value = price.value, line.amounts.count <= 1 {
                storeAmount(
                    line, value, isExact: price.isExact, expectsChange: &expectsChange,
                    inSlip: slip?.contains(index) ?? false)
            } else if line.begins(with: .change) {
                expectsChange = true
            }
        }
        countVouchers()
        findUnnamedTaxTotal()
        joinTaxTables()
        for line in lines[sections.head] + lines[sections.tail] {
            if line.begins(with: .training) { isTraining = true }
            if line.begins(with: .cancelled) || line.isAlone(.cancelledAlone) { isCancelled = true }
        }
        isReturn = (lines[sections.head] + lines[sections.body]).contains { $0.isAlone(.returned) }
        // Tills also print these words between the goods and after other words. A line with a price is an item.
        for line in lines where line.price == nil && !line.begins(with: .payment) {
            if line.roles[.training]?.distance == 0 { isTraining = true }
            if line.roles[.cancelled]?.distance == 0 { isCancelled = true }
        }
        hasSecondReceipt = Self.showsSecondReceipt(lines[sections.tail])
    }

    /// Counts vouchers that complete the payments as payments. Otherwise the shop gave them to the customer.
    private mutating func countVouchers() {
        let handedOver = vouchers.reduce(0) { $0 + $1.amount }
        guard handedOver > 0 else { return }
        if let printedTotal, (paid ?? 0) + handedOver == printedTotal {
            payments = vouchers.map { ($0.name, $0.amount) } + payments
        } else {
            unnamed += vouchers.filter(\.isBelowPayment).map(\.amount)
        }
    }

    /// Uses the last row as the row of sums if it is the sum of the rows above, whatever word precedes it.
    private mutating func findUnnamedTaxTotal() {
        guard taxTotal == nil, taxRows.count >= 2, let last = taxRows.last else { return }
        let sum = taxRows.dropFirst().dropLast().reduce(taxRows[0]) { $0.adding($1) }
        guard (sum.net, sum.tax, sum.gross) == (last.net, last.tax, last.gross) else { return }
        taxTotal = last
        taxRows.removeLast()
    }

    /// Joins tables whose sums add up to the printed total: goods sold on behalf of another firm have a separate table.
    private mutating func joinTaxTables() {
        guard let printedTotal, taxTables.count >= 2, !hasBrokenTaxRow, taxTables.last?.end == taxRows.count,
            taxTables.reduce(0, { $0 + $1.total.gross }) == printedTotal
        else { return }
        var start = 0
        for (total, end) in taxTables {
            guard taxRows[start..<end].reduce(0, { $0 + $1.gross }) == total.gross else { return }
            start = end
        }
        taxRows = taxRows.reduce(into: []) { joined, row in
            if let index = joined.firstIndex(where: { $0.vatClass == row.vatClass && $0.rate == row.rate }) {
                joined[index] = joined[index].adding(row)
            } else {
                joined.append(row)
            }
        }
        taxTotal = taxTables.dropFirst().reduce(taxTables[0].total) { $0.adding($1.total) }
    }

    /// The sum of the gross column if it is complete and agrees with the total row. If rows are missing or damaged, the
    /// gross amount of the total row; otherwise nil.
    var taxedTotal: Int64? {
        guard !taxRows.isEmpty, !hasBrokenTaxRow else { return taxTotal?.gross }
        let sum = taxRows.reduce(0) { $0 + $1.gross }
        if let taxTotal, taxTotal.gross != sum { return nil }
        if isPartial, let printedTotal, sum < printedTotal { return nil }
        return sum
    }

    /// Stores the amount of a line by its key word: change, rounding, payment, voucher, later total or card slip.
    private mutating func storeAmount(
        _ line: ReadLine, _ value: Int64, isExact: Bool, expectsChange: inout Bool, inSlip: Bool
    ) {
        if line.begins(with: .change) || (expectsChange && line.begins(with: .payment)) {
            if change == nil { change = abs(value) }
            expectsChange = false
        } else if line.begins(with: .rounding), isExact, abs(value) < 5 {
            cashRounding = value
        } else if line.begins(with: .payment), isExact {
            let last = payments.last
            if inSlip, last.map({ abs($0.amount) == abs(value) }) ?? false { return slipAmounts.append(value) }
            isPaidOut = line.has(.paidOut) && (isPaidOut || payments.isEmpty)
            payments.append((NameReader.name(line, line.nameRange, classBefore: false).text, value))
        } else if line.begins(with: .rest) {
            return
        } else if line.begins(with: .coupon), isExact, value > 0, change == nil, !inSlip {
            let name = NameReader.name(line, line.nameRange, classBefore: false).text
            vouchers.append((name, value, !payments.isEmpty))
        } else if isExact, !payments.isEmpty, change == nil, !inSlip, value != 0, !SectionFinder.isTotal(line) {
            unnamed.append(abs(value))
        } else if SectionFinder.isTotal(line) {
            laterTotals.append(value)
        } else if line.begins(with: .weakTotal) || line.begins(with: .columnHeader) {
            slipAmounts.append(value)
        }
    }

    /// Stores a tax row: three amounts of which one is the sum of the others, or two amounts inside a table.
    private mutating func storeTaxRow(_ line: ReadLine, inTable: Bool) -> Bool {
        let amounts = line.amounts.compactMap(\.amount)
        let isTotalRow = line.begins(with: .vatTotal) || line.begins(with: .total)
        guard amounts.count >= 3 else {
            guard inTable, amounts.count == 2 else { return false }
            return storeShortRow(line, amounts[0], amounts[1]) || markTableBroken(isTotalRow)
        }
        if inTable, storeRowWithoutPercentSign(line, amounts) { return true }
        var last = Array(amounts.suffix(3))
        // `0,21- 0,04- 0,25:`: some of three trailing minus signs were lost. Magnitudes that add up share one sign.
        if last.contains(where: { $0 < 0 }), last.contains(where: { $0 > 0 }),
            abs(last[0].magnitude.distance(to: last[2].magnitude)) == Int(last[1].magnitude),
            last[2].magnitude > last[0].magnitude
        {
            last = last.map { -abs($0) }
        }
        for gross in [2, 0, 1] {
            let others = (0..<3).filter { $0 != gross }.map { last[$0] }
            guard abs(others[0] + others[1] - last[gross]) <= 1, last[gross] != 0,
                (others[0] < 0) == (last[gross] < 0) || others[0] == 0
            else { continue }
            let (net, tax) =
                others[0].magnitude >= others[1].magnitude ? (others[0], others[1]) : (others[1], others[0])
            let row = ParsedReceipt.TaxRow(
                vatClass: isTotalRow ? nil : rowClass(line), rate: Self.rate(line, net: net, tax: tax), net: net,
                tax: tax, gross: last[gross])
            if isTotalRow, row.rate == nil || line.figures.allSatisfy({ !$0.isPercent }) {
                taxTotal = row
                taxTables.append((row, taxRows.count))
            } else {
                taxRows.append(row)
            }
            return true
        }
        guard inTable else { return false }
        if !isTotalRow { brokenGross += last[2] }
        return markTableBroken(isTotalRow)
    }

    /// Stores a row with the tax and either gross or net: `20% MWST v. 5.99 = 1.00`, `20% MwSt. 1,00 von 5,99`.
    private mutating func storeShortRow(_ line: ReadLine, _ first: Int64, _ second: Int64) -> Bool {
        let (base, tax) = first.magnitude < second.magnitude ? (second, first) : (first, second)
        let rates = Self.rates(line)
        guard rates.count == 1, let rate = rates.first, base != 0 else { return false }
        var isGross = Self.allows(rate, net: base - tax, tax: tax)
        var isNet = Self.allows(rate, net: base, tax: tax)
        if rate.tenthsOfPercent == 0 {
            // `0% MWST v. 0.50 = 0.00`: a tax-free amount.
            (isGross, isNet) = (tax == 0, false)
        } else if isGross, isNet {
            // Small amounts may fit as gross and as net. The one with exact rounding is right.
            isGross = Self.allows(rate, net: base - tax, tax: tax, tolerance: Self.rounding)
            isNet = Self.allows(rate, net: base, tax: tax, tolerance: Self.rounding)
        }
        guard isGross != isNet else { return false }
        appendRow(line, rate, base, tax, isGross: isGross)
        isPartial = true
        return true
    }

    /// Adds a row of which the tax and either the gross or the net amount, `base`, is printed.
    private mutating func appendRow(_ line: ReadLine, _ rate: VATRate, _ base: Int64, _ tax: Int64, isGross: Bool) {
        let gross = isGross ? base : base + tax
        taxRows.append(.init(vatClass: rowClass(line), rate: rate, net: gross - tax, tax: tax, gross: gross))
    }

    /// Stores a row of rate, gross or net, and tax: `0  2.50  6.10  0.15`.
    private mutating func storeRowWithoutPercentSign(_ line: ReadLine, _ amounts: [Int64]) -> Bool {
        guard let amountKind, amounts.count == 3, !line.figures.contains(where: \.isPercent),
            amounts[0].isMultiple(of: 10), case let rate = VATRate(tenthsOfPercent: Int(amounts[0] / 10)),
            rate.tenthsOfPercent > 0, VATRate.known.contains(rate)
        else { return false }
        let (base, tax) = (amounts[1], amounts[2])
        let mayBeGross = amountKind != .net && Self.allows(rate, net: base - tax, tax: tax)
        let mayBeNet = amountKind != .gross && Self.allows(rate, net: base, tax: tax)
        guard base > tax, mayBeGross != mayBeNet else { return false }
        appendRow(line, rate, base, tax, isGross: mayBeGross)
        return true
    }

    /// Records a damaged row, unless it is the row of sums. Returns true: the line belongs to the table.
    private mutating func markTableBroken(_ isTotalRow: Bool) -> Bool {
        if !isTotalRow { hasBrokenTaxRow = true }
        return true
    }
}
