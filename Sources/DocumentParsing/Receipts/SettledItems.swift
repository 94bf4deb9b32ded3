import Domain

/// The items after their amounts, kinds and quantities were compared with the total and the tax table.
struct SettledItems {
    private(set) var items: [DraftItem]
    private(set) var total: (value: Int64, isRepaired: Bool)?
    private(set) var isBalanced: Bool
    /// Whether all items are returned bottles or crates for which the store paid.
    private(set) var isBottleReturn = false
    /// Whether the lines of each class can add up to the amounts of the tax table.
    private(set) var classesFit = true
    /// Lines of taxes that are part of the prices above them.
    let taxLines: Set<Int>

    /// - Parameter isPrint: whether all pages are pictures, on which specks may be read as figures.
    init(
        _ found: SearchReading, _ lines: [ReadLine], _ totals: TotalSources, _ rereadings: Rereadings,
        fiscal: FiscalCode?, isPrint: Bool
    ) {
        let taxes = found.tail.taxes
        var drafts = found.assembly.items
        TaxClasses.clean(&drafts, rows: taxes.rows)
        for index in drafts.indices {
            rereadings.correctQuantity(&drafts[index])
            if isPrint, let amount = drafts[index].value { drafts[index].quantity?.dropSpeck(amount: amount) }
        }
        taxLines = IncludedTax.drop(from: &drafts, lines, total: totals.values[.printed])
        total = totals.choose(sum: drafts.isEmpty ? nil : drafts.sum)
        if let result = found.result, result.isBalanced, let searched = result.total {
            total = (searched.value, searched.source != nil)
        }
        let balance = Balance(
            drafts, total: total?.value, readings: drafts.map { rereadings.otherAmounts(of: $0, lines) },
            taxRows: taxes.consistentRows)
        items = balance.items
        isBalanced = balance.isBalanced
        if !isBalanced, let total, found.setSearchedAmounts(&items, total: total.value) { isBalanced = true }
        // Drop roundings that the sum showed to be zero.
        items.removeAll { $0.kind == .rounding && $0.value == 0 }
        settleEmpties(lines, found.tail, fiscal)
        for index in items.indices {
            rereadings.confirmQuantity(&items[index])
            if items[index].isQuantityReadByBoth(lines) { items[index].quantity?.isConfirmed = true }
        }
        let evidence = AmountEvidence(items: items, lines: lines, taxRows: [], rereadings: rereadings)
        for index in items.indices where items[index].repair != nil && evidence.isReadByBoth(index) {
            items[index].isRepairConfirmed = true
        }
        settleClasses(taxes)
    }

    private mutating func settleEmpties(_ lines: [ReadLine], _ tail: TailReader, _ fiscal: FiscalCode?) {
        guard isBalanced else { return }
        let empties = PaidOut.empties(items, lines, tail: tail, total: total?.value, fiscal: fiscal)
        isBottleReturn = empties != nil
        for index in items.indices {
            if empties == .likely { items[index].isKindDoubtful = true }
            // `Leergut 0,25 EUR  4,00`: a deposit return with a positive amount in the sum is a charged deposit.
            if empties == nil, items[index].kind == .depositReturn, items[index].value ?? 0 > 0 {
                items[index].kind = .deposit
            }
        }
    }

    private mutating func settleClasses(_ taxes: TaxTable) {
        guard let classes = TaxClassSearch(items, rows: taxes.consistentRows, total: total?.value) else { return }
        classesFit = classes.fits ?? true
        let settled = items.indices.map { classes.vatClass(of: $0, in: items) }
        for index in items.indices { items[index].vatClass = settled[index] }
    }
}
