import Domain

/// A record of a table with its lookup keys.
struct ImportRecord: Sendable {
    /// The line of the file on which the record begins.
    let line: Int
    let name: String
    let price: Money
    let quantity: Quantity
    let day: LocalDate
    /// Nil when the column is empty.
    let category: String?
    /// Empty for a purchase without a shop.
    let shop: String
    let aliasKey: String
    let shopKey: String
    let categoryKey: String?
    /// The package size in the name.
    let package: Quantity?
    let kind: LineKind
    /// For one `StoredUnit`, in thousandths of a minor unit. Nil if out of range.
    let unitPrice: Int64?
    /// Tells two receipts of one shop and day apart; nil when the table has no such column.
    let receipt: String?
    /// The sign of the price was changed: a reduction written without a minus sign.
    let isTurned: Bool
    /// A discount on the item before it, according to the table.
    private let isOfItemBefore: Bool
    /// The line of the item that the discount belongs to.
    private(set) var item: Int?

    init(_ record: LineItemRecord, line: Int, _ keys: inout ImportKeys) {
        self.line = line
        name = record.name
        price = record.price
        quantity = record.quantity
        day = record.day
        // Cut to the stored length before comparing.
        category = record.category?.cut(to: TextLimit.categoryName)
        shop = (record.shop ?? "").cut(to: TextLimit.storeName)
        shopKey = keys.shop(shop)
        categoryKey = category.map { keys.shop($0) }
        kind = record.kind?.line ?? keys.kind(record.price, categoryKey: categoryKey)
        isOfItemBefore = record.kind?.isBound ?? false
        unitPrice = Self.unitPrice(record)
        receipt = record.receipt
        isTurned = record.isTurned
        let named = keys.name(record.name)
        aliasKey = named.alias
        package = named.package
    }

    /// The unit price of the table, also when it is empty in an export; else price / quantity.
    private static func unitPrice(_ record: LineItemRecord) -> Int64? {
        let (thousandths, unit) = record.quantity.stored
        if record.kind != nil, unit.unit == record.quantity.unit { return record.unitPrice?.thousandthsOfMinor }
        let price = try? UnitPrice(record.price, for: Quantity(thousandths: thousandths, unit: unit.unit))
        return price.map(\.thousandthsOfMinor).flatMap { abs($0) <= UnitPrice.limit ? $0 : nil }
    }

    /// Binds a discount to the item before it in the same purchase.
    ///
    /// - Parameter last: the last item, if only its discounts came after it. Updated for the next record.
    mutating func bind(to last: inout ImportRecord?) {
        if kind == .item {
            last = self
        } else if isOfItemBefore, let before = last, ImportPurchase(before) == ImportPurchase(self) {
            item = before.line
        } else {
            last = nil
        }
    }
}
