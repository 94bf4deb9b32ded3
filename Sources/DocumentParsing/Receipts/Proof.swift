import Domain
import Recognition

/// Decides whether a receipt is proven, and finds the reasons against it.
///
/// The total needs two sources and must be the sum of the lines. A quantity is accepted if quantity × unit price is the
/// amount. A quantity of one is accepted if no line can be a quantity line. Figures that could change without an effect
/// on any sum, such as the last digit of a weight, need a second reading of the same ink as evidence.
struct Proof {
    let items: [DraftItem]
    let lines: [ReadLine]
    let sections: Sections
    let total: Int64?
    /// Whether all items are returned bottles or crates, for which the store pays.
    let isBottleReturn: Bool
    let totalIsRepaired: Bool
    let sources: TotalSources
    let tail: TailReader
    let dates: DateFinder
    let fiscal: FiscalCode?
    let unexplained: [Int]
    let articleCount: Int?
    let gaps: [Place]
    let rereadings: Rereadings
    /// Whether the document has too many lines, so that some were left out.
    let isCut: Bool
    /// Whether the lines of each class can add up to the amounts of the tax table.
    let classesFit: Bool
    /// Whether the quantity line of the first item may be cut off or damaged.
    let mayLackFirstQuantity: Bool
    /// Whether there is ink between the first item and the total that no engine read.
    let hasUnreadInk: Bool
    let currency: CurrencyReader

    var reasons: [ParsedReceipt.Reason] {
        var found: [ParsedReceipt.Reason] = []
        func note(_ reason: ParsedReceipt.Reason, if holds: Bool) { if holds { found.append(reason) } }
        note(.tooLong, if: isCut)
        note(.training, if: tail.isTraining || fiscal?.process == .training)
        note(.cancelled, if: tail.isCancelled || fiscal?.process == .cancellation)
        note(.nothingRead, if: items.isEmpty)
        note(.currencyForeign, if: !currency.isKnown)
        note(.totalMissing, if: total == nil)
        note(.lineUnreadable, if: items.contains { $0.value == nil })
        note(.sumDiffers, if: total != nil && items.sum != total)
        note(.totalUnconfirmed, if: !totalIsConfirmed || amountsLackEvidence)
        note(.laterTotal, if: hasLaterTotal)
        note(
            .repairUnconfirmed,
            if: items.indices.contains { items[$0].repair != nil && !items[$0].isRepairConfirmed && $0 != impliedItem }
                || sumIsContradicted)
        note(.quantityDiffers, if: items.contains(where: quantityDiffers))
        note(.quantityAmbiguous, if: items.contains { $0.quantity?.isAmbiguous ?? false })
        note(.quantityUnconfirmed, if: items.contains(where: isQuantityUncertain) || mayLackFirstQuantity)
        // A doubtful kind does not matter for weighed items, because they are never deposits.
        note(
            .kindDoubtful,
            if: items.contains {
                ($0.isKindDoubtful && $0.quantity?.phrase.unit ?? .piece == .piece) || ($0.isVoid && !$0.isVoidSettled)
            } || (tail.isReturn && isCharged && items.allSatisfy { $0.value ?? 0 >= 0 }))
        note(.unexplainedLine, if: !unexplained.isEmpty)
        // A rereading may show that a gap is empty.
        note(.gapBetweenLines, if: hasUnreadInk || gaps.contains { !rereadings.showsNothing(at: $0) })
        note(.taxTableDiffers, if: taxTableDiffers)
        note(.taxClassDiffers, if: taxClassDiffers || !classesFit)
        note(.articleCountDiffers, if: articleCount.map { !ArticleCount.possible(items).contains(Int64($0)) } ?? false)
        note(
            .paymentDiffers,
            if: sources.values[.payments].map { $0 != total } ?? false || (tail.isPaidOut && isCharged))
        note(.fiscalCodeDiffers, if: fiscalDiffers)
        note(.dateDisagrees, if: dates.hasOtherDate)
        note(.dateUnconfirmed, if: dates.date != nil && (!dates.isConfirmed && !isText || dates.isUncertain))
        note(.dateMissing, if: dates.date == nil && (dates.hasBrokenDay || dates.hasClock || tail.hasFooter))
        return found
    }

    /// Whether the total is positive, which means that the items are sold and not returned.
    private var isCharged: Bool { !isBottleReturn && total ?? 0 > 0 }

    /// Whether amounts in a picture have no evidence except the sum. Errors that cancel each other satisfy the sum too.
    private var amountsLackEvidence: Bool { !isText && !itemsWithoutEvidence.isEmpty && impliedItem == nil }

    /// The indices of the items whose amounts have no evidence besides the sum.
    private var itemsWithoutEvidence: [Int] {
        let evidence = AmountEvidence(
            items: items, lines: lines, taxRows: tail.taxes.consistentRows, rereadings: rereadings)
        return items.indices.filter { !evidence.isConfirmed($0) }
    }

    /// The index of the only amount without evidence besides the sum, if another source confirms the total and the
    /// print allows this amount. All other amounts and the total are known, so this one is implied.
    private var impliedItem: Int? {
        let open = itemsWithoutEvidence
        guard open.count == 1, let index = open.first, let total, items.sum == total, !totalIsRepaired,
            sources.values[.printed] == total, sources.support(for: total) >= 1, let value = items[index].value
        else { return nil }
        let item = items[index]
        let isPrinted = item.repair == nil && item.price.isExact
        return isPrinted || item.price.candidates.contains { $0.value == value && $0.source != .sign } ? index : nil
    }

