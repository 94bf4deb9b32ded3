import Recognition

/// The position of the prices of a receipt, and of the left edge of its names.
///
/// The unit price of a quantity line is to the left of the column. A line with only a unit price has no price.
struct PriceColumn: Sendable {
    /// By page, because each photo has its own size and margins.
    private let edges: [Int: Edges]

    /// Nil if no page has a price column.
    init?(_ lines: [ReadLine]) {
        let pages = Dictionary(grouping: lines, by: \.line.page)
        edges = pages.compactMapValues { Edges($0) }
        if edges.isEmpty { return nil }
    }

    /// Whether an amount ends in the price column. True on pages without a column.
    func holds(_ line: PrintedLine, _ range: Range<Int>) -> Bool { edges[line.page]?.holds(line, range) ?? true }

    /// Returns a short word at the position of the price, with space before it, as a price that could not be read.
    func unreadable(_ line: PrintedLine) -> PriceCell? { edges[line.page]?.unreadable(line) }

    /// The number of short words at the beginning of the line that end to the left of the names: dirt beside the paper.
    func dirtInFront(_ line: PrintedLine) -> Int { edges[line.page]?.dirtInFront(line) ?? 0 }
}

extension ReadLine {
    fileprivate var isNamed: Bool { line.text[nameRange].hasName }
}

/// The position of an amount that was read exactly, in pixels.
private struct Cell {
    let left: Int
    /// Top of the line's first word.
    let top: Int
    /// Right edge of the amount.
    let right: Int
    /// Whether only a blank separates the amount from the word before.
    let isNarrow: Bool

    init?(_ line: ReadLine) {
        guard let price = line.price, price.isExact, let first = line.line.words.first else { return nil }
        let box = line.line.box(price.range)
        let name = line.line.words.last { $0.box.maxX <= box.x }
        (left, top, right) = (first.box.x, first.box.y, box.maxX)
        isNarrow = name.map { box.x - $0.box.maxX < box.height } ?? false
    }
}

/// The column on one page.
private struct Edges {
    /// Right edge of the prices, in pixels.
    let right: Int
    /// Left edge of the names, in pixels.
    let left: Int
    /// Tolerance of the right edge, in pixels.
    let tolerance: Int
    /// Left edge of the names near the top and near the bottom; they differ on a tilted page.
    private let ends: (upper: (x: Int, y: Int), lower: (x: Int, y: Int))?

    /// Tolerance of the right edge, which varies with classes and folds, in percent of the distance from the names to
    /// the prices.
    private static let edgeTolerance = 14
    /// Width of a price with its class, in percent of the same distance.
    private static let priceWidth = 32

    /// Nil if fewer than three lines have a name and an exact amount, or if the amounts form no column.
    init?(_ lines: [ReadLine]) {
        let cells = lines.filter(\.isNamed).compactMap(Cell.init)
        guard cells.count >= 3, let right = cells.map(\.right).median, let left = cells.map(\.left).median,
            right > left
        else { return nil }
        (self.right, self.left) = (right, left)
        let tolerance = (right - left) * Self.edgeTolerance / 100
        // Text without columns: each amount follows its name after one blank, so the right edges differ.
        let edge = right - tolerance
        guard cells.count(where: \.isNarrow) * 2 <= cells.count || cells.allSatisfy({ $0.right >= edge }) else {
            return nil
        }
        self.tolerance = tolerance
        let third = cells.count / 3
        let rows = cells.sorted { $0.top < $1.top }
        ends = third < 3 ? nil : (Self.middle(rows.prefix(third)), Self.middle(rows.suffix(third)))
    }

    /// The median left edge and the median top of some cells.
    private static func middle(_ cells: ArraySlice<Cell>) -> (x: Int, y: Int) {
        (cells.map(\.left).median ?? 0, cells.map(\.top).median ?? 0)
    }

    /// The left edge of the names at height `y`; if in doubt, further to the left.
    private func left(at y: Int) -> Int {
        guard let (upper, lower) = ends, lower.y > upper.y else { return left }
        return min(left, upper.x + (lower.x - upper.x) * (y - upper.y) / (lower.y - upper.y))
    }

    func holds(_ line: PrintedLine, _ range: Range<Int>) -> Bool {
        // A word with a class or a sign may end to the right of the column, but not to the left.
        line.box(range).maxX >= right - tolerance
    }

    func unreadable(_ line: PrintedLine) -> PriceCell? {
        guard line.words.count >= 2, let last = line.words.last, last.text.unicodeScalars.count <= 8,
            // One or two letters after a name are a class, not a price.
            last.text.unicodeScalars.count > 2 || last.text.unicodeScalars.contains(where: \.isDigit),
            // A word or a size at the end of a name is not a price either.
            !DamagedPrice.isSize(Array(last.text.unicodeScalars)),
            !(last.confidence >= Confidence.legible && last.text.unicodeScalars.count >= 4
                && last.text.unicodeScalars.allSatisfy(\.isLatinLetter)),
            last.box.x >= right - (right - left) * Self.priceWidth / 100, last.box.maxX >= right - 2 * tolerance,
            last.box.x - line.words[line.words.count - 2].box.maxX >= last.box.height / 2,
            let start = line.wordAt.firstIndex(of: line.words.count - 1)
        else { return nil }
        return PriceCell(
            range: start..<line.text.count, value: nil, printed: line.string(start..<line.text.count), isExact: false)
    }

    func dirtInFront(_ line: PrintedLine) -> Int {
        let words = line.words
        let dirt = words.prefix { $0.box.maxX < left(at: $0.box.y) - 2 && $0.text.unicodeScalars.count <= 3 }.count
        // `2 30848187 Apfelmus`: a count before an article number is not dirt.
        let isCount = dirt == 1 && words[0].text.isNumber(1...2) && words[safe: 1]?.text.isNumber(4...14) ?? false
        return isCount ? 0 : dirt
    }
}
