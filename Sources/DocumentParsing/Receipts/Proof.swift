import Domain
import Recognition

/// Decides whether a receipt is proven, and says what stands against it.
///
/// The total must be said by two witnesses and be the sum of the lines; a quantity is implied by its product, and a
/// quantity of one by the absence of anything that could be a quantity line. Where a figure could be changed without any
/// sum noticing, such as the last digit of a weight, only a second reading of the same ink counts as evidence.
struct Proof {
    let items: [DraftItem]
    let lines: [ReadLine]
    let sections: Sections
    let total: Int64?
    let totalIsRepaired: Bool
    let witnesses: TotalWitnesses
    let tail: TailReader
    let dates: DateFinder
    let fiscal: FiscalCode?
    let unexplained: [Int]
    let articleCount: Int?
    let gaps: [Place]
    let second: SecondReadings
    let isCut: Bool

    var reasons: [ParsedReceipt.Reason] {
        var found: [ParsedReceipt.Reason] = []
        func note(_ reason: ParsedReceipt.Reason, if holds: Bool) { if holds { found.append(reason) } }
        note(.tooLong, if: isCut)
        note(.training, if: tail.isTraining || fiscal?.process == .training)
        note(.cancelled, if: tail.isCancelled || fiscal?.process == .cancellation)
        note(.nothingRead, if: items.isEmpty)
        note(.totalMissing, if: total == nil)
        note(.lineUnreadable, if: items.contains { $0.value == nil })
        note(.sumDiffers, if: total != nil && sum != total)
        note(.totalUnconfirmed, if: !totalIsConfirmed || mayBeConfused)
        note(.laterTotal, if: hasLaterTotal)
        note(.repairUnconfirmed, if: items.contains { $0.repair != nil && !$0.isRepairConfirmed })
        note(.quantityDiffers, if: items.contains(where: quantityDiffers))
        note(.quantityAmbiguous, if: items.contains { $0.quantity?.isAmbiguous ?? false })
        note(.quantityUnconfirmed, if: items.contains(where: quantityIsOpen))
        // What is weighed is no deposit.
        note(
            .kindDoubtful,
            if: items.contains { ($0.isKindDoubtful && $0.quantity?.phrase.unit ?? .piece == .piece) || $0.isVoid })
        note(.unexplainedLine, if: !unexplained.isEmpty)
        note(.gapBetweenLines, if: hasGap)
        note(.taxTableDiffers, if: taxTableDiffers)
        note(.taxClassDiffers, if: taxClassDiffers)
        note(.articleCountDiffers, if: countDiffers)
        note(.paymentDiffers, if: witnesses.values[.payments].map { $0 != total } ?? false)
        note(.fiscalCodeDiffers, if: fiscalDiffers)
        note(.dateDisagrees, if: dates.disagrees)
        note(.dateUnconfirmed, if: dates.date != nil && !dates.isConfirmed && !isText)
        note(.dateMissing, if: dates.date == nil && (dates.hasBrokenDay || dates.hasClock || tail.hasFooter))
        return found
    }

    private var mayBeConfused: Bool { !isText && DigitConfusion.isPossible(items, total: total, tail: tail) }

    private var isText: Bool { lines.allSatisfy(\.line.isText) }

    private var sum: Int64? {
        items.reduce(Int64?(0)) { sum, item in sum.flatMap { known in item.value.map { known + $0 } } }
    }

    // MARK: Total

    /// The printed total agrees with the lines and with another witness, and not all of it is one figure repeated.
    private var totalIsConfirmed: Bool {
        guard let total, sum == total else { return false }
        guard witnesses.values[.printed] == total || totalIsRepaired else { return false }
        let support = witnesses.support(for: total)
        if totalIsRepaired, support < 2 { return false }
        guard
            support >= 1 || (countAgrees && (tenderFollows || items.count >= 4))
                || (tenderFollows && linesSpeakForTotal)
        else { return false }
        if items.count >= 2 || isText { return true }
        // One line: item, total and payment are the same figure, misread the same way. Another sum must hold.
        if fiscal != nil || (witnesses.values[.payments] == total && (tail.change ?? 0) != 0) { return true }
        if items.first?.quantity?.phrase.product == total { return true }
        return tail.taxedTotal == total
            && (tail.taxRows.isEmpty ? [tail.taxTotal].compactMap { $0 } : tail.taxRows).allSatisfy { row in
                let rates = row.rate.map { [$0] } ?? VATRate.known
                return row.tax != 0 && rates.contains { TailReader.allows($0, net: row.net, tax: row.tax) }
            }
    }

