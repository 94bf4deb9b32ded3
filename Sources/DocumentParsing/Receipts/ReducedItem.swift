import Domain

/// Which item a printed discount reduces.
enum ReducedItem {
    /// The item above it, where nothing speaks against that one; nothing for discounts on several goods, or on all of a
    /// tax class.
    ///
    /// - Parameters:
    ///   - index: of the discount among the drafts.
    ///   - bound: which item each draft above reduces.
    /// - Returns: an index into the drafts.
    static func index(of index: Int, in drafts: [DraftItem], bound: [Int?]) -> Int? {
        let discount = drafts[index]
        guard discount.kind == .discount, let place = drafts[..<index].lastIndex(where: { $0.kind == .item })
        else { return nil }
        let item = drafts[place]
        if let one = discount.vat, let other = item.vat, one != other { return nil }
        guard let off = discount.value, let price = item.value else { return place }
        let others = bound.enumerated().reduce(0) { $1.element == place ? $0 + (drafts[$1.offset].value ?? 0) : $0 }
        // Nobody is paid for taking goods along.
        guard price < 0 || price + others + off >= 0 else { return nil }
        // `RABATT H-MILCH 3,5%` repeats the fat of its milk.
        if let permille = permille(in: discount.name), permille != self.permille(in: item.name),
            !fits(off, permille, of: [price, price + others], item)
        {
            return nil
        }
        return place
    }

    /// `RABATT 5%` is a twentieth of its item, rounded for each piece, or of some of its pieces.
    private static func fits(_ off: Int64, _ permille: Int64, of prices: [Int64], _ item: DraftItem) -> Bool {
        let phrase = item.quantity?.phrase
        let pieces = phrase.map { $0.unit == .piece ? min(max(1, $0.quantity / 1_000), 20) : 1 } ?? 1
        return prices.contains { price in
            (1...pieces).contains { some in
                abs(abs(off) * 1_000 * pieces - abs(price) * permille * some) <= 1_000 * pieces * some
            }
        }
    }

    /// `5%`, `-12,5 %` anywhere in the name; nothing for none or several.
    private static func permille(in name: String) -> Int64? {
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let figure = parts[0].reversed().drop { $0 == " " }.prefix { $0.isNumber || $0 == "," || $0 == "." }.reversed()
        let pieces = String(figure).split(whereSeparator: { $0 == "," || $0 == "." })
        guard let whole = pieces.first.flatMap({ Int64($0) }), (1...99).contains(whole), pieces.count <= 2 else {
            return nil
        }
        guard pieces.count == 2 else { return whole * 10 }
        guard pieces[1].count == 1, let tenths = Int64(pieces[1]) else { return nil }
        return whole * 10 + tenths
    }
}
