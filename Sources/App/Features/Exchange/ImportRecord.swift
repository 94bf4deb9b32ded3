import Domain

/// A valid row of a table with its lookup keys.
struct ImportRecord: Sendable {
    /// The line of the file where the row begins.
    let line: Int
    let name: String
    let price: Money
    let quantity: Quantity
    let day: LocalDate
    /// Nil if the column is empty.
    let category: String?
    /// Empty for a purchase without a store.
    let store: String
    let aliasKey: String
    let storeKey: String
    let categoryKey: String?
    /// The package size that the name contains.
    let package: Quantity?
    let kind: LineKind
    /// Thousandths of a minor unit per `StoredUnit`. Nil if out of range.
    let unitPrice: Int64?
    /// Distinguishes receipts of the same store and date; nil if the table has no column for it.
    let receipt: String?
    /// Whether the sign of the price was changed, because the table has deductions without a minus sign.
    let hasInvertedSign: Bool
    private let isDiscountOnPrecedingItem: Bool
    /// The line number of the item to which this discount belongs.
    private(set) var item: Int?

    init(_ record: LineItemRecord, line: Int, _ keys: inout ImportKeys) {
        self.line = line
        name = record.name
        price = record.price
        quantity = record.quantity
        day = record.day
        // Cut to the stored length, because these names are compared with stored names.
        category = record.category?.cut(to: TextLimit.categoryName)
        store = (record.store ?? "").cut(to: TextLimit.storeName)
        storeKey = keys.store(store)
        categoryKey = category.map { keys.category($0) }
        kind = record.kind?.line ?? keys.kind(record.price, categoryKey: categoryKey)
        isDiscountOnPrecedingItem = record.kind?.reducesPrecedingItem ?? false
        unitPrice = Self.unitPrice(record)
        receipt = record.receipt
        hasInvertedSign = record.hasInvertedSign
        let nameKeys = keys.name(record.name)
        aliasKey = nameKeys.alias
        package = nameKeys.package
    }

    /// For a table that AllesTeurer exported, returns the stated unit price; nil if none is stated. For other tables,
    /// returns price / quantity.
    private static func unitPrice(_ record: LineItemRecord) -> Int64? {
        let (thousandths, unit) = record.quantity.stored
        if record.kind != nil, unit.unit == record.quantity.unit { return record.unitPrice?.thousandthsOfMinor }
        let price = try? UnitPrice(record.price, for: Quantity(thousandths: thousandths, unit: unit.unit))
        return price.map(\.thousandthsOfMinor).flatMap { abs($0) <= UnitPrice.limit ? $0 : nil }
    }

    /// Assigns a discount to the preceding item of the same purchase. Called for the records in the order of the file.
    ///
    /// - Parameter last: the last item, to which a following discount belongs; nil if there is none, or if any line
    ///   other than a discount on this item followed it. Updated for the next record.
    mutating func assignDiscount(to last: inout ImportRecord?) {
        if kind == .item {
            last = self
        } else if isDiscountOnPrecedingItem, let before = last, ImportPurchase(before) == ImportPurchase(self) {
            item = before.line
        } else {
            last = nil
        }
    }
}