    /// Many amounts, each read clearly, make the clearly read total: no single misread figure could.
    private var linesSpeakForTotal: Bool {
        guard !totalIsRepaired, witnesses.printedIsExact, items.count >= 5, let index = sections.total,
            let price = lines[index].price
        else { return false }
        let place = Place(
            page: lines[index].line.page, box: lines[index].line.box(price.range),
            confidence: lines[index].line.confidence(price.range))
        guard place.confidence >= 75 || second.amounts(at: place).contains(where: { $0.value == total }) else {
            return false
        }
        return items.allSatisfy { item in
            guard item.repair == nil, item.price.isExact else { return false }
            let isProduct = item.quantity.map { !$0.isDerived && $0.phrase.product.map(abs) == item.value.map(abs) }
            return item.pricePlace.confidence >= 60 || isProduct ?? false
                || second.amounts(at: item.pricePlace).contains { $0.value == item.value }
        }
    }

    /// Given less change is the total: other digits than the total's own.
    private var totalIsPaidWithChange: Bool {
        witnesses.values[.payments] == total && (tail.change ?? tail.unnamed.first ?? 0) != 0
    }

    private var tenderFollows: Bool {
        guard let total else { return false }
        return tail.payments.reduce(0) { $0 + abs($1.amount) } >= total
    }

    private var hasLaterTotal: Bool {
        tail.laterTotals.contains {
            $0 != total && !tail.payments.map(\.amount).contains($0) && sections.total != nil && $0 > (total ?? 0) / 2
        }
    }

    // MARK: Quantities

    private func quantityDiffers(_ item: DraftItem) -> Bool {
        guard let product = item.quantity?.phrase.product, let value = item.value else { return false }
        let tolerance: UInt64 = item.quantity?.phrase.unit == .piece ? 0 : 1
        let larger = max(product.magnitude, value.magnitude)
        return larger - min(product.magnitude, value.magnitude) > tolerance
    }

    /// A weight whose digits the product does not fix, seen once.
    private func quantityIsOpen(_ item: DraftItem) -> Bool {
        guard !isText else { return false }
        if item.lacksWeight, item.quantity?.phrase.unitPrice == nil { return true }
        // What begins a name is the quantity of the line above, glued to it.
        if QuantityTrace.begins(item.name) { return true }
        // The number of pieces is printed and agrees: no piece is missing and none is invented. Where bottles come
        // back tills count in two ways, and a trace of a quantity weighs more.
        let isWhole = item.quantity != nil || !items.contains { $0.kind == .depositReturn }
        if piecesAgree, isWhole, item.quantity?.phrase.unit ?? .piece == .piece { return false }
        guard let quantity = item.quantity else {
            return item.kind != .discount && item.kind != .coupon
                && (QuantityTrace.isIn(item.name, total: item.value ?? 0) || CountColumn.isPossible(item))
        }
        if quantity.isDerived || quantity.repair != nil { return !quantity.isConfirmed }
        if quantity.phrase.unit == .piece, quantity.phrase.unitPrice != nil { return false }
        return !quantity.isConfirmed
    }

    // MARK: Lines

    /// A place where another line would fit, and no second look has found it empty.
    private var hasGap: Bool { gaps.contains { !second.showsNothing(at: $0) } }

    // MARK: Tables

    private var taxTableDiffers: Bool {
        // A misread row says nothing against the total when the table's own last row makes it.
        if tail.hasBrokenTaxRow, let total, tail.taxTotal?.gross == total { return false }
        // Nor does a misread net or tax when the gross column still makes it.
        if tail.hasBrokenTaxRow, tail.printedGross != total {
            return !totalIsPaidWithChange && fiscal == nil && witnesses.support(for: total ?? .min) < 2
        }
        guard let taxed = tail.taxedTotal else {
            return tail.taxTotal != nil && !tail.taxRows.isEmpty && !tail.hasBrokenTaxRow
        }
        return taxed != total
    }

