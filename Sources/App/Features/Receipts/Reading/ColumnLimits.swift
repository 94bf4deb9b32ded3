import DocumentParsing
import Domain

/// Ranges of the figures of a reading. They equal the CHECK constraints of the columns.
enum ColumnLimits {
    /// The largest quantity: 100,000 units.
    static let quantityThousandths: Int64 = 100_000_000

    /// Whether the value fits its column.
    static func allows(_ amount: Money) -> Bool { amount.minorUnits.magnitude <= Money.limit.magnitude }

    static func allows(_ quantity: Quantity) -> Bool {
        quantity.stored.thousandths.magnitude <= quantityThousandths.magnitude
    }

    static func allows(_ price: UnitPrice) -> Bool {
        price.stored.map { $0.magnitude <= UnitPrice.limit.magnitude } ?? false
    }
}

extension ParsedReceipt {
    /// Drops figures that exceed the range of their column, such as a computed sum or a figure of a fiscal code. Marks
    /// these fields as doubtful; the receipt is then not proven. Keeps all lines.
    func limitedToColumns() -> ParsedReceipt {
        var limited = self
        var dropped: Set<Reason> = []
        if let total = total?.value, !ColumnLimits.allows(total) {
            limited.total = nil
            dropped.insert(.totalMissing)
        }
        for index in items.indices where limited.items[index].dropUnstorable() {
            dropped.insert(.lineUnreadable)
        }
        guard !dropped.isEmpty else { return self }
        if state == .proven { limited.state = .review }
        limited.reasons += Reason.allCases.filter { dropped.contains($0) && !reasons.contains($0) }
        return limited
    }
}

extension ParsedReceipt.Item {
    /// Drops figures that exceed the range of their column.
    ///
    /// - Returns: whether there was such a figure.
    fileprivate mutating func dropUnstorable() -> Bool {
        var hasDropped = false
        if let amount = total?.value, !ColumnLimits.allows(amount) {
            total = nil
            hasDropped = true
        }
        if !ColumnLimits.allows(quantity.value) {
            quantity.value = Quantity(thousandths: 1_000, unit: StoredUnit(quantity.value.unit).unit)
            quantity.isDoubtful = true
            hasDropped = true
        }
        if let price = unitPrice?.value, !ColumnLimits.allows(price) {
            unitPrice = nil
            // Quantity and unit price were printed in one phrase, so the quantity is doubtful too.
            quantity.isDoubtful = true
            hasDropped = true
        }
        return hasDropped
    }
}

extension UnitPrice {
    /// The value for the database column: thousandths of a minor unit per base unit; nil on overflow.
    var stored: Int64? {
        guard unit != unit.base, unit.base.perBase == 1 else { return thousandthsOfMinor }
        let (product, overflow) = thousandthsOfMinor.multipliedReportingOverflow(by: unit.perBase)
        return overflow ? nil : product
    }
}
