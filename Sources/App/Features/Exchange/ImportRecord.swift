import Domain

/// A record of a table with the keys by which its parts are found: made once, compared often.
struct ImportRecord: Sendable {
    /// The line of the file on which it begins.
    let line: Int
    let name: String
    let price: Money
    let quantity: Quantity
    let day: LocalDate
    /// Nothing when the column is empty.
    let category: String?
    /// Empty for a purchase without a shop.
    let shop: String
    let aliasKey: String
    let shopKey: String
    let categoryKey: String?
    /// What one piece holds, as the name tells.
    let package: Quantity?
    let kind: LineKind
    /// For one stored unit, in thousandths of a minor unit; nothing where no column holds it.
    let unitPrice: Int64?
    /// What keeps two receipts of one shop and day apart; nothing where the table does not.
    let receipt: String?
    /// A discount without a minus, which got one.
    let isTurned: Bool
    /// The table calls it a discount of the ware before.
    private let isOfWareBefore: Bool
    /// The line of the ware that a discount belongs to.
    private(set) var ware: Int?

    init(_ record: LineItemRecord, line: Int, _ keys: inout ImportKeys) {
        self.line = line
        name = record.name
        price = record.price
        quantity = record.quantity
        day = record.day
        // Compared as they are stored: cut to what a name may be long.
        category = record.category?.cut(to: TextLimit.categoryName)
        shop = (record.shop ?? "").cut(to: TextLimit.storeName)
        shopKey = keys.shop(shop)
        categoryKey = category.map { keys.shop($0) }
        kind = record.kind?.line ?? keys.kind(record.price, categoryKey: categoryKey)
        isOfWareBefore = record.kind?.isBound ?? false
        unitPrice = Self.unitPrice(record)
        receipt = record.receipt
        isTurned = record.isTurned
        let named = keys.name(record.name)
        aliasKey = named.alias
        package = named.package
    }

    /// What the table says, even that there is none; else what price and quantity give.
    private static func unitPrice(_ record: LineItemRecord) -> Int64? {
        let (thousandths, unit) = record.quantity.stored
        if record.kind != nil, unit.unit == record.quantity.unit { return record.unitPrice?.thousandthsOfMinor }
        let price = try? UnitPrice(record.price, for: Quantity(thousandths: thousandths, unit: unit.unit))
        return price.map(\.thousandthsOfMinor).flatMap { abs($0) <= UnitPrice.limit ? $0 : nil }
    }

    /// Binds a discount to the ware that stands before it in the same purchase.
    ///
    /// - Parameter ware: the last one with nothing but its discounts behind it; becomes this where it is one.
    mutating func bind(to ware: inout ImportRecord?) {
        if kind == .item {
            ware = self
        } else if isOfWareBefore, let item = ware, ImportPurchase(item) == ImportPurchase(self) {
            self.ware = item.line
        } else {
            ware = nil
        }
    }
}

/// What becomes one receipt.
struct ImportPurchase: Hashable, Sendable {
    let day: LocalDate
    let shop: String
    let currency: Currency
    let receipt: String?

    init(_ record: ImportRecord) {
        day = record.day
        shop = record.shopKey
        currency = record.price.currency
        receipt = record.receipt
    }
}

/// Keys of names that come again and again: a table of years has a thousand names on twenty thousand lines.
struct ImportKeys {
    private var shops: [String: String] = [:]
    private var names: [String: (alias: String, package: Quantity?)] = [:]

    /// Shops and categories differ by case and spelling of umlauts only for the keyboard.
    static func folded(_ name: String) -> String { FoldedText.fold(name).trimmed }

    /// Deposits are known by their category, as the export writes it. What else costs less than nothing is no ware:
    /// something taken back, or a discount on the whole.
    func kind(_ price: Money, categoryKey: String?) -> LineKind {
        let isDeposit = categoryKey.map(Self.deposits.contains) ?? false
        return price.minorUnits < 0 ? (isDeposit ? .depositReturn : .coupon) : isDeposit ? .deposit : .item
    }

    /// The names of the built-in category of deposits.
    private static let deposits = Set(
        Language.allCases.compactMap { CategoryTemplate.template("deposit")?.name($0) }.map(folded))

    mutating func shop(_ name: String) -> String {
        if let known = shops[name] { return known }
        let key = Self.shop(name)
        shops[name] = key
        return key
    }

    /// A dash stands for no shop, as it does in lists.
    static func shop(_ name: String) -> String {
        let key = folded(name)
        return key == "-" ? "" : key
    }

    mutating func name(_ name: String) -> (alias: String, package: Quantity?) {
        if let known = names[name] { return known }
        let found = (
            alias: AliasKey(printed: name)?.text ?? "", package: PackageSize(inName: name)?.total
        )
        names[name] = found
        return found
    }
}
