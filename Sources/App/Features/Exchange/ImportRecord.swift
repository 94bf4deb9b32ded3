import Domain

/// A record of a table with the keys by which its parts are found: made once, compared often.
struct ImportRecord: Sendable {
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

    init(_ record: LineItemRecord, _ keys: inout ImportKeys) {
        name = record.name
        price = record.price
        quantity = record.quantity
        day = record.day
        // Compared as they are stored: cut to what a name may be long.
        category = record.category?.cut(to: TextLimit.categoryName)
        shop = (record.shop ?? "").cut(to: TextLimit.storeName)
        shopKey = keys.shop(shop)
        categoryKey = category.map { keys.shop($0) }
        kind = keys.kind(record.price, categoryKey: categoryKey)
        let named = keys.name(record.name)
        aliasKey = named.alias
        package = named.package
    }

    /// Thousandths of a minor unit for one stored unit; nothing where no column holds it.
    var unitPrice: Int64? {
        let (thousandths, unit) = quantity.stored
        let price = try? UnitPrice(price, for: Quantity(thousandths: thousandths, unit: unit.unit))
        return price.map(\.thousandthsOfMinor).flatMap { abs($0) <= UnitPrice.limit ? $0 : nil }
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
        let key = Self.folded(name)
        shops[name] = key
        return key
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
