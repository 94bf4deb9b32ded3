import Domain
import Recognition

/// Parses recognised pages into a receipt.
///
/// Reads each line alone (figures, dates, key words), finds head, items and tail, assembles items with their
/// quantities, checks the sums, and decides what is proven. The time is linear in the length of the text. Lines beyond
/// `PrintedLine.most` and scalars beyond `PrintedLine.longest` are ignored.
package struct ReceiptParser: Sendable {
    /// The maximum number of places to read again.
    package static let mostRereads = 24

    /// Known facts about chains and receipts. The search for personal details in the text uses the same facts.
    package let facts: ChainFacts
    private let today: LocalDate

    /// - Parameter today: dates after tomorrow are not accepted as purchase dates.
    package init(facts: ChainFacts = .builtIn, today: LocalDate) {
        self.facts = facts
        self.today = today
    }

    /// - Parameter rereads: answers to `ParsedReceipt.rereads` of an earlier call with the same document.
    package func parse(_ document: RecognizedDocument, rereads: [RereadAnswer] = []) -> ParsedReceipt {
        let second = SecondReadings(rereads)
        let sheets = NeighbourSheet.removed(from: document)
        let document = second.completed(sheets.document)
        let candidates = JoinedPages.candidates(of: document)
        var (best, cost) = parse(candidates[0], document, second, rereads)
        // Pages may overlap in several ways. The cheapest reading of the whole receipt wins.
        for candidate in candidates.dropFirst() where !best.isConfirmedBySums {
            let (other, otherCost) = parse(candidate, document, second, rereads)
            if otherCost < cost || (otherCost == cost && other.sumEvidence > best.sumEvidence) {
                (best, cost) = (other, otherCost)
            }
        }
        best.hasOtherSheet = sheets.hasOther
        return best
    }

    private func parse(
        _ joined: JoinedPages, _ document: RecognizedDocument, _ second: SecondReadings, _ rereads: [RereadAnswer]
    ) -> (ParsedReceipt, cost: Int) {
        let witnesses = EngineWordMerge(document)
        var lines = GluedClass.parted(
            joined.lines.map { ReadLine(witnesses.joined($0), facts: facts, asOf: today) }, facts: facts, asOf: today)
        let whole = SectionFinder.sections(lines)
        let printed = FiscalTextReader(
            lines, in: (whole.total ?? whole.body.lowerBound)..<lines.count, facts: facts, asOf: today)
        for index in printed.lines { lines[index] = lines[index].asFiscal() }
        var sections = printed.lines.isEmpty ? whole : SectionFinder.sections(lines)
        let codes = document.pages.enumerated().flatMap { page, content in content.codes.map { (page: page, code: $0) }
        }
        let fiscal = codes.lazy.compactMap { FiscalCode(payload: $0.code.text) }.first ?? printed.text?.code
        let store = StoreReader(lines, head: sections.head, facts: facts, codes: codes.map(\.code))
        let currency = CurrencyReader(lines)
        let found = SearchReading(
            lines, goods: sections.body.lowerBound, place: store.chain?.quantity, fiscal: fiscal, second: second,
            currency: currency.currency)
        let (tail, assembly) = (found.tail, found.assembly)
        sections = found.sections
        var drafts = assembly.items
        TaxClasses.clean(&drafts, rows: tail.taxes.rows)
        let isPrint = document.pages.allSatisfy { $0.source != .text }
        for index in drafts.indices {
            second.correctQuantity(&drafts[index])
            if isPrint, let amount = drafts[index].value { drafts[index].quantity?.dropSpeck(amount: amount) }
        }
        let totals = TotalSources(printed: sections.total.flatMap { lines[$0].price }, tail: tail, fiscal: fiscal)
        let taxLines = IncludedTax.drop(from: &drafts, lines, total: totals.values[.printed])
        var chosen = totals.choose(sum: drafts.isEmpty ? nil : drafts.sum)
        if let result = found.result, result.isBalanced, let total = result.total {
            chosen = (total.value, total.source != nil)
        }
        let balance = Balance(
            drafts, total: chosen?.value,
            readings: drafts.map { second.otherAmounts(of: $0, lines) },
            taxRows: tail.taxes.consistentRows)
        var items = balance.items
        var isBalanced = balance.isBalanced
        if !isBalanced, let total = chosen?.value, found.setSearchedAmounts(&items, total: total) { isBalanced = true }
        // Drop roundings that the sum showed to be zero.
        items.removeAll { $0.kind == .rounding && $0.value == 0 }
        let empties =
            isBalanced
            ? PaidOut.empties(items, lines, tail: tail, total: chosen?.value, fiscal: fiscal) : nil
        if empties == .likely { for index in items.indices { items[index].isKindDoubtful = true } }
        // `Leergut 0,25 EUR  4,00`: empties with a positive amount in the sum are charged deposits.
        if isBalanced, empties == nil {
            for index in items.indices where items[index].kind == .depositReturn && items[index].value ?? 0 > 0 {
                items[index].kind = .deposit
            }
        }
        for index in items.indices {
            second.confirmQuantity(&items[index])
            if items[index].isQuantityWitnessed(lines) { items[index].quantity?.isConfirmed = true }
        }
        let classes = TaxClassSearch(items, rows: tail.taxes.consistentRows, total: chosen?.value)
        if let classes {
            let settled = items.indices.map { classes.vat(of: $0, in: items) }
            for index in items.indices { items[index].vat = settled[index] }
        }
        let printedCount =
            assembly.articleCount ?? tail.articleCount
            ?? sections.total.flatMap { ItemAssembly.countInTotal(lines[$0]) }
        let damagedCount = printedCount == nil ? ArticleCount.damaged(lines, sections, items, facts) : nil
        let articleCount = printedCount ?? damagedCount.flatMap { lines[$0].figures.first?.count }
        let unexplained = assembly.unexplained.filter {
            $0 != damagedCount && !taxLines.contains($0) && !second.showsNoFigure(on: lines[$0].line)
                && !StoreReader.isAddress($0, lines, above: items.first?.lines.min() ?? 0)
        }
        let dates = DateFinder(
            lines, body: sections.body, slip: tail.slip, codes: codes, facts: facts, fiscal: fiscal,
            printed: printed.text, rereads: rereads, asOf: today)
        let gaps = GapFinder.gaps(lines, sections, items, place: store.chain?.quantity, document)
        let proof = Proof(
            items: items, lines: lines, sections: sections, total: chosen?.value, isBottleReturn: empties != nil,
            totalIsRepaired: chosen?.isRepaired ?? false, witnesses: totals, tail: tail, dates: dates,
            fiscal: fiscal, unexplained: unexplained, articleCount: articleCount, gaps: gaps, second: second,
            isCut: joined.isCut, classesFit: classes?.fits ?? true,
            mayLackFirstQuantity: GapFinder.mayLackFirst(lines, sections, items, place: store.chain?.quantity),
            hasUnreadInk: UnreadInk.isAmongGoods(lines, sections, document), currency: currency)
        var reasons = proof.reasons
        if joined.isBroken(within: sections) { reasons.append(.pagesApart) }
        // The printed text may hold only the type of the signed transaction.
        if printed.text?.process == .training, !reasons.contains(.training) { reasons.append(.training) }
        if printed.text?.process == .cancellation, !reasons.contains(.cancelled) { reasons.append(.cancelled) }
        var receipt = ReceiptBuilder.build(
            items: items, lines: lines, sections: sections, total: chosen, tail: tail, dates: dates,
            store: store, fiscal: fiscal, articleCount: proof.articleCount, currency: currency.currency,
            isBalanced: isBalanced)
        if empties != nil { receipt = receipt.paidByShop() }
        receipt.fiscalText = printed.text
        receipt.isTotalRead = chosen.map { total in totals.values.values.contains(total.value) } ?? false
        receipt.reasons = reasons
        receipt.state =
            receipt.items.isEmpty && receipt.total == nil ? .unreadable : reasons.isEmpty ? .proven : .review
        receipt.rereads = RereadPlanner.requests(
            drafts: items, lines: lines, dates: dates, gaps: gaps, unexplained: unexplained, reasons: reasons,
            pages: document.pages)
        return (receipt, found.result?.cost ?? 0)
    }
}

extension ParsedReceipt {
    /// How well the sums confirm a reading; higher is better.
    fileprivate var sumEvidence: (Int, Int) {
        let open: Set<Reason> = [.nothingRead, .totalMissing, .sumDiffers, .lineUnreadable]
        let weak: Set<Reason> = [.totalUnconfirmed, .repairUnconfirmed, .taxTableDiffers, .articleCountDiffers]
        let repairs = items.count { $0.total?.repair != nil }
        if reasons.contains(where: open.contains) { return (0, 0) }
        return (reasons.contains(where: weak.contains) ? 1 : 2, -repairs)
    }

    fileprivate var isConfirmedBySums: Bool { sumEvidence == (2, 0) }
}
