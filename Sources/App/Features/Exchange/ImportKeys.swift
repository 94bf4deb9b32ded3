import Domain

/// Caches the keys of names: a large table has about twenty lines per name.
struct ImportKeys {
    private var shops: [String: String] = [:]
    private var names: [String: (alias: String, package: Quantity?)] = [:]

    /// Names of shops and categories are compared without case and umlaut spelling.
    static func folded(_ name: String) -> String { FoldedText.fold(name).trimmed }

    /// Deposits are recognised by their category, as the export writes it. Other negative lines are coupons.
    func kind(_ price: Money, categoryKey: String?) -> LineKind {
        let isDeposit = categoryKey.map(Self.deposits.contains) ?? false
        return price.minorUnits < 0 ? (isDeposit ? .depositReturn : .coupon) : isDeposit ? .deposit : .item
    }

    /// The names of the built-in category for deposits, folded.
    private static let deposits = Set(
        Language.allCases.compactMap { CategoryTemplate.template("deposit")?.name($0) }.map(folded))

    /// Categories by folded name; built-in ones by their names in both languages.
    static func categories(_ stored: [(CategoryID, String, String)]) -> [String: CategoryID] {
        var known: [String: CategoryID] = [:]
        for (id, name, key) in stored {
            known[folded(name)] = id
            guard let template = CategoryTemplate.template(key) else { continue }
            for language in Language.allCases where known[folded(template.name(language))] == nil {
                known[folded(template.name(language))] = id
            }
        }
        return known
    }

    mutating func shop(_ name: String) -> String {
        if let known = shops[name] { return known }
        let key = Self.shop(name)
        shops[name] = key
        return key
    }

    /// A dash means no shop.
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
