import Domain
import Recognition

/// What stands against a quantity, or against there being none.
extension Proof {
    func quantityDiffers(_ item: DraftItem) -> Bool {
        guard let product = item.quantity?.phrase.product, let value = item.value else { return false }
        let isRounded = value.isMultiple(of: 5) && currency.currency == .chf
        let tolerance: UInt64 = item.quantity?.phrase.unit == .piece ? 0 : isRounded ? 2 : 1
        let larger = max(product.magnitude, value.magnitude)
        return larger - min(product.magnitude, value.magnitude) > tolerance
    }

    /// A weight whose digits the product does not fix, seen once, or a trace of a quantity that was not read.
    func quantityIsOpen(_ item: DraftItem) -> Bool {
        if isText { return isTraced(item) }
        if item.lacksWeight, item.quantity?.phrase.unitPrice == nil { return true }
        if hasUnlikelyPrice(item.quantity) { return true }
        let trace = trace(item)
        // What was drawn into the name from a line that is not its own.
        if item.quantity != nil || item.kind == .discount || item.kind == .coupon, trace.isForeign { return true }
        if item.quantity == nil, item.kind == .item, trace.saysWeight { return true }
        // The number of pieces is printed and agrees: no piece is missing and none is invented. Where bottles come
        // back tills count in two ways, and a trace of a quantity weighs more. Weights count as one piece.
        let isWhole = item.quantity != nil || !items.contains { $0.kind == .depositReturn }
        if piecesAgree, isWhole, item.quantity?.phrase.unit ?? .piece == .piece { return false }
        guard let quantity = item.quantity else {
            return item.kind != .discount && item.kind != .coupon
                && (trace.isPossible || CountColumn.isPossible(item))
        }
        if quantity.phrase.unitPrice == nil, trace.isPossible { return true }
        if isCountWitnessed(item, quantity) { return false }
        if quantity.isDerived || quantity.repair != nil { return !quantity.isConfirmed }
        if quantity.phrase.unit == .piece, quantity.phrase.unitPrice != nil { return false }
        return !quantity.isConfirmed
    }

    /// `2x Chips`, `2 934756 Chips`: a count in front of the good that is no part of its name, which both engines read alike,
    /// and of which the amount is a multiple.
    private func isCountWitnessed(_ item: DraftItem, _ quantity: DraftQuantity) -> Bool {
        guard quantity.isDerived, quantity.repair == nil, quantity.phrase.unit == .piece, let value = item.value,
            let line = item.lines.first.map({ lines[$0].line }), let count = Self.leadingCount(line.words),
            count * 1_000 == quantity.phrase.quantity, value.isMultiple(of: count)
        else { return false }
        return Self.leadingCount(line.witness.sorted { $0.box.x < $1.box.x }) == count
    }

    private static func leadingCount(_ words: [RecognizedWord]) -> Int64? {
        guard let first = words.first?.text else { return nil }
        let digits = first.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0 else { return nil }
        let rest = first.dropFirst(digits.count)
        if let sign = rest.first { return "xX×".contains(sign) ? count : nil }
        guard let second = words.dropFirst().first?.text else { return nil }
        let isNumber = second.utf8.count >= 5 && second.utf8.allSatisfy { (48...57).contains($0) }
        return isNumber || ["x", "X", "×"].contains(second) ? count : nil
    }

    /// What is printed as text is read rightly, but not every layout is understood.
    private func isTraced(_ item: DraftItem) -> Bool {
        let trace = trace(item)
        if item.quantity != nil || item.kind == .discount || item.kind == .coupon {
            // `7 Cola  1,80` before 3,60: the printed unit price is of another count.
            let isBare = item.quantity.map { $0.phrase.unitPrice == nil } ?? false
            return trace.isForeign || isDerivedBesidePrice(item) || (isBare && trace.isPossible)
        }
        // `12345678 2  7,98` below its name.
        return item.lacksWeight || trace.isPossible || CountColumn.isPossible(item)
    }

    private func trace(_ item: DraftItem) -> QuantityTrace {
        QuantityTrace(item.name, total: item.value ?? 0, kind: item.kind, isCut: fillsColumn(item))
    }

    /// Tills cut names where their column ends: no name is longer, and others end there as well.
    private func fillsColumn(_ item: DraftItem) -> Bool {
        let names = Set(items.map(\.name))
        let longest = names.map(\.count).max() ?? 0
        // A blank at the end of a name is not seen.
        return longest >= 10 && item.name.count >= longest - 1 && names.count { $0.count >= longest - 1 } >= 3
    }

    /// `4 Cola  0,85` before 3,60: a count from the front of the name, and another unit price behind it.
    private func isDerivedBesidePrice(_ item: DraftItem) -> Bool {
        guard item.quantity?.isDerived ?? false, let word = item.name.split(separator: " ").last else { return false }
        let scalars = Array(word.unicodeScalars.prefix(12))
        return FigureScanner.figures(in: scalars).contains { $0.amount != nil && $0.range.count == scalars.count }
    }

    /// Tills count pieces and weigh at whole cents, only fuel costs tenths: of three decimals one may be a speck.
    private func hasUnlikelyPrice(_ quantity: DraftQuantity?) -> Bool {
        guard let quantity, let price = quantity.phrase.unitPrice, !price.isMultiple(of: 1_000), !quantity.isDerived
        else { return false }
        switch quantity.phrase.unit {
        // Seen twice, a speck is still a speck.
        case .piece, .kilogram: return true
        default: return false
        }
    }
}