    /// The lines of a class do not add up to the gross of that class.
    private var taxClassDiffers: Bool {
        !tail.hasBrokenTaxRow && !(tail.isPartial && tail.taxedTotal == nil)
            && TaxClasses.fits(items, rows: tail.taxRows) == false
    }

    private var counts: Set<Int64> { ArticleCount.possible(items) }

    private var piecesAgree: Bool { articleCount.map { ArticleCount.isOfPieces($0, items) } ?? false }

    private var countAgrees: Bool { articleCount.map { counts.contains(Int64($0)) } ?? false }
    private var countDiffers: Bool { articleCount.map { !counts.contains(Int64($0)) } ?? false }

    private var fiscalDiffers: Bool {
        guard let fiscal else { return false }
        if fiscal.total != total { return true }
        if let day = fiscal.date, let printed = dates.date?.value, day != printed { return true }
        return false
    }
}

/// Finds the tax row of a class as a line prints it.
enum TaxClasses {
    /// `AW` and `*B` belong to the rows `A` and `B`.
    static func row(for vat: String, in rows: [ParsedReceipt.TaxRow]) -> ParsedReceipt.TaxRow? {
        rows.first { $0.vatClass == vat } ?? rows.first { row in vat.first.map { row.vatClass == String($0) } ?? false }
    }
}

extension TaxClasses {
    /// Whether the lines of each class add up to its row; nil where a class is not known.
    static func fits(_ items: [DraftItem], rows: [ParsedReceipt.TaxRow]) -> Bool? {
        guard !rows.isEmpty, rows.allSatisfy({ $0.vatClass != nil }) else { return nil }
        var sums: [String: Int64] = [:]
        for item in items {
            guard let vat = item.vat, let value = item.value, let row = row(for: vat, in: rows) else { return nil }
            sums[row.vatClass ?? "", default: 0] += value
        }
        return rows.allSatisfy { (sums[$0.vatClass ?? ""] ?? 0) == $0.gross }
    }

    /// The lines of each class with what they sum up to; all lines and the total where the classes do not say.
    static func groups(
        _ items: [DraftItem], rows: [ParsedReceipt.TaxRow], total: Int64
    ) -> [(members: [Int], target: Int64)] {
        let all = [(members: Array(items.indices), target: total)]
        guard rows.count >= 2, rows.allSatisfy({ $0.vatClass != nil }), rows.reduce(0, { $0 + $1.gross }) == total
        else {
            return all
        }
        var members: [String: [Int]] = [:]
        for (index, item) in items.enumerated() {
            guard let vat = item.vat, let row = row(for: vat, in: rows) else { return all }
            members[row.vatClass ?? "", default: []].append(index)
        }
        return rows.map { (members[$0.vatClass ?? ""] ?? [], $0.gross) }
    }

    /// Classes that poor print changed, as the classes of the table or of most lines say: `8` for `B`, `RB` for `B`.
    static func clean(_ items: inout [DraftItem], rows: [ParsedReceipt.TaxRow]) {
        var counts: [String: Int] = [:]
        for item in items { if let vat = item.vat { counts[vat, default: 0] += 1 } }
        var known = Set(rows.compactMap(\.vatClass))
        if known.isEmpty { known = Set(counts.filter { $0.value * 4 >= items.count }.keys) }
        guard !known.isEmpty else { return }
        for index in items.indices {
            guard let vat = items[index].vat, row(for: vat, in: known) == nil else { continue }
            let own = Skeleton.of(vat.unicodeScalars)
            let fitting = known.filter { Skeleton.of($0.unicodeScalars) == own || vat.hasSuffix($0) }
            items[index].vat = fitting.count == 1 ? fitting.first : vat
        }
    }

    private static func row(for vat: String, in known: Set<String>) -> String? {
        known.contains(vat) ? vat : vat.first.map(String.init).flatMap { known.contains($0) ? $0 : nil }
    }
}
