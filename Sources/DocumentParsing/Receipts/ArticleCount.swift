import Domain

/// Checks the number of articles that tills print above or below the total. Tills count in different ways.
package enum ArticleCount {
    /// Returns every article count that a till may print for these lines: pieces or lines, with or without deposits and
    /// returns.
    ///
    /// - Parameter lines: kind and number of pieces of each line; a weighed item counts as one piece.
    package static func possible(_ lines: [(kind: LineKind, pieces: Int64)]) -> Set<Int64> {
        let counted = lines.filter { $0.kind != .discount && $0.kind != .coupon && $0.kind != .rounding }
        let items = counted.filter { $0.kind == .item }
        let deposits = counted.count { $0.kind == .deposit }
        func pieces(_ lines: [(kind: LineKind, pieces: Int64)]) -> Int64 { lines.reduce(0) { $0 &+ $1.pieces } }
        return [
            pieces(counted), pieces(counted.filter { $0.kind != .depositReturn }), pieces(items), Int64(items.count),
            Int64(lines.count), Int64(counted.count), pieces(items) &+ Int64(deposits),
        ]
    }

    /// The numbers of articles that tills may print for these items.
    static func possible(_ items: [DraftItem]) -> Set<Int64> { possible(items.map { ($0.kind, pieces($0)) }) }

    /// A weighed item counts as one piece.
    private static func pieces(_ item: DraftItem) -> Int64 {
        item.quantity.map { $0.phrase.unit == .piece ? $0.phrase.quantity / 1_000 : 1 } ?? 1
    }

    /// Whether `count` is the number of pieces and greater than the number of lines. It then confirms the quantities.
    static func isOfPieces(_ count: Int, _ items: [DraftItem]) -> Bool {
        let counted = items.filter { $0.kind == .item || $0.kind == .deposit || $0.kind == .depositReturn }
        let all = counted.reduce(0) { $0 + pieces($1) }
        let returned = counted.reduce(0) { $0 + ($1.kind == .depositReturn ? pieces($1) : 0) }
        return count > counted.count && [all, all - returned].contains(Int64(count))
    }

    /// Returns the index of a damaged count line directly above the total, such as `Posber  6`. Its word differs from a
    /// count word by at most two letters, and its number is a possible count of `items`.
    static func damaged(_ lines: [ReadLine], _ sections: Sections, _ items: [DraftItem], _ facts: ChainFacts) -> Int? {
        let possible = possible(items)
        return sections.body.suffix(2).last { index in
            let line = lines[index]
            guard line.amounts.isEmpty, line.figures.count == 1, let number = line.figures.first?.count,
                possible.contains(Int64(number)), let word = line.line.skeletons.first
            else { return false }
            return line.line.skeleton.flat.count <= word.count + 4
                && (facts.phrases[.count] ?? []).contains { phrase in
                    phrase.skeleton.count >= 6
                        && Skeleton.distance(phrase.skeleton[...], word[...], limit: 2) <= 2
                }
        }
    }
}
