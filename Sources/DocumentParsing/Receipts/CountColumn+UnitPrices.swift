import Domain

/// Counts printed beside the article number or the unit price.
extension CountColumn {
    /// Reads a count before the article number, `3 42614080 Blumenerde`, if it has a multiplication sign or at least
    /// three quarters of the items have an article number or a quantity.
    static func takeBeforeNumbers(_ items: inout [DraftItem], _ itemIndices: [Int]) {
        let found = itemIndices.map { beforeNumber(items[$0]) }
        let numbered = zip(itemIndices, found).count {
            $1 != nil || items[$0].articleNumber != nil || items[$0].quantity != nil
        }
        let isColumn =
            found.contains { $0?.count ?? 1 > 1 } && numbered * 4 >= itemIndices.count * 3
            && zip(itemIndices, found).allSatisfy { (items[$0].value ?? 0) % ($1?.count ?? 1) == 0 }
        for (index, found) in zip(itemIndices, found) {
            guard let found, found.hasSign || isColumn, items[index].quantity == nil else { continue }
            let nameWithoutPrice = items[index].value.flatMap {
                withoutUnitPrice(found.name[...], count: found.count, total: $0)
            }
            items[index].name = nameWithoutPrice ?? found.name
            items[index].articleNumber = found.number
            if found.count > 1 { setCount(of: &items[index], found.count, hasUnitPrice: nameWithoutPrice != nil) }
        }
    }

    /// Splits a name that begins with a count and an article number; nil for other names.
    static func beforeNumber(
        _ item: DraftItem
    ) -> (count: Int64, number: String, name: String, hasSign: Bool)? {
        let digits = item.name.prefix { $0.isASCII && $0.isNumber }
        var rest = item.name[digits.endIndex...].drop { $0 == " " }
        let hasSign = rest.first.map { Lexicon.times.contains($0) } ?? false
        if hasSign { rest = rest.dropFirst() }
        let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
        guard (1...2).contains(digits.count), let count = Int64(digits), count > 0, digits.first != "0",
            words.count == 2, hasSign || item.name[digits.endIndex...].first == " ",
            words[0].isNumber(4...14), words[1].count(where: \.isLetter) >= 3
        else { return nil }
        return (count, words[0], words[1], hasSign)
    }

    /// Reads count and unit price after the name if they give the amount: `Ketchup 500ML 2 2.20 Fr` with 4.40.
    static func takeWithUnitPrice(_ items: inout [DraftItem], _ itemIndices: [Int]) {
        for index in itemIndices where items[index].quantity == nil {
            guard let value = items[index].value, value > 0 else { continue }
            var words = items[index].name.split(separator: " ").map(String.init)
            // Skip the currency, and a class that was not separated from the name.
            while words.count > 3, let last = words.last,
                ["FR", "EUR", "€", "CHF", "A", "B", "C"].contains(last.uppercased())
            {
                words.removeLast()
            }
            guard words.count >= 3, let price = amount(words[words.count - 1]),
                let count = Int64(words[words.count - 2]), Lexicon.columnCounts.contains(count), price * count == value,
                words.dropLast(2).contains(where: { $0.count(where: \.isLetter) >= 3 })
            else { continue }
            items[index].name = words.dropLast(2).joined(separator: " ")
            guard count > 1 else { continue }
            items[index].quantity = DraftQuantity(
                phrase: QuantityPhrase(
                    range: 0..<0, quantity: count * 1_000, unit: .piece, unitPrice: price * 1_000, quantityRange: 0..<0),
                place: items[index].namePlace, origin: .inline)
        }
    }

    /// Returns the amount if the word is only an amount.
    private static func amount(_ word: String) -> Int64? {
        let scalars = Array(word.unicodeScalars.prefix(12))
        guard let figure = FigureScanner.figures(in: scalars).first, figure.range == 0..<scalars.count,
            figure.decimals == 2, !figure.isNegative
        else { return nil }
        return figure.amount
    }
}
