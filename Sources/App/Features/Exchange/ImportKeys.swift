import Domain

/// Computes the lookup keys of names. Caches them, because names repeat in a large table.
struct ImportKeys {
    private var stores: [String: String] = [:]
    private var categories: [String: String] = [:]
    private var names: [String: (alias: String, package: Quantity?)] = [:]

    /// Folds the name of a store or category, so that case and the spelling of umlauts do not matter.
    static func folded(_ name: String) -> String { FoldedText.fold(name).trimmed }

    /// Returns the kind of a line. A line in the built-in category for deposits is a deposit or, if negative, a
    /// returned deposit. Other negative lines are coupons, and all other lines are items.
    func kind(_ price: Money, categoryKey: String?) -> LineKind {
        let isDeposit = categoryKey.map(Self.deposits.contains) ?? false
        return price.minorUnits < 0 ? (isDeposit ? .depositReturn : .coupon) : isDeposit ? .deposit : .item
    }

    /// The folded names of the built-in category for deposits.
    private static let deposits = Set(
        Language.allCases.compactMap { CategoryTemplate.template("deposit")?.name($0) }.map(folded))

    /// Returns categories by folded name. A built-in category is also returned under its built-in names in both
    /// languages.
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

    mutating func category(_ name: String) -> String {
        if let known = categories[name] { return known }
        let key = Self.folded(name)
        categories[name] = key
        return key
    }

    mutating func store(_ name: String) -> String {
        if let known = stores[name] { return known }
        let key = Self.store(name)
        stores[name] = key
        return key
    }

    /// Folds the name of a store. A dash means no store and gives an empty text.
    static func store(_ name: String) -> String {
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
