import Domain

/// Reads the tax table below the total, and tax rows outside it.
struct TaxTable {
    private(set) var rows: [ParsedReceipt.TaxRow] = []
    /// The row of sums below the rows.
    private(set) var total: ParsedReceipt.TaxRow?
    /// Whether a row is damaged: amounts are missing, or net and tax do not add up to gross.
    private(set) var isBroken = false
    /// Whether the table has short rows, which some tills print only for some rates.
    private(set) var hasShortRows = false
    /// The sum of the gross amounts of rows with a misread net amount or tax.
    private var brokenGross: Int64 = 0
    /// The row of sums of each table, with the number of rows above it.
    private var tables: [(total: ParsedReceipt.TaxRow, end: Int)] = []
    private let printedTotal: Int64?
    /// Whether the current line may belong to a table.
    private var isInside = false
    /// The meaning of the amounts in a table with `%` only in its header: `GR  MWST%  TOTAL  MWST`.
    private var amountKind: AmountKind?

    /// The indices of short rows with an amount so small that it may be gross or net, and the kinds of amounts of the
    /// other short rows.
    private var ambiguous: [Int] = []
    private var shortKinds: Set<AmountKind> = []

    init(printedTotal: Int64?) { self.printedTotal = printedTotal }

    var consistentRows: [ParsedReceipt.TaxRow] { isBroken ? [] : rows }

    /// The sum of the gross column, including rows with a misread net amount or tax.
    var printedGross: Int64 { rows.reduce(brokenGross) { $0 + $1.gross } }

    /// The gross amount of the total row if no row was read or a row is damaged. Otherwise the sum of the rows; nil if
    /// it differs from the total row, or if short rows add up to less than the printed total.
    var sum: Int64? {
        guard !rows.isEmpty, !isBroken else { return total?.gross }
        let sum = rows.reduce(0) { $0 + $1.gross }
        if let total, total.gross != sum { return nil }
        if hasShortRows, let printedTotal, sum < printedTotal { return nil }
        return sum
    }

    /// Reads a line below the total. Returns whether it is a row of the table.
    mutating func read(_ line: ReadLine) -> Bool {
        // Percentages below the card slip or a date are not tax rates.
        if line.has(.slip) || !line.dates.days.isEmpty { isInside = false }
        if line.has(.vatHeader), line.amounts.count != 1 {
            isInside = true
            if line.amounts.isEmpty { amountKind = Self.amountKind(line) }
        }
        if line.amounts.count >= 2 { return store(line) }
        // A damaged row: the table can no longer confirm the total.
        guard isInside, !rows.isEmpty || line.amounts.count == 1, line.figures.contains(where: \.isPercent) else {
            return false
        }
        isBroken = true
        return true
    }

    /// Completes the table after the last line.
    mutating func finish() {
        settleAmbiguousRows()
        findUnnamedTotal()
        joinTables()
    }

    /// Stores a tax row: three amounts, one of them the sum of the others, or two amounts inside a table.
    private mutating func store(_ line: ReadLine) -> Bool {
        let amounts = line.amounts.compactMap(\.amount)
        let isTotalRow = line.begins(with: .vatTotal) || line.begins(with: .total)
        guard amounts.count >= 3 else {
            guard isInside, amounts.count == 2 else { return false }
            return storeShortRow(line, amounts[0], amounts[1]) || markTableBroken(isTotalRow)
        }
        if isInside, storeRowWithoutPercentSign(line, amounts) { return true }
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
                total = row
                tables.append((row, rows.count))
            } else {
                rows.append(row)
            }
            return true
        }
        guard isInside else { return false }
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
            // Small amounts may fit as gross and as net. The kind with exact rounding is right.
            isGross = Self.allows(rate, net: base - tax, tax: tax, tolerance: Self.rounding)
            isNet = Self.allows(rate, net: base, tax: tax, tolerance: Self.rounding)
        }
        if isGross, isNet {
            ambiguous.append(rows.count)
            isNet = false
        }
        guard isGross != isNet else { return false }
        // Without tax, gross and net are equal.
        if ambiguous.last != rows.count, tax != 0 { shortKinds.insert(isGross ? .gross : .net) }
        appendRow(line, rate, base, tax, isGross: isGross)
        hasShortRows = true
        return true
    }

    /// Decides about the ambiguous short rows, which are stored as gross. They have the kind of the other short rows.
    /// Without other short rows, they stay gross if all rows add up to the printed total.
    private mutating func settleAmbiguousRows() {
        guard !ambiguous.isEmpty, shortKinds != [.gross] else { return }
        if shortKinds.isEmpty, rows.reduce(0, { $0 + $1.gross }) == printedTotal { return }
        guard shortKinds == [.net] else {
            isBroken = true
            return
        }
        for index in ambiguous {
            let (net, tax) = (rows[index].gross, rows[index].tax)
            rows[index] = .init(
                vatClass: rows[index].vatClass, rate: rows[index].rate, net: net, tax: tax, gross: net + tax)
        }
    }

    /// Adds a row that prints the tax and either the gross or the net amount, `base`.
    private mutating func appendRow(_ line: ReadLine, _ rate: VATRate, _ base: Int64, _ tax: Int64, isGross: Bool) {
        let gross = isGross ? base : base + tax
        rows.append(.init(vatClass: rowClass(line), rate: rate, net: gross - tax, tax: tax, gross: gross))
    }

    /// Stores a row with the rate, the gross or net amount, and the tax: `0  2.50  6.10  0.15`.
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
        if !isTotalRow { isBroken = true }
        return true
    }

    /// Uses the last row as the row of sums if it is the sum of the rows above. The word before it does not matter.
    private mutating func findUnnamedTotal() {
        guard total == nil, rows.count >= 2, let last = rows.last else { return }
        let sum = rows.dropFirst().dropLast().reduce(rows[0]) { $0.adding($1) }
        guard (sum.net, sum.tax, sum.gross) == (last.net, last.tax, last.gross) else { return }
        total = last
        rows.removeLast()
    }

    /// Joins tables if their sums add up to the printed total. Items sold on behalf of another company have a separate
    /// table.
    private mutating func joinTables() {
        guard let printedTotal, tables.count >= 2, !isBroken, tables.last?.end == rows.count,
            tables.reduce(0, { $0 + $1.total.gross }) == printedTotal
        else { return }
        var start = 0
        for (total, end) in tables {
            guard rows[start..<end].reduce(0, { $0 + $1.gross }) == total.gross else { return }
            start = end
        }
        rows = rows.reduce(into: []) { joined, row in
            if let index = joined.firstIndex(where: { $0.vatClass == row.vatClass && $0.rate == row.rate }) {
                joined[index] = joined[index].adding(row)
            } else {
                joined.append(row)
            }
        }
        total = tables.dropFirst().reduce(tables[0].total) { $0.adding($1.total) }
    }
}
