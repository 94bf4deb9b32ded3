import Domain
import Recognition

/// Parses recognised pages into a receipt.
///
/// Reads each line alone (figures, dates, key words), finds head, items and tail, assembles items with their
/// quantities, checks the sums, and decides what is proven. The time is linear in the length of the text. Lines beyond
/// `PrintedLine.maximumLines` and scalars beyond `PrintedLine.maximumLength` are ignored.
package struct ReceiptParser: Sendable {
    /// The maximum number of places to read again.
    package static let maximumRereads = 24

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
        let rereadings = Rereadings(rereads)
        let sheets = NeighbourSheet.removed(from: document)
        var best = parse(sheets.document, rereadings, rereads)
        if let larger = sheets.larger, !best.isConfirmedBySums {
            var alone = parse(larger, rereadings, rereads)
            // Words of the other receipt may be among the words of this receipt.
            if alone.state == .proven { alone.state = .review }
            if alone.sumEvidence >= best.sumEvidence { best = alone }
        }
        best.hasOtherSheet = !sheets.others.isEmpty
        if best.state == .proven, let total = best.total?.value.minorUnits,
            sheets.others.contains(where: { isReceipt($0, besides: total) })
        {
            best.state = .review
            best.reasons.append(.laterTotal)
        }
        return best
    }

    /// Whether another sheet is a receipt of its own: it has a total, or a date and several amounts. A card slip of the
    /// same purchase has the same total.
    private func isReceipt(_ other: NeighbourSheet.OtherSheet, besides total: Int64) -> Bool {
        let lines = readLines(of: JoinedPages.candidates(of: other.document)[0], other.document).lines
        let totals = lines.indices.filter {
            SectionFinder.isTotal(lines[$0]) || SectionFinder.hasTotalWord(lines, above: $0)
        }.compactMap { lines[$0].price?.value }.filter { $0 > 0 }
        if !totals.isEmpty { return !totals.contains(total) }
        let amounts = lines.flatMap(\.amounts).compactMap(\.amount)
        return other.isRemoved && amounts.count >= 3 && !amounts.contains(total) && lines.contains(where: \.isDated)
    }

    /// Parses the pages of one receipt.
    private func parse(
        _ document: RecognizedDocument, _ rereadings: Rereadings, _ rereads: [RereadAnswer]
    ) -> ParsedReceipt {
        let document = rereadings.completed(document)
        let candidates = JoinedPages.candidates(of: document)
        var (best, cost) = parse(candidates[0], document, rereadings, rereads)
        // Pages may overlap in several ways. Keeps the reading of the whole receipt with the lowest cost.
        for candidate in candidates.dropFirst() where !best.isConfirmedBySums {
            let (other, otherCost) = parse(candidate, document, rereadings, rereads)
            if otherCost < cost || (otherCost == cost && other.sumEvidence > best.sumEvidence) {
                (best, cost) = (other, otherCost)
            }
        }
        return best
    }

    private func parse(
        _ joined: JoinedPages, _ document: RecognizedDocument, _ rereadings: Rereadings, _ rereads: [RereadAnswer]
    ) -> (ParsedReceipt, cost: Int) {
        let (lines, printed, start) = readLines(of: joined, document)
        let codes = document.pages.enumerated().flatMap { page, content in content.codes.map { (page: page, code: $0) }
        }
        let fiscal = codes.lazy.compactMap { FiscalCode(payload: $0.code.text) }.first ?? printed.text?.code
        let store = StoreReader(lines, head: 0..<start, facts: facts, codes: codes.map(\.code))
        let place = store.chain?.quantity
        let currency = CurrencyReader(lines)
        let found = SearchReading(
            lines, itemStart: start, place: place, fiscal: fiscal, rereadings: rereadings,
            currency: currency.currency)
        let (tail, assembly, sections) = (found.tail, found.assembly, found.sections)
        let totals = TotalSources(printed: sections.total.flatMap { lines[$0].price }, tail: tail, fiscal: fiscal)
        let settled = SettledItems(
            found, lines, totals, rereadings, fiscal: fiscal, isPrint: document.pages.allSatisfy { $0.source != .text })
        let (items, total) = (settled.items, settled.total)
        let printedCount =
            assembly.articleCount ?? tail.articleCount
            ?? sections.total.flatMap { ItemAssembly.countInTotal(lines[$0]) }
        let damagedCount = printedCount == nil ? ArticleCount.damaged(lines, sections, items, facts) : nil
        let articleCount = printedCount ?? damagedCount.flatMap { lines[$0].figures.first?.count }
        let unexplained = assembly.unexplained.filter {
            $0 != damagedCount && !settled.taxLines.contains($0) && !rereadings.showsNoFigure(on: lines[$0].line)
                && !StoreReader.isAddress($0, lines, above: items.first?.lines.min() ?? 0)
        }
        let dates = DateFinder(
            lines, body: sections.body, slip: tail.slip, codes: codes, facts: facts, fiscal: fiscal,
            printed: printed.text, rereads: rereads, asOf: today)
        let gaps = GapFinder.gaps(lines, sections, items, place: place, document)
        let proof = Proof(
            items: items, lines: lines, sections: sections, total: total?.value, isBottleReturn: settled.isBottleReturn,
            totalIsRepaired: total?.isRepaired ?? false, sources: totals, tail: tail, dates: dates,
            fiscal: fiscal, unexplained: unexplained, articleCount: articleCount, gaps: gaps, rereadings: rereadings,
            isCut: joined.isCut, classesFit: settled.classesFit,
            mayLackFirstQuantity: GapFinder.mayLackFirst(lines, sections, items, place: place),
            hasUnreadInk: UnreadInk.isAmongItems(lines, sections, document), currency: currency)
        var reasons = proof.reasons
        if joined.isBroken(within: sections) { reasons.append(.pagesApart) }
        // Fiscal data that is printed as text may contain only the type of the transaction, and no fiscal code.
        if printed.text?.process == .training, !reasons.contains(.training) { reasons.append(.training) }
        if printed.text?.process == .cancellation, !reasons.contains(.cancelled) { reasons.append(.cancelled) }
        var receipt = ReceiptBuilder.build(
            items: items, lines: lines, sections: sections, total: total, tail: tail, dates: dates, store: store,
            fiscal: fiscal, articleCount: articleCount, currency: currency.currency, isBalanced: settled.isBalanced)
        if settled.isBottleReturn { receipt = receipt.negated() }
        receipt.fiscalText = printed.text
        receipt.isTotalRead = total.map { totals.values.values.contains($0.value) } ?? false
        receipt.reasons = reasons
        receipt.state =
            receipt.items.isEmpty && receipt.total == nil ? .unreadable : reasons.isEmpty ? .proven : .review
        receipt.rereads = RereadPlanner.requests(
            drafts: items, lines: lines, dates: dates, gaps: gaps, unexplained: unexplained, reasons: reasons,
            pages: document.pages)
        return (receipt, found.result?.cost ?? 0)
    }

    /// Reads each line alone, and finds the printed fiscal data and the line at which the items probably begin.
    private func readLines(
        of joined: JoinedPages, _ document: RecognizedDocument
    ) -> (lines: [ReadLine], printed: FiscalTextReader, start: Int) {
        let wordMerge = EngineWordMerge(document)
        var lines = GluedClass.parted(
            LeadingAmounts.moved(SplitRates.joined(joined.lines.map(wordMerge.joined))).map {
                ReadLine($0, facts: facts, asOf: today)
            }, facts: facts, asOf: today)
        let (start, total) = SectionFinder.itemBounds(lines)
        let printed = FiscalTextReader(lines, in: (total ?? start)..<lines.count, facts: facts, asOf: today)
        for index in printed.lines { lines[index] = lines[index].asFiscal() }
        return (lines, printed, printed.lines.isEmpty ? start : SectionFinder.itemBounds(lines).start)
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
