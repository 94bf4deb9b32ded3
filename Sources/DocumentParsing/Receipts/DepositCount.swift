import Domain

/// `PFANDWERT 0,25` before 0,50: the deposit of one in the name counts how many.
enum DepositCount {
    /// What bottles and cans are worth in Germany and were in Austria; volumes such as 0,33 and 0,50 are none of them.
    private static let values: Set<Int64> = [8, 9, 15, 25]

    /// Gives counts to deposits without one.
    static func take(_ items: inout [DraftItem]) {
        for index in items.indices where items[index].quantity == nil && items[index].kind == .deposit {
            guard let value = items[index].value, let one = faceValue(items[index].name),
                value % one == 0, (2...48).contains(value / one)
            else { continue }
            items[index].quantity = DraftQuantity(
                phrase: QuantityPhrase(
                    range: 0..<0, quantity: value / one * 1_000, unit: .piece, unitPrice: one * 1_000,
                    quantityRange: 0..<0),
                place: items[index].namePlace, origin: .inline, isDerived: false)
        }
    }

    private static func faceValue(_ name: String) -> Int64? {
        var words = name.split(separator: " ")
        if let last = words.last, ["€", "EUR"].contains(last) { words.removeLast() }
        guard words.count >= 2, let last = words.last else { return nil }
        // `0, 25`: the blank is of the engine.
        let text = words.count >= 3 && words[words.count - 2] == "0," ? "0," + last : String(last)
        let scalars = Array(text.unicodeScalars.prefix(8))
        guard let figure = FigureScanner.figures(in: scalars).first, figure.decimals == 2, !figure.isNegative,
            figure.range.count == scalars.count, let amount = figure.amount, values.contains(amount)
        else { return nil }
        return amount
    }
}
