import Recognition

/// The columns of a page: lists beside each other, not the columns of a table.
struct ListColumns {
    /// Columns from left to right, each with its rows from top to bottom.
    var columns: [[[ListToken]]]

    /// The maximum number of gaps between columns. Further gaps are not searched for.
    private static let maximumSplits = 2
    /// The minimum number of rows that must have the gap between two columns.
    private static let minimumRows = 3

    init(_ lines: [[ListToken]]) {
        columns = Self.split(lines.filter { !$0.isEmpty }, splits: Self.maximumSplits).map(Self.rows)
    }

    /// Splits the lines at each x-coordinate at which a column of prices ends and names begin.
    private static func split(_ lines: [[ListToken]], splits: Int) -> [[[ListToken]]] {
        guard splits > 0, let cut = gutter(lines) else { return [lines] }
        var (left, right): ([[ListToken]], [[ListToken]]) = ([], [])
        for line in lines {
            if isCrossed(line, at: cut) {
                left.append(line)
                continue
            }
            let first = line.firstIndex { $0.box.x + $0.box.width / 2 >= cut } ?? line.count
            if first > 0 { left.append(Array(line[..<first])) }
            if first < line.count { right.append(Array(line[first...])) }
        }
        return split(left, splits: splits - 1) + split(right, splits: splits - 1)
    }

    /// The x-coordinate that best separates two lists. Lines to its left end with prices, and lines to its right are
    /// names with prices. Nil if there is none.
    private static func gutter(_ lines: [[ListToken]]) -> Int? {
        let height = typicalHeight(lines)
        // The x-coordinates just before the words that may begin a name.
        var candidates: Set<Int> = []
        for line in lines.prefix(300) {
            for index in line.indices where startsName(line[index...]) {
                let isApart = index == 0 || line[index].box.x - line[index - 1].box.maxX > height
                if isApart || endsPrices(line[..<index]) { candidates.insert(line[index].box.x - height / 3) }
            }
        }
        let sortedCandidates = candidates.sorted()
        let step = max(1, sortedCandidates.count / 200)
        let neededRows = max(minimumRows, lines.count / 8)
        var best: (x: Int, votes: Int)?
        for index in stride(from: 0, to: sortedCandidates.count, by: step) {
            let x = sortedCandidates[index]
            // The numbers of lines: with a name and a price to the left of `x`, with a name to its right, and with a
            // name and a price to its right. `crossings` is the number of lines with a word that extends across `x`.
            var (pricedLeft, namedRight, pricedRight, crossings) = (0, 0, 0, 0)
            for line in lines {
                if isCrossed(line, at: x) {
                    crossings += 1
                    continue
                }
                let split = line.firstIndex { $0.box.x >= x } ?? line.count
                let isPriced = split > 0 && endsPrices(line[..<split])
                if isPriced { pricedLeft += 1 }
                guard split < line.count, startsName(line[split...]) else {
                    if isPriced, separatesPrices(line, at: split) { crossings += 1 }
                    continue
                }
                namedRight += 1
                if endsPrices(line[split...]) { pricedRight += 1 }
            }
            let isPossible =
                min(pricedLeft, namedRight) >= neededRows && pricedRight >= minimumRows
                && crossings <= max(2, lines.count / 8)
            let votes = min(pricedLeft, pricedRight) - 2 * crossings
            if isPossible, votes > best?.votes ?? Int.min { best = (x, votes) }
        }
        return best?.x
    }

    /// Whether the tokens begin with a word, or with a number and a word close to it.
    private static func startsName(_ tokens: ArraySlice<ListToken>) -> Bool {
        guard let first = tokens.first else { return false }
        if first.hasLetterPair { return true }
        switch first.kind {
        case .year: break
        case .price(let price) where price.hasOnlyDigits: break
        default: return false
        }
        let nextTokens = tokens.dropFirst().prefix(2)
        return nextTokens.contains { $0.hasLetterPair && $0.box.x - first.box.maxX < 8 * first.box.height }
    }

    /// Whether the tokens are a name that ends with a price.
    private static func endsPrices(_ tokens: ArraySlice<ListToken>) -> Bool {
        guard let last = tokens.last(where: { $0.kind != .leader && $0.kind != .separator }) else { return false }
        switch last.kind {
        case .price, .none, .size, .serving, .currency: break
        default: return false
        }
        // The number after a sign such as `Nr.` is a bin number.
        if tokens.count == 2, let first = tokens.first, BinNumbers.signs.contains(first.text) { return false }
        return tokens.contains(where: \.hasLetterPair) && tokens.contains { $0.isPrice || $0.kind == .none }
    }

    /// Whether a split would separate two prices of one list: the token at `split` is a price close to the one before
    /// it.
    private static func separatesPrices(_ line: [ListToken], at split: Int) -> Bool {
        guard split < line.count, line[split].isPrice || line[split].kind == .none else { return false }
        return line[split].box.x - line[split - 1].box.maxX < 8 * line[split].box.height
    }

    /// Whether a token of the line extends across the x-coordinate.
    private static func isCrossed(_ line: [ListToken], at x: Int) -> Bool {
        line.contains { $0.kind != .leader && $0.box.x < x - $0.box.height / 4 && $0.box.maxX > x + $0.box.height / 4 }
    }

    /// The median height of words, in pixels.
    static func typicalHeight(_ lines: [[ListToken]]) -> Int {
        let heights = lines.flatMap { $0.filter(\.hasLetterPair).map(\.box.height) }.sorted()
        return heights.isEmpty ? 20 : max(1, heights[heights.count / 2])
    }

    /// Joins lines at the same height into rows, sorted from the top.
    private static func rows(_ lines: [[ListToken]]) -> [[ListToken]] {
        var rows: [[ListToken]] = []
        for line in lines.sorted(by: { middle($0) < middle($1) }) {
            if let last = rows.last, areBeside(last, line) {
                rows[rows.count - 1] = (last + line).sorted { $0.box.x < $1.box.x }
            } else {
                rows.append(line)
            }
        }
        return rows
    }

    /// The median of the vertical centres of a line's words, in pixels from the top.
    static func middle(_ line: [ListToken]) -> Int {
        let middles = line.map(\.box.doubleMidY).sorted()
        return middles.isEmpty ? 0 : middles[middles.count / 2] / 2
    }

    /// Whether two lines are side by side at the same height.
    private static func areBeside(_ first: [ListToken], _ second: [ListToken]) -> Bool {
        guard let left = extent(first), let right = extent(second), left.maxX <= right.x || right.maxX <= left.x else {
            return false
        }
        // Compares the ends that face each other, because a photographed line may bend.
        let (firstEnd, secondEnd) =
            left.maxX <= right.x ? (first.last?.box, second.first?.box) : (first.first?.box, second.last?.box)
        guard let firstEnd, let secondEnd else { return false }
        return abs(firstEnd.doubleMidY - secondEnd.doubleMidY) <= min(firstEnd.height, secondEnd.height)
    }

    private static func extent(_ line: [ListToken]) -> PixelBox? {
        line.first.map { first in line.dropFirst().reduce(first.box) { $0.union($1.box) } }
    }
}