    /// Whether a second engine read the page.
    var hasSecondEngine: Bool { lines.contains { !$0.line.otherEngineWords.isEmpty } }

    /// Whether two engines read the page, the total was not repaired, and every item has evidence besides the sum.
    private var isTotalSupportedByItems: Bool {
        !totalIsRepaired && hasSecondEngine && sections.total != nil && itemsWithoutEvidence.isEmpty
    }

    /// Whether both engines read the same total.
    private var isTotalReadAlike: Bool {
        guard let index = sections.total, let price = lines[index].price else { return false }
        return lines[index].line.isReadAlike(at: price.range)
    }

    var isText: Bool { lines.allSatisfy(\.line.isText) }

    /// Whether an amount was repaired by the sum although a rereading of a line contradicts an amount of that sum.
    private var sumIsContradicted: Bool {
        items.contains { $0.repair?.reason == .sum }
            && items.contains { item in
                let seen = rereadings.amounts(at: item.pricePlace)
                return !seen.isEmpty && !seen.contains { $0.value.magnitude == item.value?.magnitude }
            }
    }

    // MARK: Total

    /// Whether the printed total is the sum of the lines, and is confirmed by another source or by the evidence for
    /// each line. A receipt with one line needs more evidence, because item, total and payment are the same figure.
    private var totalIsConfirmed: Bool {
        guard let total, items.sum == total else { return false }
        guard sources.values[.printed] == total || totalIsRepaired else { return false }
        let support = sources.support(for: total)
        if totalIsRepaired || isTotalMisread, support < 2 { return false }
        guard support >= 1 || (totalEndsList && isTotalSupportedByItems) else { return false }
        if items.count >= 2 || isText { return true }
        // A payment is not an item, even if its word was misread.
        if let index = items.first?.lines.first, [Role.payment, .change, .slip].contains(where: lines[index].begins) {
            return false
        }
        // Item, total and payment are the same figure and may be misread the same way. Another equation must hold.
        if support >= 1, isTotalSupportedByItems, isTotalReadAlike { return true }
        if fiscal != nil || (sources.values[.payments] == total && (tail.change ?? 0) != 0) { return true }
        if items.first?.quantity?.phrase.product == total { return true }
        return taxes.sum == total && (taxes.total.map { $0.net + $0.tax == $0.gross } ?? true)
            && (taxes.rows.isEmpty ? [taxes.total].compactMap { $0 } : taxes.rows).allSatisfy { row in
                let rates = row.rate.map { [$0] } ?? VATRate.known
                return row.tax != 0 && row.net + row.tax == row.gross
                    && rates.contains { TaxTable.allows($0, net: row.net, tax: row.tax) }
            }
    }

    /// Whether the word before the total is unknown, so that the line may have another meaning: `TaTsL EUR  15,24`.
    private var isTotalMisread: Bool {
        guard let index = sections.total else { return false }
        let line = lines[index]
        return !line.isNameless && !SectionFinder.isTotal(line)
            && ![Role.total, .weakTotal, .subtotal, .count].contains { line.has($0) }
    }

    /// Whether no discount or item follows between the total and the payment or taxes. If one follows, the total may be
    /// a subtotal.
    private var totalEndsList: Bool {
        guard let index = sections.total, !lines[index].has(.subtotal) else { return false }
        for line in lines[(index + 1)...] {
            // `MwSt.-Senkung -0,38`, `MARKT RABATT -1,00`: reductions may contain words of the tax table or the footer.
            let isReduction = line.has(.discount) || line.has(.coupon) || (line.price?.value ?? 0) < 0
            if isReduction, !line.begins(with: .payment) { return false }
            if [Role.payment, .change, .vatHeader].contains(where: line.begins) { return true }
            if line.has(.slip) || line.has(.vatHeader) || line.has(.footer) { return true }
            if !line.amounts.isEmpty || line.price != nil { return false }
        }
        return true
    }

    private var hasLaterTotal: Bool {
        tail.hasSecondReceipt
            || tail.laterTotals.contains {
                $0 != total && !tail.payments.map(\.amount).contains($0) && sections.total != nil
                    && $0 > (total ?? 0) / 2
            }
    }

    // MARK: Tables

    private var taxes: TaxTable { tail.taxes }

    private var taxTableDiffers: Bool {
        // A misread row does not contradict the total if the table's sum row confirms it.
        if taxes.isBroken, let total, taxes.total?.gross == total { return false }
        // The gross column and its sum agree on another total.
        if taxes.isBroken, let other = taxes.total?.gross, other == taxes.printedGross { return true }
        // A misread net or tax is ignored if the gross column gives the total, or strong evidence outweighs it.
        if taxes.isBroken, taxes.printedGross != total {
            // Payments and change are printed with other digits than the total, so they are independent evidence.
            let isPaidWithChange =
                sources.values[.payments] == total && (tail.change ?? tail.amountsWithoutKeyWord.first ?? 0) != 0
            return !isPaidWithChange && fiscal == nil && sources.support(for: total ?? .min) < 2
        }
        guard let taxed = taxes.sum else {
            return taxes.total != nil && !taxes.rows.isEmpty && !taxes.isBroken
        }
        return taxed != total
    }

    /// Whether the lines of a class do not add up to the gross amount of that class.
    private var taxClassDiffers: Bool {
        !taxes.isBroken && !(taxes.hasShortRows && taxes.sum == nil)
            && TaxClasses.fits(items, rows: taxes.rows) == false
    }

    private var fiscalDiffers: Bool {
        guard let fiscal else { return false }
        if fiscal.total != total { return true }
        if let day = fiscal.date, let printed = dates.date?.value, day != printed { return true }
        return false
    }
}
