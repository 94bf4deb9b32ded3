import Recognition

/// Rows that two pages share: the end of the upper page and the beginning of the lower page.
struct Overlap: Sendable, Equatable {
    /// Indices of the same row on both pages, in ascending order.
    var pairs: [Pair]
    /// The evidence for the overlap. A pair of identical long rows adds 130; differences and missing rows subtract.
    var score: Int
    /// Whether the score is sufficient. Otherwise the sums of the receipt must confirm the overlap.
    var isSufficient = false

    struct Pair: Sendable, Hashable {
        let upper: Int
        let lower: Int
    }
}

/// Finds how two pages overlap: by the order of their rows, and by the distances between them.
struct OverlapFinder {
    /// Maximum number of rows of each page that are compared; a photo of a receipt rarely shows more.
    private static let maximumRows = 120
    /// Minimum likeness of two readings of the same row, 0…100.
    private static let minimumLikeness = 60
    /// Minimum likeness of a row that is the only evidence of an overlap, 0…100.
    private static let minimumLikenessOfSingleRow = 88
    /// Minimum confidence of rows that are good evidence, 0…100.
    private static let minimumConfidence = 60
    /// Minimum score of a sufficient overlap: two pairs of short rows, or one pair of long rows.
    private static let sufficientScore = 100
    /// Minimum score of an overlap that is tried.
    private static let minimumScore = 30

    private let upper: [PageRow]
    private let lower: [PageRow]
    /// Index of the first row of the upper page that is compared.
    private let start: Int
    /// The likeness of each compared row of the upper page, from `start`, to each of the lower page; 0…100.
    private let likeness: [[Int]]

    init(_ upper: [PageRow], _ lower: [PageRow]) {
        self.upper = upper
        self.lower = lower
        start = max(0, upper.count - Self.maximumRows)
        let end = min(lower.count, Self.maximumRows)
        likeness = upper[start...].map { row in lower[..<end].map { row.likeness(to: $0) } }
    }

    /// The possible overlaps: sufficient ones first, then by score.
    func overlaps(maximum: Int) -> [Overlap] {
        guard let width = likeness.first?.count, width > 0 else { return [] }
        let table = alignments(width)
        var found: [Overlap] = []
        // Either the upper page ends within the lower one, or the lower page ends within the upper one.
        let ends = (1...width).map { (likeness.count, $0) } + (1..<max(2, likeness.count)).map { ($0, width) }
        for end in ends.sorted(by: { table[$0.0][$0.1].score > table[$1.0][$1.1].score }) {
            guard found.count < maximum, table[end.0][end.1].score >= Self.minimumScore else { break }
            var overlap = traced(table, from: end)
            guard !overlap.pairs.isEmpty, haveEqualDistances(overlap.pairs) else { continue }
            overlap.isSufficient = isSufficient(overlap)
            // Skip overlaps that share rows with a better one.
            if found.contains(where: { !Set($0.pairs).isDisjoint(with: overlap.pairs) }) { continue }
            found.append(overlap)
        }
        return found.filter(\.isSufficient) + found.filter { !$0.isSufficient }
    }

    // MARK: Order

    private enum Step { case begin, pair, skipUpper, skipLower }

    private struct Cell {
        var score = 0
        var step = Step.begin
    }

    /// The table of the best alignments: the cell `[i][j]` aligns the end of the first `i` compared rows of the upper
    /// page with the first `j` rows of the lower page.
    private func alignments(_ width: Int) -> [[Cell]] {
        let upperWeights = weights(Array(upper[start...]))
        let lowerWeights = weights(Array(lower.prefix(width)))
        var table = [[Cell]](repeating: [Cell](repeating: Cell(), count: width + 1), count: likeness.count + 1)
        for j in 1...width { table[0][j] = Cell(score: table[0][j - 1].score - cost(lower[j - 1]), step: .skipLower) }
        for i in 1...likeness.count {
            for j in 1...width {
                let likeness = likeness[i - 1][j - 1]
                let weight = min(upperWeights[i - 1], lowerWeights[j - 1])
                // Poor readings of one row can differ, so a difference between poor readings counts less.
                let isPoor = min(upper[start + i - 1].confidence, lower[j - 1].confidence) < Self.minimumConfidence
                // A pair adds its weight at a likeness of 100, and a fifth of the weight at the minimum likeness.
                let gain = likeness >= Self.minimumLikeness ? weight * (likeness - 50) / 50 : isPoor ? -15 : -40
                var best = Cell(score: table[i - 1][j - 1].score + gain, step: .pair)
                let skipUpper = table[i - 1][j].score - cost(upper[start + i - 1])
                if skipUpper > best.score { best = Cell(score: skipUpper, step: .skipUpper) }
                let skipLower = table[i][j - 1].score - cost(lower[j - 1])
                if skipLower > best.score { best = Cell(score: skipLower, step: .skipLower) }
                table[i][j] = best
            }
        }
        return table
    }

