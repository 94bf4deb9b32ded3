import Domain

/// Counts that stand in front of the names: `6 Kaisersemmel  2,70`, as bakeries and inns print them.
enum CountColumn {
    /// Takes the counts where every good has one, or where a sign of multiplication follows it: `2x Breze  3,20`.
    ///
    /// Only the total is printed then: a unit price is what the count makes of it.
    static func take(_ items: inout [DraftItem]) {
        let goods = items.indices.filter { items[$0].kind == .item }
        let isColumn = goods.count >= 2 && goods.allSatisfy { count(items[$0]) != nil }
        for index in items.indices {
            guard let (count, name, hasSign) = count(items[index]), hasSign || (isColumn && items[index].kind == .item)
            else { continue }
            items[index].name = name
            guard count > 1, items[index].quantity == nil, let value = items[index].value else { continue }
            let isWhole = value % count == 0
            items[index].quantity = DraftQuantity(
                phrase: QuantityPhrase(
                    range: 0..<0, quantity: count * 1_000, unit: .piece,
                    unitPrice: isWhole ? Int64(value.magnitude) / count * 1_000 : nil, quantityRange: 0..<0,
                    isCountImplied: true),
                place: items[index].namePlace, origin: .inline, isDerived: true)
        }
    }

    /// Whether a name begins with what may be a count of several.
    static func isPossible(_ item: DraftItem) -> Bool {
        guard item.quantity == nil, let (count, _, _) = count(item), let value = item.value else { return false }
        return (2...12).contains(count) && value % count == 0
    }

    private static func count(_ item: DraftItem) -> (count: Int64, name: String, hasSign: Bool)? {
        let digits = item.name.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0 else { return nil }
        var rest = item.name[digits.endIndex...]
        var hasSign = false
        if let sign = rest.first, "xX×*".contains(sign) {
            hasSign = true
            rest = rest.dropFirst()
        }
        guard rest.first == " " else { return nil }
        let name = rest.trimmingBlanks
        guard name.count >= 3, name.first?.isLetter == true else { return nil }
        return (count, String(name), hasSign)
    }
}
