import Domain

/// A record of a table with the keys by which its parts are found: made once, compared often.
struct ImportRecord: Sendable {
    let name: String
    let price: Money
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

    init(_ record: LineItemRecord, _ keys: inout ImportKeys) {
        name = record.name
        price = record.price
        day = record.day
        category = record.category
        shop = record.shop ?? ""
        shopKey = keys.shop(record.shop ?? "")
        categoryKey = record.category.map { keys.shop($0) }
        let named = keys.name(record.name)
        aliasKey = named.alias
        package = named.package
    }
}

/// Keys of names that come again and again: a table of years has a thousand names on twenty thousand lines.
struct ImportKeys {
    private var shops: [String: String] = [:]
    private var names: [String: (alias: String, package: Quantity?)] = [:]

    /// Shops and categories differ by case and spelling of umlauts only for the keyboard.
    static func folded(_ name: String) -> String { FoldedText.fold(name).trimmed }

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