    /// The weights of the rows. A row that occurs several times on its page is weaker evidence.
    private func weights(_ rows: [PageRow]) -> [Int] {
        var counts: [ArraySlice<UInt8>: Int] = [:]
        for row in rows { counts[row.skeleton, default: 0] += 1 }
        return rows.map { $0.weight / max(1, counts[$0.skeleton] ?? 1) }
    }

    /// Cost of a row that only one page shows although both should show it. Low for dirt, and for a row cut off at the
    /// edge.
    private func cost(_ row: PageRow) -> Int { min(row.weight, row.confidence < Self.minimumConfidence ? 15 : 60) }

    /// The overlap of the alignment that ends at a cell of the table.
    private func traced(_ table: [[Cell]], from end: (Int, Int)) -> Overlap {
        var (i, j) = end
        var pairs: [Overlap.Pair] = []
        while i > 0, j > 0 {
            switch table[i][j].step {
            case .pair:
                if likeness[i - 1][j - 1] >= Self.minimumLikeness {
                    pairs.append(Overlap.Pair(upper: start + i - 1, lower: j - 1))
                }
                (i, j) = (i - 1, j - 1)
            case .skipUpper: i -= 1
            case .skipLower: j -= 1
            case .begin: i = 0
            }
        }
        return Overlap(pairs: pairs.reversed(), score: table[end.0][end.1].score)
    }

    /// Whether the overlap is sufficient: two rows, or one long row that is unlikely to occur twice.
    private func isSufficient(_ overlap: Overlap) -> Bool {
        guard overlap.score >= Self.sufficientScore else { return false }
        let weighted = overlap.pairs.filter { min(upper[$0.upper].weight, lower[$0.lower].weight) > 0 }
        guard weighted.count == 1, let pair = weighted.first else { return weighted.count >= 2 }
        return upper[pair.upper].skeleton.count >= 16
            && likeness[pair.upper - start][pair.lower] >= Self.minimumLikenessOfSingleRow
    }

    // MARK: Geometry

    /// Whether the distances between the rows, as multiples of the line spacing, are about equal on both pages. At most
    /// a quarter of them may differ.
    private func haveEqualDistances(_ pairs: [Overlap.Pair]) -> Bool {
        guard let first = pairs.first, !upper[first.upper].isText, !lower[first.lower].isText else { return true }
        let upperPitch = Self.pitch(upper)
        let lowerPitch = Self.pitch(lower)
        guard upperPitch > 0, lowerPitch > 0 else { return true }
        let uneven = zip(pairs, pairs.dropFirst()).count { above, below in
            let upperStep = (upper[below.upper].box.doubleMidY - upper[above.upper].box.doubleMidY) * 100 / upperPitch
            let lowerStep = (lower[below.lower].box.doubleMidY - lower[above.lower].box.doubleMidY) * 100 / lowerPitch
            return abs(upperStep - lowerStep) > 60 + max(upperStep, lowerStep) / 4
        }
        return uneven * 4 <= pairs.count - 1
    }

    /// Twice the median distance between neighbouring rows, in pixels.
    static func pitch(_ rows: [PageRow]) -> Int {
        zip(rows, rows.dropFirst()).map { $1.box.doubleMidY - $0.box.doubleMidY }.filter { $0 > 0 }.median ?? 0
    }
}
