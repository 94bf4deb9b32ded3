import Domain
import Recognition

/// Converts the result of the search into sections, tail and items.
struct SearchReading {
    let sections: Sections
    let tail: TailReader
    let assembly: ItemAssembly
    let result: ReceiptSearch.Result?

    /// - Parameter itemStart: the index of the line at which the items probably begin.
    init(
        _ lines: [ReadLine], itemStart: Int, place: ChainFacts.QuantityPlace?, fiscal: FiscalCode?,
        rereadings: Rereadings, currency: Currency
    ) {
        let isText = lines.allSatisfy(\.line.isText)
        let end = Self.end(lines)
        // A tail that begins at the last possible end of the items. Only its tax classes are used.
        let guess = TailReader(
            lines, Sections(head: 0..<0, body: 0..<end, total: nil, tail: end..<lines.count), currency: currency)
        let view = LineView(
            lines, body: 0..<end, itemStart: itemStart, place: place,
            taxClasses: Set(guess.taxes.rows.compactMap(\.vatClass)), currency: currency)
        let patterns = LinePatterns(view: view, rereadings: rereadings, isText: isText)
        let search = ReceiptSearch(view, patterns) { place in
            Self.evidence(place, view, fiscal: fiscal, currency: currency)
        }
        let path = (search.best?.path ?? []).map {
            (hypothesis: search.lattice.hypothesis($0), amount: search.lattice.amount($0))
        }
        result = search.best
        let first = path.first { $0.hypothesis.isItem }?.hypothesis.start
        let total = search.best?.place
        let stop = total?.end ?? lines.count
        let firstItem = min(first ?? stop, stop)
        // A quantity that was not understood may be above the first item.
        let start = itemStart < firstItem ? max(itemStart, firstItem - 3) : firstItem
        let below = total?.line.map { $0 + 1 } ?? stop
        sections = Sections(head: 0..<start, body: start..<stop, total: total?.line, tail: below..<lines.count)
        tail = TailReader(lines, sections, currency: currency)
        assembly = ItemAssembly(
            view, path, from: start, doubtful: search.best?.doubtful ?? [],
            isBalanced: search.best?.isBalanced ?? false, taxRows: tail.taxes.rows)
    }

    /// Sets the amounts of the items to those that the search found. Returns false and changes nothing if they do not
    /// add up to `total`, or if a change is doubtful or costs more than `Costs.repair`.
    func setSearchedAmounts(_ items: inout [DraftItem], total: Int64) -> Bool {
        let values = items.map { $0.searched?.value ?? $0.value }
        guard values.allSatisfy({ $0 != nil }), values.reduce(0, { $0 + ($1 ?? 0) }) == total,
            // If another reading is nearly as likely, the amounts that were read stay.
            !items.indices.contains(where: {
                values[$0] != items[$0].value
                    && (items[$0].isSearchDoubtful || items[$0].searched?.cost ?? 0 > Costs.repair)
            })
        else { return false }
        for index in items.indices where values[index] != items[index].value {
            guard let value = values[index] else { continue }
            let quantityConfirms = items[index].quantity?.phrase.product?.magnitude == value.magnitude
            items[index].replaceAmount(by: value, quantityConfirms ? .product : .sum)
            items[index].isRepairConfirmed = quantityConfirms
            items[index].settleKind(isSignLost: items[index].searched?.source == .sign)
        }
        return true
    }

    /// The last possible end of the items: the first line of a total, else the first payment, tax table or card slip.
    private static func end(_ lines: [ReadLine]) -> Int {
        let first = lines.indices.first { lines[$0].price?.isExact ?? false } ?? 0
        let paid =
            lines.indices.first { index in
                index > first
                    && Role.closing.contains { lines[index].begins(with: $0) && lines[index].roles[$0]?.distance == 0 }
            } ?? lines.count
        let total = lines.indices.first {
            $0 >= first && SectionFinder.isTotal(lines[$0]) && !lines[$0].begins(with: .subtotal)
        }
        // A picture without words has no lines.
        return min(max(total ?? paid, 1), lines.count)
    }

    /// Whether a discount and then another total follow. In this case the later total is right.
    private static func isReducedBelow(_ place: TotalPlace, _ view: LineView) -> Bool {
        guard let line = place.line else { return false }
        var isReduced = false
        for other in view.lines[(line + 1)...].prefix(8) {
            if isReduced, SectionFinder.isTotal(other), !other.begins(with: .subtotal) { return true }
            let isReduction = other.has(.discount) || other.has(.coupon) || other.has(.rounding)
            if let value = other.price?.value, isReduction || value < 0, !other.begins(with: .payment) {
                isReduced = true
            } else if Role.closing.contains(where: other.begins) {
                return false
            }
        }
        return false
    }

    /// The evidence for a total in the lines below its place.
    private static func evidence(
        _ place: TotalPlace, _ view: LineView, fiscal: FiscalCode?, currency: Currency
    ) -> TailEvidence {
        let below = place.line.map { $0 + 1 } ?? place.end
        let sections = Sections(head: 0..<0, body: 0..<place.end, total: place.line, tail: below..<view.lines.count)
        let tail = TailReader(view.lines, sections, currency: currency)
        let sources = TotalSources(printed: place.line.flatMap { view.lines[$0].price }, tail: tail, fiscal: fiscal)
        var textCost = 0
        var itemCost = isReducedBelow(place, view) ? Costs.itemBelowTotal : 0
        for line in view.lines[below...] {
            guard let price = line.price else {
                textCost += min(view.textCost(line), Costs.unexplainedFigures)
                continue
            }
            guard price.isExact, line.amounts.count == 1, line.nameLetterCount >= 3,
                view.contradiction(line) == 0, view.isInColumn(line, price.range),
                !line.figures.contains(where: \.isPercent), price.vatClass != nil || !view.printsClasses
            else { continue }
            itemCost += price.vatClass != nil ? Costs.itemBelowTotal : Costs.itemBelowTotal / 3
        }
        return TailEvidence(sources: sources, textCost: textCost, itemCost: itemCost)
    }
}
